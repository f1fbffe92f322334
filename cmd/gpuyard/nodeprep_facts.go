package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/fleet"
)

func (a *app) nodeprepFactsCommand() *cobra.Command {
	var flags fleetFlags
	cmd := &cobra.Command{
		Use:   "facts [ENVIRONMENT]",
		Short: "Show what hosts are",
		Long: `Show what hosts are: system, kernel, accelerators, adapters, drivers, memory. JSON has everything that was found out;
with a profile, also the kernel parameters and files that the profile names.`,
		Example: `  gpuyard nodeprep facts prod
  gpuyard nodeprep facts --host root@10.0.0.11 --format json`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := a.askFleet(cmd, args, &flags, true)
			if err != nil {
				return err
			}
			if err := a.writeReport(factsReport{report}, flags.report); err != nil {
				return err
			}
			return judged(report.ExitCode(), report.Summary())
		},
	}
	flags.add(cmd, 0)
	return cmd
}

// factsReport is a report of facts. As JSON and JUnit it is that of a fleet.
type factsReport struct{ *fleet.Report }

// WriteText writes a few lines a host.
func (r factsReport) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, h := range r.Hosts {
		if h.Facts == nil {
			fmt.Fprintf(&b, "%s: %s: %s\n", h.Host, h.Status, h.Error)
			continue
		}
		fmt.Fprintf(&b, "%s\n", h.Host)
		for _, line := range describe(h.Facts) {
			fmt.Fprintf(&b, "  %-13s %s\n", line[0], line[1])
		}
	}
	fmt.Fprintln(&b, r.Summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// describe is a host in a few lines: a name and a value each.
func describe(h *facts.Host) [][2]string {
	virtual := h.Virtualization
	if virtual == "none" {
		virtual = "no virtual machine"
	}
	lines := [][2]string{
		{"system", h.OS.Name},
		{"kernel", h.Kernel.Release + " " + h.Kernel.Arch + ", next boot " + h.NextKernel()},
		{"machine", orDash(virtual) + ", Secure Boot " + orDash(string(h.SecureBoot))},
		{"memory", fmt.Sprintf("%d GiB on %d nodes, THP %s", h.Memory.TotalKiB>>20, max(1, len(h.Memory.Nodes)), orDash(h.Memory.THP.Enabled))},
		{"accelerators", devices(h)},
	}
	if n := len(h.GPUs()); n > 0 {
		lines = append(lines, [2]string{"nvidia", driver(h.NVIDIA)})
	}
	if n := len(h.Gaudis()); n > 0 {
		lines = append(lines, [2]string{"habana", driver(h.Habana)})
	}
	var rdma []string
	for _, d := range h.RDMA {
		rdma = append(rdma, d.Name)
	}
	lines = append(lines, [2]string{"rdma", orDash(strings.Join(rdma, " "))}, [2]string{"boot", h.BootID})
	for _, broken := range h.Broken {
		lines = append(lines, [2]string{"broken", broken})
	}
	return lines
}

func driver(d facts.Driver) string {
	return "loaded " + orDash(d.Loaded) + ", installed " + orDash(d.OnDisk)
}

// devices counts what a host has by kind.
func devices(h *facts.Host) string {
	var parts []string
	for _, kind := range []struct {
		name string
		n    int
	}{
		{"NVIDIA GPU", len(h.GPUs())}, {"NVSwitch", len(h.NVSwitches())}, {"Gaudi", len(h.Gaudis())},
		{"EFA", len(h.EFAs())}, {"Mellanox adapter", len(h.Mellanox())},
	} {
		if kind.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", kind.n, kind.name))
		}
	}
	return orDash(strings.Join(parts, ", "))
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
