package fault_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/fault"
)

const (
	subnet = "aws:ec2/subnet:Subnet"
	nodes  = "aws:eks/nodeGroup:NodeGroup"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]fault.Fault{
		"throttle@" + subnet:                         {Kind: fault.Throttle, Token: subnet},
		"timeout@aws:eks/*,on=update,from=2,times=3": {Kind: fault.Timeout, Token: "aws:eks/*", On: "update", From: 2, Times: 3},
		"crash@*,on=any,name=net-*,times=all":        {Kind: fault.Crash, Token: "*", On: "any", Name: "net-*", Times: fault.Always},
		"no-capacity@" + nodes + ",zone=use2-az1":    {Kind: fault.NoCapacity, Token: nodes, Zone: "use2-az1"},
	} {
		got, err := fault.Parse(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: got %+v (%s), %v", text, got, got, err)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "wanted KIND@TOKEN, such as throttle@aws:ec2/subnet:Subnet",
		"throttle":               "wanted KIND@TOKEN",
		"throttle@":              "wanted KIND@TOKEN",
		"throtle@*":              `"throtle" is no kind of fault; did you mean throttle?`,
		"outage@*":               "there are throttle, no-capacity, timeout, crash, crash-after",
		"crash@*,17":             `"17" is no option; wanted key=value`,
		"crash@*,from=":          `"from=" is no option`,
		"crash@*,form=17":        `"form" is no option; did you mean from?`,
		"crash@*,from=0":         `from is "0", wanted a count from 1`,
		"crash@*,times=often":    `times is "often", wanted a count from 1`,
		"crash@*,on=creation":    `on is "creation"; `,
		"crash@*,on=create,zone": `"zone" is no option`,
	} {
		if _, err := fault.Parse(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), fmt.Sprintf("%q", text)) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestParseList(t *testing.T) {
	t.Parallel()
	got, err := fault.ParseList("# chaos\n\ncrash@*,from=3 # the third\n throttle@aws:ec2/*\n")
	if err != nil || len(got) != 2 || got[0].From != 3 || got[1].Token != "aws:ec2/*" {
		t.Errorf("got %v, %v", got, err)
	}
	_, err = fault.ParseList("crash\n\nthrottle@*\nfall@*")
	if err == nil || !strings.HasPrefix(err.Error(), "line 1: ") || !strings.Contains(err.Error(), "\nline 4: ") {
		t.Errorf("got %v", err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"crash@*":                                 "",
		"no-capacity@aws:eks/*,zone=usw2-az1":     "",
		"crash@aws:ec2/subnets:*":                 "has no resource type or function that aws:ec2/subnets:* stands for",
		"no-capacity@" + subnet:                   subnet + " starts no instances; " + nodes + " does",
		"no-capacity@" + nodes + ",on=update":     "strikes the creation of node groups only",
		"throttle@" + subnet + ",zone=us-west-2a": "zone goes with no-capacity only",
	} {
		f, err := fault.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		err = f.Check([]string{subnet, nodes}, []string{nodes})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	for want, f := range map[string]fault.Fault{
		"is no kind of fault":       {Kind: "outage", Token: "*"},
		"wanted one of create":      {Kind: fault.Crash, Token: "*", On: "never"},
		"from and times are counts": {Kind: fault.Crash, Token: "*", From: -2},
	} {
		if err := f.Check([]string{subnet}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %s", f, err, want)
		}
	}
}

// TestTurns counts which of six creations a fault strikes.
func TestTurns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"throttle@*":                             "1",
		"throttle@*,from=3":                      "3",
		"throttle@*,from=2,times=3":              "234",
		"throttle@*,from=5,times=all":            "56",
		"throttle@*,on=any":                      "1",
		"throttle@*,on=delete":                   "",
		"throttle@aws:ec2/subnet:Subnet":         "1",
		"throttle@aws:ec2/subnet":                "",
		"throttle@aws:*:Subnet,times=2":          "12",
		"throttle@aws:*net:Sub*,times=2":         "12",
		"throttle@aws:*vpc*,times=2":             "",
		"throttle@*,name=s-2":                    "2",
		"throttle@*,name=s-*,from=6":             "6",
		"throttle@aws:*:Subnets,name=s-1":        "",
		"throttle@*,name=other":                  "",
		"throttle@aws:ec2/subnet:Subnet*,from=4": "4",
	} {
		f, err := fault.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		plan, got := fault.NewPlan([]fault.Fault{f}), ""
		for i := 1; i <= 6; i++ {
			op := fault.Operation{Verb: fault.Create, Token: subnet, Name: fmt.Sprint("s-", i)}
			if struck, ok := plan.Before(op); ok && struck == f {
				got += fmt.Sprint(i)
			}
			if _, ok := plan.After(op); ok {
				t.Errorf("%s strikes after the fact", text)
			}
		}
		if got != want {
			t.Errorf("%s strikes %q, want %q", text, got, want)
		}
	}
}

func TestFaultsCountOnTheirOwn(t *testing.T) {
	t.Parallel()
	throttle, timeout := fault.Fault{Kind: fault.Throttle, Token: "*", From: 2}, fault.Fault{Kind: fault.Timeout, Token: "*"}
	plan := fault.NewPlan([]fault.Fault{throttle, timeout, {Kind: fault.Throttle, Token: "*", From: 2}})
	op := fault.Operation{Verb: fault.Create, Token: subnet}
	if f, ok := plan.Before(op); ok {
		t.Errorf("the first is struck by %s", f)
	}
	if f, ok := plan.After(op); !ok || f != timeout {
		t.Errorf("after the first: %s, %t", f, ok)
	}
	if f, ok := plan.Before(op); !ok || f != throttle {
		t.Errorf("the second: %s, %t", f, ok)
	}
	if f, ok := plan.Before(op); ok {
		t.Errorf("the third is struck by %s, whose turn was with the second", f)
	}
	if _, ok := (*fault.Plan)(nil).Before(op); ok {
		t.Error("no plan strikes")
	}
}

func TestCapacityIsByZone(t *testing.T) {
	t.Parallel()
	a, b := [2]string{"us-west-2a", "usw2-az2"}, [2]string{"us-west-2b", "usw2-az3"}
	for name, c := range map[string]struct {
		zone, instances string
		zones           [][2]string
		want            bool
	}{
		"by id":              {"usw2-az2", "p5", [][2]string{a}, true},
		"by name":            {"us-west-2a", "p5", [][2]string{a}, true},
		"another zone":       {"us-west-2a", "p5", [][2]string{b}, false},
		"one of two zones":   {"us-west-2a", "p5", [][2]string{a, b}, false},
		"everywhere":         {"", "p5", [][2]string{a, b}, true},
		"no instances asked": {"", "", [][2]string{a}, false},
	} {
		plan := fault.NewPlan([]fault.Fault{{Kind: fault.NoCapacity, Token: nodes, Zone: c.zone}})
		_, ok := plan.After(fault.Operation{Verb: fault.Create, Token: nodes, Instances: c.instances, Zones: c.zones})
		if ok != c.want {
			t.Errorf("%s: struck is %t", name, ok)
		}
	}
}
