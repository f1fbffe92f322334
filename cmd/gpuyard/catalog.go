package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/catalog"
)

func (a *app) catalogCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "catalog", Short: "Ask what is known of the hardware", RunE: group}
	cmd.AddCommand(a.catalogShowCommand(), a.catalogRefreshCommand())
	return cmd
}

func (a *app) catalogShowCommand() *cobra.Command {
	var region string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show TYPE",
		Short:   "Show an EC2 instance type: accelerators, cards, EFA interfaces, zones, price",
		Example: "  gpuyard catalog show p5.48xlarge\n  gpuyard catalog show --region eu-north-1 g6e.48xlarge",
		Args:    exactly(1, "one instance type"),
		RunE: func(_ *cobra.Command, args []string) error {
			cat, err := a.hardware()
			if err != nil {
				return err
			}
			t, err := cat.Lookup(args[0])
			if err != nil {
				return usageError{err}
			}
			if asJSON {
				enc := json.NewEncoder(a.out)
				enc.SetIndent("", "  ")
				return enc.Encode(t)
			}
			return a.showType(cat, t, region)
		},
	}
	cmd.Flags().StringVar(&region, "region", "", "show zones and price of this region only")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the type as JSON")
	return cmd
}

func (a *app) showType(cat *catalog.Catalog, t *catalog.InstanceType, region string) error {
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	row("type", "%s", t.Name)
	row("processor", "%d vCPUs, %s, %d GiB memory", t.VCPUs, t.Arch, t.MemoryMiB/1024)
	if t.Accelerator == nil {
		row("accelerators", "none")
	} else {
		row("accelerators", "%s, %d GiB each", strings.Trim(acceleratorOf(t.Accelerator), "()"), t.Accelerator.MemoryMiB/1024)
		row("MIG profiles", "%s", migText(t.Accelerator))
	}
	if t.Disks != nil {
		row("local disks", "%d × %d GB", t.Disks.Count, t.Disks.SizeGB)
	}
	row("network cards", "%d", len(t.Cards))
	var usage []string
	for _, u := range t.UsageClasses {
		usage = append(usage, string(u))
	}
	row("sold as", "%s", strings.Join(usage, ", "))
	if err := interfaceRows(t, row); err != nil {
		return err
	}
	offeringRows(cat, t, region, row)
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

func migText(acc *catalog.Accelerator) string {
	var parts []string
	for _, p := range acc.MIGProfiles() {
		parts = append(parts, fmt.Sprintf("%s (%d)", p.Name, p.PerGPU))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// interfaceRows shows the interfaces of a node without and with EFA. A type without EFA has only the first.
func interfaceRows(t *catalog.InstanceType, row func(string, string, ...any)) error {
	for _, fabric := range []catalog.Fabric{catalog.FabricNone, catalog.FabricEFA} {
		plan, err := t.InterfacePlan(fabric)
		var noEFA *catalog.NoEFAError
		switch {
		case errors.As(err, &noEFA):
			row("fabric efa", "not possible: %v", err)
		case err != nil:
			return err
		default:
			row("fabric "+string(fabric), "%s; %d pods a node", plan, t.MaxPods(plan))
		}
	}
	return nil
}

func offeringRows(cat *catalog.Catalog, t *catalog.InstanceType, region string, row func(string, string, ...any)) {
	regions := []string{region}
	if region == "" {
		regions = cat.RegionsOf(t.Name)
	}
	for _, r := range regions {
		price := "price not known"
		if p, ok := cat.Price(t.Name, r); ok && p.Exact {
			price = fmt.Sprintf("%.4f %s an hour (list price of %s)", p.PerHour, p.Currency, p.Date)
		} else if ok && region != "" {
			price = fmt.Sprintf("price not known here; %.4f %s an hour in %s", p.PerHour, p.Currency, p.Region)
		}
		zones := strings.Join(cat.ZonesOf(t.Name, r), " ")
		if zones == "" {
			zones = "not offered, or not known"
		}
		row(r, "%s; %s", zones, price)
	}
}
