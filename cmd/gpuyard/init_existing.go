package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/ekscluster"
	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/stacks"
	"github.com/gpuyard/gpuyard/templates"
)

// existing says to what a pool is to be added.
type existing struct {
	name, file string
	local      bool
}

func (e *existing) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.name, "from-existing", "", "add a pool to this `NAME`: an environment of the project here, or an EKS cluster")
	cmd.Flags().StringVar(&e.file, "from-file", "", "read from this `FILE` what aws eks describe-cluster, aws eks describe-nodegroup\nand aws ec2 describe-subnets answered, one after the other")
	cmd.Flags().BoolVar(&e.local, "local", false, "the environment is on the embedded cloud")
}

// fromExisting adds a pool to what exists: an environment of the project here if there is one of the name, or else an EKS
// cluster.
func (a *app) fromExisting(ctx context.Context, from existing, p choice, args []string) error {
	if root, err := a.root(); err == nil && from.file == "" {
		if _, err := stacks.BlueprintPath(filepath.Join(root, "stacks"), from.name); err == nil {
			if len(args) > 0 {
				return usageError{fmt.Errorf("%s is an environment of this project: its new pool is printed, and takes no folder", from.name)}
			}
			return a.addPool(ctx, from, p.settings)
		}
	}
	if from.local {
		return usageError{fmt.Errorf("the project here has no environment %q to be on the embedded cloud", from.name)}
	}
	if len(args) != 1 {
		return usageError{fmt.Errorf("%q is no environment of a project here. For the EKS cluster of that name, say in which folder: `gpuyard init --from-existing %s DIR`", from.name, from.name)}
	}
	cluster, err := readCluster(ctx, from, p.settings["aws:region"])
	if err != nil {
		return err
	}
	if p.template, err = templates.Lookup("component-import"); err != nil {
		return err
	}
	p.dir = args[0]
	if p.settings, err = importSettings(cluster, p); err != nil {
		return usageError{err}
	}
	return a.make(p)
}

// readCluster asks AWS about a cluster, or a file.
func readCluster(ctx context.Context, from existing, region string) (*ekscluster.Cluster, error) {
	if from.file == "" {
		cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion(region))
		if err != nil {
			return nil, fmt.Errorf("reading the configuration of AWS: %w", err)
		}
		if cfg.Region == "" {
			return nil, usageError{errors.New("in which region? Add --config aws:region=REGION")}
		}
		cluster, err := ekscluster.Describe(ctx, cfg, from.name)
		var missing *ekscluster.NoClusterError
		if errors.As(err, &missing) {
			return nil, usageError{fmt.Errorf("%w%s", err, catalog.Instead(missing.Name, missing.Known))}
		}
		return cluster, err
	}
	file, err := os.Open(from.file)
	if err != nil {
		return nil, usageError{fmt.Errorf("reading --from-file: %w", err)}
	}
	defer func() { _ = file.Close() }() // it was only read
	cluster, err := ekscluster.Read(file)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", from.file, err)}
	}
	if cluster.Name != from.name {
		return nil, usageError{fmt.Errorf("%s describes the cluster %s, and not %s", from.file, cluster.Name, from.name)}
	}
	return cluster, nil
}

// importSettings are the settings of the template component-import for a cluster. Those that were given win.
func importSettings(c *ekscluster.Cluster, p choice) (map[string]string, error) {
	given := p.settings
	p.settings = map[string]string{
		"aws:region": c.Region(), "cluster": c.Name, "kubernetes_version": c.Version, "vpc": c.Network.VPC,
		"cluster_security_group": c.Network.SecurityGroup, "node_role": c.NodeRole(),
	}
	maps.Copy(p.settings, given)
	settings := withDefaults(p)
	if settings["node_role"] == "" {
		return nil, fmt.Errorf("%s has no node group to take the role of nodes from: add --config node_role=ARN", c.Name)
	}
	maps.Copy(settings, given) // also what the template does not have, which is refused with all else
	if settings["subnet"] != "" {
		return settings, nil
	}
	var err error
	settings["subnet"], err = subnetFor(c, settings["instance_type"])
	return settings, err
}

// subnetFor chooses the subnet for a type: a private one in a zone that offers it, and one that nodes are in if it can be.
func subnetFor(c *ekscluster.Cluster, typ string) (string, error) {
	zones := catalog.Default().ZonesOf(typ, c.Region())
	var have []string
	for _, s := range c.Private() {
		if slices.Contains(zones, s.ZoneID) {
			return s.ID, nil
		}
		have = append(have, s.ID+" in "+s.ZoneID)
	}
	if len(zones) == 0 {
		return "", nil // the region does not offer it, or it is no type: that is judged with everything else
	}
	return "", fmt.Errorf("no private subnet of %s is in a zone that offers %s, which %s are: there is %s. Add a subnet there, or --config instance_type=TYPE",
		c.Network.VPC, typ, strings.Join(zones, ", "), strings.Join(have, ", "))
}

