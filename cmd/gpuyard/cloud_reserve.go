package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/sim"
)

func (a *app) cloudReserveCommand() *cobra.Command {
	var start, end string
	var block bool
	cmd := &cobra.Command{
		Use: "reserve ENVIRONMENT ID TYPE ZONE COUNT", Short: "Buy reserved capacity, as somebody with console access does",
		Long: `Buy reserved capacity in the embedded cloud, as somebody with console access does: COUNT instances of a TYPE in a ZONE,
which is named by its id. One with the same ID is replaced. The environment need not be there yet.`,
		Example: `  gpuyard cloud reserve dev cr-0123456789abcdef0 p4d.24xlarge usw2-az2 4
  gpuyard cloud reserve prod cr-0123456789abcdef0 p5.48xlarge use2-az1 16 --block --start 2026-12-01T11:30:00Z --end 2026-12-15T11:30:00Z`,
		Args: exactly(5, "an environment, an id, an instance type, a zone id and how many"),
		RunE: func(_ *cobra.Command, args []string) error {
			r := sim.Reservation{ID: args[1], InstanceType: args[2], Zone: args[3]}
			if block {
				r.Kind = sim.CapacityBlock
			}
			var err error
			if r.Count, err = strconv.Atoi(args[4]); err != nil {
				return usageError{fmt.Errorf("%q is not a number of instances", args[4])}
			}
			if r.Start, err = timeFlag("start", start); err != nil {
				return err
			}
			if r.End, err = timeFlag("end", end); err != nil {
				return err
			}
			return a.reserve(args[0], r)
		},
	}
	cmd.Flags().BoolVar(&block, "block", false, "a Capacity Block, which has a start and an end, and not an On-Demand Capacity Reservation")
	cmd.Flags().StringVar(&start, "start", "", "when it begins, such as 2026-12-01T11:30:00Z")
	cmd.Flags().StringVar(&end, "end", "", "when it ends")
	return cmd
}

func timeFlag(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, usageError{fmt.Errorf("--%s is %q; wanted a time such as 2026-12-01T11:30:00Z", name, text)}
	}
	return t, nil
}

func (a *app) reserve(stack string, r sim.Reservation) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	if err := checkName(stack); err != nil {
		return err
	}
	cat, err := a.hardware()
	if err != nil {
		return err
	}
	if err := sim.Reserve(cloudDir(root, stack), cat, r); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s: %d × %s in %s, in the embedded cloud of %s\n", r.ID, r.Count, r.InstanceType, r.Zone, stack)
	return nil
}
