// Command nodeprep measures the preparation of hosts on real OpenSSH servers, and prints ratios against references that
// are measured in the same run: the floor, which is one `ssh HOST sh` a host with the very script that a check runs, and
// Ansible with the same items as modules. It needs root and a Debian in GPUYARD_DEBIAN_ROOT; `make bench-nodeprep` has
// both.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

func main() {
	count := flag.Int("hosts", 20, "how many hosts there are")
	rounds := flag.Int("rounds", 5, "how often the quick ones are run; the median counts")
	against := flag.Bool("ansible", true, "whether Ansible is measured too, which takes minutes")
	flag.Parse()
	os.Exit(opensshtest.Main(func() int {
		if err := run(context.Background(), *count, *rounds, *against); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}))
}

// field is the hosts that are measured on.
type field struct {
	lab   *opensshtest.Lab
	dir   string
	hosts []*opensshtest.Host
}

func run(ctx context.Context, count, rounds int, against bool) (err error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	f := &field{dir: dir}
	if err := os.Mkdir(dir+"/lab", 0o755); err != nil {
		return err
	}
	if f.lab, err = opensshtest.NewLab(dir + "/lab"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.lab.Close()) }()
	for range count {
		h, err := f.lab.Start(opensshtest.Options{})
		if err != nil {
			return err
		}
		f.hosts = append(f.hosts, h)
	}
	plan, err := f.first(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d OpenSSH servers on this machine, %d items each\n", count, len(items(plan)))
	first, err := f.measured(func() error { return f.fleet(ctx, true, fleet.Changed) })
	if err != nil {
		return err
	}
	fmt.Printf("the first apply, which changes all of them: %.2f s\n", first.wall.Seconds())

	ours, floor, again, err := f.quick(ctx, rounds)
	if err != nil {
		return err
	}
	fmt.Printf("\n%-34s %9s %11s\n", "", "seconds", "processor s")
	fmt.Printf("%-34s %s\n", "gpuyard, check", ours)
	fmt.Printf("%-34s %s   the check takes %.2f times the floor, and %.2f times its processor time\n", "floor: ssh HOST sh, same script", floor,
		ratio(ours.wall, floor.wall), ratio(ours.processor, floor.processor))
	fmt.Printf("%-34s %s\n", "gpuyard, apply without a change", again)
	if !against {
		return nil
	}
	return f.ansible(ctx, items(plan), ours, again)
}

// first is the plan of a host as it is before anything was done.
func (f *field) first(ctx context.Context) (*nodeprep.Plan, error) {
	d, err := remote.NewDialer(remote.Options{KnownHosts: []string{f.lab.Known()}})
	if err != nil {
		return nil, err
	}
	defer d.Close() //nolint:errcheck // there are no bastions
	r := d.Runner(f.hosts[0].Target(opensshtest.Admin))
	defer r.Close() //nolint:errcheck // the plan is what counts
	seen, err := nodeprep.Gather(ctx, r, wanted())
	if err != nil {
		return nil, err
	}
	return nodeprep.NewPlan(wanted(), seen)
}

// quick runs what takes seconds, in turns, so that what else the machine does hits all of them.
func (f *field) quick(ctx context.Context, rounds int) (check, floor, apply cost, err error) {
	var checks, floors, applies []cost
	for range rounds {
		for _, c := range []struct {
			took *[]cost
			do   func() error
		}{
			{&checks, func() error { return f.fleet(ctx, false, fleet.Right) }},
			{&floors, func() error { return f.floor(ctx) }},
			{&applies, func() error { return f.fleet(ctx, true, fleet.Right) }},
		} {
			took, err := f.measured(c.do)
			if err != nil {
				return cost{}, cost{}, cost{}, err
			}
			*c.took = append(*c.took, took)
		}
	}
	return median(checks), median(floors), median(applies), nil
}

// fleet goes through all hosts with a new dialer, as a command does.
func (f *field) fleet(ctx context.Context, apply bool, want fleet.Status) error {
	d, err := remote.NewDialer(remote.Options{KnownHosts: []string{f.lab.Known()}})
	if err != nil {
		return err
	}
	var list []fleet.Host
	for _, h := range f.hosts {
		list = append(list, fleet.Host{Name: h.Name, Profile: wanted(), Runner: d.Runner(h.Target(opensshtest.Admin))})
	}
	report := fleet.Run(ctx, list, fleet.Options{Apply: apply, Concurrency: len(list)})
	if report.Count(want) != len(list) {
		return errors.Join(fmt.Errorf("not all hosts are %s: %s", want, report.Summary()), report.WriteText(os.Stderr))
	}
	return d.Close()
}
