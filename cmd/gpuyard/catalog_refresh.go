package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/catalog/answers"
	"github.com/gpuyard/gpuyard/internal/awscatalog"
	"github.com/gpuyard/gpuyard/stacks"
)

func (a *app) catalogRefreshCommand() *cobra.Command {
	var regions []string
	cmd := &cobra.Command{
		Use:   "refresh --region REGION...",
		Short: "Ask AWS for instance types, their zones and prices, and write " + stacks.CatalogFile,
		Long: `Ask AWS, with the credentials that every AWS tool takes, which instance types there are, which zones of the regions offer
them and what they cost, and write it to ` + stacks.CatalogFile + ` beside Pulumi.yaml. From then on it overrides the embedded data, for
gpuyard and for plain ` + "`pulumi up`" + `: commit it with the blueprints, or remove it to go back. The file is written anew: name every
region that the blueprints use.

The identity needs ec2:DescribeInstanceTypes and ec2:DescribeInstanceTypeOfferings. Without pricing:GetProducts the embedded
prices stay.`,
		Example: "  gpuyard catalog refresh --region us-west-2\n  AWS_PROFILE=training gpuyard catalog refresh --region us-east-2,us-west-2",
		Args:    exactly(0, "no argument: the regions are named with --region"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkRegions(regions); err != nil {
				return err
			}
			return a.refreshCatalog(cmd.Context(), slices.Compact(regions))
		},
	}
	cmd.Flags().StringSliceVar(&regions, "region", nil, "ask about this `REGION`; several are divided by commas")
	return cmd
}

// regionName is how AWS names its regions. One that is newer than the catalogue has no other mark.
var regionName = regexp.MustCompile(`^[a-z]{2,}(-[a-z]+)+-[0-9]+$`)

func checkRegions(regions []string) error {
	if len(regions) == 0 {
		return usageError{fmt.Errorf("name the regions to ask about: --region us-west-2, say")}
	}
	for _, region := range regions {
		if !regionName.MatchString(region) {
			return usageError{fmt.Errorf("%q is no region%s", region, catalog.Instead(region, catalog.Default().Regions()))}
		}
	}
	return nil
}

// refreshCatalog asks AWS and writes the file, or leaves it as it was.
func (a *app) refreshCatalog(ctx context.Context, regions []string) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	clients, err := awscatalog.Connect(ctx)
	if err != nil {
		return err
	}
	answer, err := awscatalog.Ask(ctx, clients, regions, time.Now())
	if err != nil {
		return err
	}
	text, left, err := answer.Reduce()
	if err != nil {
		return err
	}
	cat, err := catalog.Override(text)
	if err != nil {
		return fmt.Errorf("what AWS answered is no catalogue; nothing is written:\n%w", err)
	}
	path := filepath.Join(root, stacks.CatalogFile)
	if err := os.WriteFile(path+".next", text, 0o644); err != nil {
		return fmt.Errorf("writing the catalogue: %w", err)
	}
	if err := os.Rename(path+".next", path); err != nil {
		return fmt.Errorf("writing the catalogue: %w", err)
	}
	a.reportCatalog(answer, left, cat)
	return nil
}

// reportCatalog says what was written, what of it is new, and what is missing.
func (a *app) reportCatalog(answer *awscatalog.Answer, left []answers.LeftOut, cat *catalog.Catalog) {
	fmt.Fprintf(a.out, "%s: %d instance types\n", stacks.CatalogFile, len(answer.Types.Types)-len(left))
	for _, region := range slices.Sorted(maps.Keys(answer.Offerings.Regions)) {
		fmt.Fprintf(a.out, "  %s: %d types in %s; %d prices\n", region, len(answer.Offerings.Regions[region]),
			strings.Join(cat.Zones(region), ", "), len(answer.Prices.Regions[region]))
	}
	var fresh []string
	for _, t := range cat.Types() {
		if _, err := catalog.Lookup(t.Name); err != nil && t.Accelerator != nil {
			fresh = append(fresh, t.Name)
		}
	}
	if len(fresh) > 0 {
		fmt.Fprintf(a.out, "  with accelerators, and not in the embedded data: %s\n", strings.Join(fresh, ", "))
	}
	for _, region := range slices.Sorted(maps.Keys(answer.Denied)) {
		a.say("Warning: the prices of %s stay those of the embedded data: %v\n", region, answer.Denied[region])
	}
	a.warnLeftOut("left out, as the catalogue cannot hold them", left)
	for _, region := range slices.Sorted(maps.Keys(answer.Unpriced)) {
		a.warnLeftOut("without a price in "+region, answer.Unpriced[region])
	}
}

// warnLeftOut lists types, those with the same reason together.
func (a *app) warnLeftOut(what string, left []answers.LeftOut) {
	names := map[string][]string{}
	for _, l := range left {
		names[l.Why.Error()] = append(names[l.Why.Error()], l.Name)
	}
	for _, why := range slices.Sorted(maps.Keys(names)) {
		a.say("Warning: %s: %s: %s\n", what, strings.Join(names[why], ", "), why)
	}
}

// hardware is what the hardware is, for the project that the command runs in; the embedded data outside of one.
func (a *app) hardware() (*catalog.Catalog, error) {
	root, err := a.root()
	if err != nil {
		return catalog.Default(), nil
	}
	return stacks.Catalog(filepath.Join(root, "stacks"))
}
