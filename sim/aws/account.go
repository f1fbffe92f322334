package aws

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// Account is what differs from one AWS account to another. The zero Account has bought nothing and has the usual quotas.
type Account struct {
	// Catalog is what AWS offers; nil means catalog.Default.
	Catalog *catalog.Catalog
	// Reservations are the capacity reservations and Capacity Blocks that were bought outside any program.
	Reservations []Reservation
	// ReservationsFile is where refusals say that a missing reservation is to be written; empty: they name no file.
	ReservationsFile string
	// Quotas are limits that differ from those of Quotas, by key.
	Quotas map[string]int
}

// offers is what AWS offers.
func (a Account) offers() *catalog.Catalog { return cmp.Or(a.Catalog, catalog.Default()) }

// Check returns an error that says what is wrong with an account.
func (a Account) Check() error {
	for _, key := range slices.Sorted(maps.Keys(a.Quotas)) {
		if _, ok := findQuota(key); !ok {
			return fmt.Errorf("the embedded cloud has no quota %q; did you mean %s?", key, nearOrAll(key, quotaKeys()))
		}
		if a.Quotas[key] < 0 {
			return fmt.Errorf("the quota %s is %d: it cannot be less than 0", key, a.Quotas[key])
		}
	}
	seen := map[string]bool{}
	for _, r := range a.Reservations {
		if err := r.check(a.offers()); err != nil {
			return err
		}
		if seen[r.ID] {
			return fmt.Errorf("the reservation %s is there twice", r.ID)
		}
		seen[r.ID] = true
	}
	return nil
}

// limit returns how much of something the account may have.
func (a Account) limit(key string) int {
	if n, ok := a.Quotas[key]; ok {
		return n
	}
	q, ok := findQuota(key)
	if !ok {
		panic("aws: no quota " + key)
	}
	return q.Limit
}

// reservation returns the account's reservation with an id.
func (a Account) reservation(id string) (Reservation, bool) {
	i := slices.IndexFunc(a.Reservations, func(r Reservation) bool { return r.ID == id })
	if i < 0 {
		return Reservation{}, false
	}
	return a.Reservations[i], true
}

// regionOf returns the region of a zone id.
func regionOf(cat *catalog.Catalog, zoneID string) (string, bool) {
	for _, region := range cat.Regions() {
		if slices.Contains(cat.Zones(region), zoneID) {
			return region, true
		}
	}
	return "", false
}

// quotaKeys returns the keys of all quotas.
func quotaKeys() []string {
	var keys []string
	for _, q := range Quotas() {
		keys = append(keys, q.Key)
	}
	return keys
}

func findQuota(key string) (Quota, bool) {
	i := slices.IndexFunc(Quotas(), func(q Quota) bool { return q.Key == key })
	if i < 0 {
		return Quota{}, false
	}
	return Quotas()[i], true
}

// family returns the part of an instance type's name before the dot.
func family(instanceType string) string {
	f, _, _ := strings.Cut(instanceType, ".")
	return f
}
