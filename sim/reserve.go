package sim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/aws"
)

// The kinds of reservations.
const (
	OnDemandReservation = aws.OnDemandReservation // which is also what none means
	CapacityBlock       = aws.CapacityBlock
)

// Reserve puts a reservation into the file of the cloud in dir, in place of one with its id, as somebody buys capacity in
// the console. An open cloud learns of it when it is opened again.
func Reserve(dir string, cat *catalog.Catalog, r Reservation) error {
	all, err := ReadReservations(dir, cat)
	if err != nil {
		return err
	}
	all = append(slices.DeleteFunc(all, func(old Reservation) bool { return old.ID == r.ID }), r)
	if err := (aws.Account{Catalog: cat, Reservations: all}).Check(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(reservationsFile{all}, "", "  ")
	if err != nil {
		panic(err) // texts, numbers and times always encode
	}
	path := filepath.Join(dir, ReservationsFile)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the embedded cloud's directory: %w", err)
	}
	if err := os.WriteFile(path+".next", append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("writing the reservations of the embedded cloud: %w", err)
	}
	if err := os.Rename(path+".next", path); err != nil {
		return fmt.Errorf("writing the reservations of the embedded cloud: %w", err)
	}
	return nil
}
