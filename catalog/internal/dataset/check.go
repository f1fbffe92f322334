package dataset

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Check returns all that is wrong with the record of a type: what holds for every type that EC2 sells.
func (t *Type) Check() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if t.Arch != "x86_64" && t.Arch != "arm64" {
		fail(`the architecture is %q, want "x86_64" or "arm64"`, t.Arch)
	}
	if t.VCPUs <= 0 || t.MemoryMiB <= 0 || len(t.Cards) == 0 || t.IPv4 <= 0 || len(t.Usage) == 0 {
		fail("the record lacks one of vcpus, memoryMiB, cards, ipv4 and usage")
	}
	for _, class := range t.Usage {
		if !slices.Contains([]string{"on-demand", "spot", "capacity-block"}, class) {
			fail("usage names %q, want on-demand, spot or capacity-block", class)
		}
	}
	if t.IPv4 == 1 {
		fail("ipv4 is 1: an interface with one address has none for pods")
	}
	cards := 0
	for _, g := range t.Cards {
		cards += g.Count
		if g.Interfaces < 1 || g.Gbps <= 0 {
			fail("cards %dx%d@%s lack interfaces or bandwidth", g.Count, g.Interfaces, number(g.Gbps))
		}
	}
	if t.MaxEFA < 0 || t.MaxEFA > cards {
		fail("maxEFA is %d with %d network cards", t.MaxEFA, cards)
	}
	if d := t.Disks; d != nil && (d.Count < 1 || d.SizeGB < 1) {
		fail("disks are %d of %d GB", d.Count, d.SizeGB)
	}
	return errors.Join(append(errs, t.Accelerator.check())...)
}

// check judges the accelerators of a type: whole devices, or a part of one.
func (a *Accelerator) check() error {
	switch {
	case a == nil:
		return nil
	case a.Maker == "" || a.Name == "" || a.MemoryMiB <= 0:
		return errors.New("accelerator lacks one of maker, name and memoryMiB")
	case a.Fraction < 0 || a.Fraction > 1:
		return fmt.Errorf("accelerator has the fraction %s, want one between 0 and 1", number(a.Fraction))
	case (a.Count > 0) != (a.Fraction == 0 || a.Fraction == 1):
		return fmt.Errorf("accelerator has %d devices with fraction %s: whole devices have no fraction, a part has no count", a.Count, number(a.Fraction))
	}
	return nil
}

// check judges the list prices of a region.
func (p *Prices) check(region string) error {
	var errs []error
	if want := Currency(region); p.Currency != want {
		errs = append(errs, fmt.Errorf("currency is %q, want %q", p.Currency, want))
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		errs = append(errs, fmt.Errorf("date is %q, want YYYY-MM-DD", p.Date))
	}
	for name, price := range p.PerHour {
		if !(price > 0) {
			errs = append(errs, fmt.Errorf("perHour has %s at %s, want more than 0", name, number(price)))
		}
	}
	return errors.Join(errs...)
}

// zoneID matches the ids of a region's own zones. Those of Local and Wavelength Zones have more parts.
// Source: EC2 User Guide, "Regions and Zones".
var zoneID = regexp.MustCompile(`^[a-z0-9]+-az[0-9]+$`)

// IsZoneID says whether text is the id of a zone of a region.
func IsZoneID(text string) bool { return zoneID.MatchString(text) }

// checkZones judges the sets of zones that offer types.
func checkZones(sets map[string]string) error {
	var errs []error
	for zones := range sets {
		if strings.TrimSpace(zones) == "" {
			errs = append(errs, errors.New("a set of zones is empty"))
		}
		for zone := range strings.FieldsSeq(zones) {
			if !IsZoneID(zone) {
				errs = append(errs, fmt.Errorf("%q is not a zone id such as usw2-az1", zone))
			}
		}
	}
	return errors.Join(errs...)
}
