package cidr_test

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/cidr"
)

func prefixes(texts ...string) []netip.Prefix {
	var ps []netip.Prefix
	for _, text := range texts {
		ps = append(ps, netip.MustParsePrefix(text))
	}
	return ps
}

func TestPlan(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		vpc             string
		private, public []netip.Prefix
	}{
		{"10.20.0.0/16",
			prefixes("10.20.0.0/19", "10.20.32.0/19", "10.20.64.0/19"),
			prefixes("10.20.224.0/22", "10.20.228.0/22", "10.20.232.0/22")},
		{"172.16.128.0/20",
			prefixes("172.16.128.0/23", "172.16.130.0/23"),
			prefixes("172.16.142.0/26", "172.16.142.64/26")},
		{"192.168.4.0/22", // the smallest: /25 and /28
			prefixes("192.168.4.0/25", "192.168.4.128/25", "192.168.5.0/25", "192.168.5.128/25",
				"192.168.6.0/25", "192.168.6.128/25"),
			prefixes("192.168.7.128/28", "192.168.7.144/28", "192.168.7.160/28", "192.168.7.176/28",
				"192.168.7.192/28", "192.168.7.208/28")},
	} {
		t.Run(tt.vpc, func(t *testing.T) {
			t.Parallel()
			got, err := cidr.Plan(netip.MustParsePrefix(tt.vpc), len(tt.private))
			if err != nil {
				t.Fatal(err)
			}
			if want := (cidr.Layout{Private: tt.private, Public: tt.public}); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// TestPlanHoldsForEveryVPC goes over every size of VPC at several places and every number of zones.
func TestPlanHoldsForEveryVPC(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"10.0.0.0", "10.255.252.0", "100.64.0.0", "172.31.255.0", "192.168.0.0", "255.255.255.0"} {
		for bits := 16; bits <= cidr.SmallestVPC; bits++ {
			vpc := netip.PrefixFrom(netip.MustParseAddr(at), bits).Masked()
			var before cidr.Layout
			for zones := 1; zones <= cidr.MaxZones; zones++ {
				now, err := cidr.Plan(vpc, zones)
				if err != nil {
					t.Fatalf("%s, %d zones: %v", vpc, zones, err)
				}
				checkLayout(t, vpc, zones, now)
				checkAppended(t, vpc, before, now)
				before = now
			}
		}
	}
}

func checkLayout(t *testing.T, vpc netip.Prefix, zones int, l cidr.Layout) {
	t.Helper()
	where := fmt.Sprintf("%s, %d zones", vpc, zones)
	if len(l.Private) != zones || len(l.Public) != zones {
		t.Fatalf("%s: %d private and %d public subnets", where, len(l.Private), len(l.Public))
	}
	all := append(append([]netip.Prefix{}, l.Private...), l.Public...)
	for i, p := range all {
		if p != p.Masked() || p.Bits() > 28 {
			t.Errorf("%s: %s is not a block that EC2 takes", where, p)
		}
		if !vpc.Contains(p.Addr()) || p.Bits() <= vpc.Bits() {
			t.Errorf("%s: %s lies outside", where, p)
		}
		for _, q := range all[:i] {
			if p.Overlaps(q) {
				t.Errorf("%s: %s and %s overlap", where, p, q)
			}
		}
	}
	for i := range zones {
		if l.Private[i].Bits() != l.Private[0].Bits() || l.Public[i].Bits() != l.Public[0].Bits() {
			t.Errorf("%s: zones differ in size: %v", where, l)
		}
		if l.Public[i].Bits() <= l.Private[i].Bits() {
			t.Errorf("%s: public %s is not smaller than private %s", where, l.Public[i], l.Private[i])
		}
	}
}

// checkAppended checks that a zone more leaves the subnets of the zones before where they were.
func checkAppended(t *testing.T, vpc netip.Prefix, before, now cidr.Layout) {
	t.Helper()
	for i := range before.Private {
		if before.Private[i] != now.Private[i] || before.Public[i] != now.Public[i] {
			t.Errorf("%s: appending zone %d moved zone %d", vpc, len(now.Private)-1, i)
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		vpc   netip.Prefix
		zones int
		want  string
	}{
		{"too small", netip.MustParsePrefix("10.0.5.0/24"), 3, "smallest VPC that would do is a /22, such as 10.0.4.0/22"},
		{"too large", netip.MustParsePrefix("10.0.0.0/8"), 3, "largest VPC is a /16, such as 10.0.0.0/16"},
		{"host bits", netip.MustParsePrefix("10.0.5.1/16"), 3, "its block is 10.0.0.0/16"},
		{"IPv6", netip.MustParsePrefix("fd00::/20"), 3, "not an IPv4 block"},
		{"nothing", netip.Prefix{}, 3, "not an IPv4 block"},
		{"no zone", netip.MustParsePrefix("10.0.0.0/16"), 0, "1 to 6 zones, not 0"},
		{"too many zones", netip.MustParsePrefix("10.0.0.0/16"), 7, "1 to 6 zones, not 7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := cidr.Plan(tt.vpc, tt.zones)
			if err == nil {
				t.Fatalf("planned %v", got)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want it to say %q", err, tt.want)
			}
		})
	}
}

func TestSizeErrorNamesABlockThatWouldDo(t *testing.T) {
	t.Parallel()
	for _, vpc := range []string{"10.0.5.0/24", "10.0.5.128/28", "10.0.0.0/8"} {
		_, err := cidr.Plan(netip.MustParsePrefix(vpc), cidr.MaxZones)
		var size *cidr.SizeError
		if !errors.As(err, &size) {
			t.Errorf("%s: got %v, want a *SizeError", vpc, err)
			continue
		}
		if _, err := cidr.Plan(size.Nearest, cidr.MaxZones); err != nil {
			t.Errorf("%s: the suggested %s does not do: %v", vpc, size.Nearest, err)
		}
	}
}

func TestUsable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"10.0.0.0/19": 8187, "10.0.0.0/22": 1019, "10.0.0.0/25": 123, "10.0.0.0/28": 11, "10.0.0.0/30": 0, "10.0.0.0/32": 0,
	} {
		if got := cidr.Usable(netip.MustParsePrefix(text)); got != want {
			t.Errorf("Usable(%s) = %d, want %d", text, got, want)
		}
	}
}
