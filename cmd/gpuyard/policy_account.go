package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/stacks"
)

// bought returns the reservations that an environment draws from, as large as it takes them to be. They are bought outside
// any program, and whether they were is not what a policy judges. Of a zone that is written by its name nobody can tell
// where it is, and so a reservation there is left out.
func bought(plan *stacks.Plan) []sim.Reservation {
	var all []sim.Reservation
	at := map[string]int{}
	for _, p := range plan.Pools {
		capacity := p.Pool.Capacity
		id := capacity.Reservation.Value
		if id == "" || !blueprint.IsZoneID(p.Pool.Zone.Value) {
			continue
		}
		if i, known := at[id]; known {
			all[i].Count += p.Pool.Size.Max.Value
			continue
		}
		r := sim.Reservation{ID: id, InstanceType: p.TypeNames()[0], Zone: p.Pool.Zone.Value, Count: p.Pool.Size.Max.Value}
		if capacity.Kind.Value == "capacity_block" {
			r.Kind = "capacity-block"
			r.Start = timeOr(capacity.Start.Value, time.Date(2020, 1, 1, 11, 30, 0, 0, time.UTC))
			r.End = timeOr(capacity.End.Value, time.Date(2099, 1, 1, 11, 30, 0, 0, time.UTC))
		}
		at[id] = len(all)
		all = append(all, r)
	}
	return all
}

func timeOr(text string, otherwise time.Time) time.Time {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t
	}
	return otherwise
}

// writeReservations puts reservations into the folder of an embedded cloud that does not exist yet.
func writeReservations(dir string, reservations []sim.Reservation) error {
	text, err := json.Marshal(map[string][]sim.Reservation{"reservations": reservations})
	if err != nil {
		return fmt.Errorf("writing the reservations: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making a folder for the embedded cloud: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, sim.ReservationsFile), text, 0o600); err != nil {
		return fmt.Errorf("writing the reservations: %w", err)
	}
	return nil
}
