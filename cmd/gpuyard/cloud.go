package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/sim"
)

// cloudCommand looks at the embedded cloud of a local stack from outside, as a colleague with console access would.
func (a *app) cloudCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cloud",
		RunE:  group,
		Short: "Look into the embedded cloud of a local environment, or change it behind Pulumi's back",
		Long: `Look into the embedded cloud of a local environment, or change it behind Pulumi's back, to see how
` + "`refresh` and `up`" + ` deal with drift. The embedded cloud is a simulation: nothing here touches a real account.`,
	}
	cmd.AddCommand(a.cloudListCommand(), a.cloudChangeCommand(), a.cloudRemoveCommand(), a.cloudReserveCommand(), a.cloudPushImageCommand())
	return cmd
}

func (a *app) cloudListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list ENVIRONMENT", Short: "List what exists in the embedded cloud",
		Example: "  gpuyard cloud list dev",
		Args:    exactly(1, "one environment"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.inCloud(args[0], func(c *sim.Cloud) error {
				table := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
				for _, r := range c.Resources() {
					fmt.Fprintf(table, "%s\t%s\n", r.Token, r.ID)
				}
				return table.Flush()
			})
		},
	}
}

func (a *app) cloudChangeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "change ENVIRONMENT TOKEN ID PROPERTY=VALUE...", Short: "Change properties of a resource, as somebody with console access might",
		Long:    "Change properties of a resource, as somebody with console access might. A value is JSON, or a plain string.",
		Example: `  gpuyard cloud change dev aws:ec2/vpc:Vpc vpc-0123456789abcdef0 enableDnsSupport=false`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 4 {
				return exactly(4, "an environment, a token, an id and at least one PROPERTY=VALUE")(cmd, args)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			set := map[string]any{}
			for _, arg := range args[3:] {
				key, text, ok := strings.Cut(arg, "=")
				if !ok || key == "" {
					return usageError{fmt.Errorf("%q is not of the form PROPERTY=VALUE", arg)}
				}
				var value any
				if json.Unmarshal([]byte(text), &value) != nil {
					value = text
				}
				set[key] = value
			}
			return a.inCloud(args[0], func(c *sim.Cloud) error { return c.Change(args[1], args[2], set) })
		},
	}
}

func (a *app) cloudRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove ENVIRONMENT TOKEN ID", Short: "Remove a resource, as somebody with console access might",
		Example: `  gpuyard cloud remove dev aws:ec2/vpcEndpoint:VpcEndpoint vpce-0123456789abcdef0`,
		Args:    exactly(3, "an environment, a token and an id"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.inCloud(args[0], func(c *sim.Cloud) error { return c.Remove(args[1], args[2]) })
		},
	}
}

// inCloud opens the embedded cloud of a local stack for f.
func (a *app) inCloud(stack string, f func(*sim.Cloud) error) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	if err := checkName(stack); err != nil {
		return err
	}
	dir := cloudDir(root, stack)
	if !isDir(dir) {
		return usageError{fmt.Errorf("the environment %q has no embedded cloud: `gpuyard up --local %s` makes one", stack, stack)}
	}
	cat, err := a.hardware()
	if err != nil {
		return err
	}
	cloud, err := sim.NewCloud(sim.Options{Dir: dir, Catalog: cat})
	if err != nil {
		return err
	}
	if err := f(cloud); err != nil {
		_ = cloud.Close() // the first error is the one to tell
		return err
	}
	return cloud.Close()
}
