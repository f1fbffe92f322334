package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/aws"
)

// Reservation is capacity that was bought outside any program: an On-Demand Capacity Reservation or a Capacity Block.
type Reservation = aws.Reservation

// Quota is how much of something an account may have.
type Quota = aws.Quota

// Quotas returns every quota that the embedded cloud enforces, with the limits that an account has unless Options says
// otherwise.
func Quotas() []Quota { return aws.Quotas() }

// ReservationsFile is the name of the file, in the cloud's directory, that lists what reservations the account has.
const ReservationsFile = "reservations.json"

// reservationsFile is the form of the file.
type reservationsFile struct {
	Reservations []Reservation `json:"reservations"`
}

// ReadReservations reads the reservations of the cloud in dir, which are for what the catalog offers; nil is the default
// one. Without the file there are none.
func ReadReservations(dir string, cat *catalog.Catalog) ([]Reservation, error) {
	path := filepath.Join(dir, ReservationsFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the reservations of the embedded cloud: %w", err)
	}
	var file reservationsFile
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("%s: wanted {\"reservations\": [{\"id\": …, \"instanceType\": …, \"zone\": …, \"count\": …}]}: %w", path, err)
	}
	if err := (aws.Account{Catalog: cat, Reservations: file.Reservations}).Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file.Reservations, nil
}

// accountOf returns the account of a cloud.
func accountOf(opts Options) (aws.Account, error) {
	bought, err := ReadReservations(opts.Dir, opts.Catalog)
	if err != nil {
		return aws.Account{}, err
	}
	account := aws.Account{
		Catalog: opts.Catalog, Reservations: slices.Concat(bought, opts.Reservations), Quotas: opts.Quotas,
		ReservationsFile: filepath.Join(opts.Dir, ReservationsFile),
	}
	return account, account.Check()
}
