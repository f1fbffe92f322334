package aws

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// The kinds of reservations.
const (
	// OnDemandReservation is an On-Demand Capacity Reservation. It may have a start and an end, and usually has neither.
	OnDemandReservation = "default"
	// CapacityBlock is a Capacity Block for ML, which has both.
	CapacityBlock = "capacity-block"
)

// Reservation is capacity that was bought outside any program: a number of instances of one type in one zone. Both kinds
// are targeted: only nodes that name the reservation run in it.
// Source: EC2 User Guide, "Capacity Reservations and Capacity Blocks for ML".
type Reservation struct {
	ID           string    `json:"id"`           // cr-0123456789abcdef0
	InstanceType string    `json:"instanceType"` // p5.48xlarge
	Zone         string    `json:"zone"`         // a zone id, use2-az1: names mean nothing without an account
	Count        int       `json:"count"`
	Kind         string    `json:"kind,omitempty"` // default, which is also what none means, or capacity-block
	Start        time.Time `json:"start,omitzero"` // when it begins; zero: it has begun
	End          time.Time `json:"end,omitzero"`   // when it ends; zero: it does not
}

// IsBlock says whether r is a Capacity Block.
func (r Reservation) IsBlock() bool { return r.Kind == CapacityBlock }

var reservationID = regexp.MustCompile(`^cr-([0-9a-f]{8}|[0-9a-f]{17})$`)

// check says what is wrong with a reservation as it was written down.
func (r Reservation) check(cat *catalog.Catalog) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("the reservation %q: %s", r.ID, fmt.Sprintf(format, args...))
	}
	if !reservationID.MatchString(r.ID) {
		return wrong("its id is not cr- and 17 hexadecimal digits")
	}
	t, err := cat.Lookup(r.InstanceType)
	if err != nil {
		return wrong("%v", err)
	}
	region, ok := regionOf(cat, r.Zone)
	switch {
	case !ok:
		return wrong("%q is not a zone id such as use2-az1", r.Zone)
	case !cat.Offered(r.InstanceType, region, r.Zone):
		return wrong("%s is not offered in %s; it is in %s", r.InstanceType, r.Zone, list(cat.ZonesOf(r.InstanceType, region)))
	case r.Count < 1:
		return wrong("its count is %d, wanted at least 1", r.Count)
	case !r.End.IsZero() && !r.End.After(r.Start):
		return wrong("it ends at %s, which is not after its start", r.End.Format(time.RFC3339))
	}
	switch r.Kind {
	case "", OnDemandReservation:
		return nil
	case CapacityBlock:
		if !t.Supports(catalog.UsageCapacityBlock) {
			return wrong("%s cannot be had as a Capacity Block; it can as %v", t.Name, t.UsageClasses)
		}
		if r.Start.IsZero() || r.End.IsZero() {
			return wrong("a Capacity Block has a start and an end")
		}
		return nil
	default:
		return wrong("its kind is %q, wanted %s or %s", r.Kind, OnDemandReservation, CapacityBlock)
	}
}

// String returns r as the file of reservations has it.
func (r Reservation) String() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings, numbers and times always encode
	}
	return string(text)
}

// unbought refuses a reservation that the account has not, and says what to write down to have it.
func (a Account) unbought(r Reservation) error {
	where := "give the embedded cloud"
	if a.ReservationsFile != "" {
		where = "write, or add to the list in, " + a.ReservationsFile + ":"
	}
	return engine.Refuse("InvalidCapacityReservationId.NotFound",
		"The capacity reservation '%s' does not exist in this account. Reservations are bought outside any program: %s {\"reservations\": [%s]}", r.ID, where, r)
}