// addPool prints a node_pool block that the blueprint of an environment can take as it runs.
func (a *app) addPool(ctx context.Context, from existing, settings map[string]string) error {
	known := []string{"instance_type", "name", "nodes"}
	for name := range settings {
		if !slices.Contains(known, name) {
			return usageError{fmt.Errorf("a pool of an environment has no setting %q%s", name, catalog.Instead(name, known))}
		}
	}
	plan, err := a.plan(from.name)
	if err != nil {
		return err
	}
	running, err := a.runningPools(ctx, from)
	if err != nil {
		return err
	}
	block, err := poolBlock(plan, running, settings)
	if err != nil {
		return usageError{err}
	}
	where, err := a.locate(from.name)
	if err != nil {
		return err
	}
	if filepath.Ext(where.path) != ".hcl" {
		return usageError{fmt.Errorf("%s is in JSON, and a block to add is in HCL", where.path)}
	}
	text, err := os.ReadFile(where.path)
	if err != nil {
		return fmt.Errorf("reading the blueprint: %w", err)
	}
	variables, err := engine.StackConfig(where.root, where.name)
	if err != nil {
		return err
	}
	if err := a.judgeNew(string(text)+block, where.path, variables); err != nil {
		return err
	}
	a.say("Add this to %s; `gpuyard explain %s` then says what it comes to.\n", where.path, from.name)
	_, err = fmt.Fprint(a.out, block)
	return err
}

// runningPools are the pools that an environment has, by its outputs.
func (a *app) runningPools(ctx context.Context, from existing) ([]string, error) {
	outputs, err := a.outputsOf(ctx, from.name, targetFlags{local: from.local})
	if err != nil {
		return nil, err
	}
	pools, ok := outputs["pools"].Value.(map[string]any)
	if !ok {
		return nil, usageError{fmt.Errorf("%s has no cluster that runs: write the pool into its blueprint, and bring it up", from.name)}
	}
	var names []string
	for name := range pools {
		names = append(names, name)
	}
	return names, nil
}

// poolBlock writes a pool that an environment has room for: empty to begin with, under a name that nothing has.
func poolBlock(plan *stacks.Plan, running []string, settings map[string]string) (string, error) {
	typ := settings["instance_type"]
	if typ == "" {
		return "", errors.New("of which instance type? Add --config instance_type=TYPE")
	}
	t, err := catalog.Lookup(typ)
	if err != nil {
		return "", err
	}
	nodes, err := strconv.Atoi(cmp.Or(settings["nodes"], "0"))
	if err != nil {
		return "", fmt.Errorf("nodes is %q, and is a whole number", settings["nodes"])
	}
	for _, p := range plan.Pools {
		running = append(running, p.Pool.Name.Value)
	}
	family, _, _ := strings.Cut(typ, ".")
	name := cmp.Or(settings["name"], family)
	for i := 2; settings["name"] == "" && slices.Contains(running, name); i++ {
		name = fmt.Sprintf("%s-%d", family, i)
	}
	if slices.Contains(running, name) {
		return "", fmt.Errorf("there is a pool %q already", name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nnode_pool %q {\n  instance_types = [%q]\n", name, typ)
	if t.HasEFA() {
		fmt.Fprintf(&b, "  zone           = %q\n", zoneFor(plan, typ))
	}
	fmt.Fprintf(&b, "  size           = { min = 0, desired = %d, max = %d }\n", nodes, max(nodes, 1))
	if t.HasEFA() {
		b.WriteString("  fabric         = \"efa\"\n")
	}
	if t.Accelerator != nil {
		b.WriteString("  profile        = node_profile." + profileFor(t) + "\n")
	}
	b.WriteString("}\n")
	return b.String(), nil
}

// profileFor is the built-in profile for training on a type.
func profileFor(t *catalog.InstanceType) string {
	if t.Accelerator.Maker == catalog.MakerHabana {
		return profile.GaudiTraining
	}
	return profile.Training
}

// zoneFor chooses a zone of the network that offers a type. Of names only the account knows, and so the first is taken.
func zoneFor(plan *stacks.Plan, typ string) string {
	env, zones := plan.Blueprint.Environment, plan.Blueprint.Network.Zones
	for _, z := range zones {
		if catalog.Default().Offered(typ, env.Region.Value, z.Value) {
			return z.Value
		}
	}
	return zones[0].Value
}
