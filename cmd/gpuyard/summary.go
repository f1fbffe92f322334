package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/stacks"
)

// where names what an environment is brought up on. A simulation always says that it is one.
func where(plan *stacks.Plan, local bool) string {
	if local {
		return "the embedded cloud, a simulation of " + plan.Blueprint.Environment.Region.Value
	}
	return "AWS " + plan.Blueprint.Environment.Region.Value
}

// summarize writes what a plan comes to: the pools, their interfaces, the stores, and what all pools cost.
func (a *app) summarize(plan *stacks.Plan, local bool) {
	env := plan.Blueprint.Environment
	if plan.Blueprint.Network == nil {
		fmt.Fprintf(a.out, "Environment %s on %s, without a cluster\n\n", env.Name.Value, where(plan, local))
		writeServerless(a.out, plan)
		fmt.Fprintln(a.out)
		return
	}
	fmt.Fprintf(a.out, "Environment %s on %s, Kubernetes %s\n\n", env.Name.Value, where(plan, local), env.KubernetesVersion.Value)
	writePools(a.out, plan)
	writeStores(a.out, plan)
	writeServerless(a.out, plan)
	fmt.Fprintf(a.out, "\nCost: %s\n\n", plan.Cost)
}

func writePools(out io.Writer, plan *stacks.Plan) {
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "POOL\tTYPES\tNODES\tZONES\tCAPACITY\tINTERFACES\tEACH AN HOUR")
	for _, p := range plan.Pools {
		if h := p.Pool.Hosts; h != nil {
			fmt.Fprintf(table, "%s\thosts%s\t%d\t-\tyours\t%s\t-\n", p.Pool.Name.Value, acceleratorText(p), len(h.Addresses), p.Pool.Fabric.Value)
			continue
		}
		size := p.Pool.Size
		fmt.Fprintf(table, "%s\t%s\t%s (%d-%d)\t%s\t%s\t%s\t%s\n",
			p.Pool.Name.Value, typeList(p), p.Nodes(), size.Min.Value, size.Max.Value, strings.Join(p.Zones, " "),
			strings.ReplaceAll(p.Pool.Capacity.Kind.Value, "_", "-"), p.Interfaces, priceText(p))
	}
	_ = table.Flush() // a standard stream that cannot be written to has nobody to tell
}

func typeList(p stacks.PoolPlan) string { return strings.Join(p.TypeNames(), " ") }

func priceText(p stacks.PoolPlan) string {
	if !p.Priced {
		return "not known"
	}
	text := fmt.Sprintf("%.2f %s", p.Price.PerHour, p.Price.Currency)
	if !p.Price.Exact {
		text += " (" + p.Price.Region + ")"
	}
	return text
}

// picture writes what exists after an update, from the stack's outputs.
func (a *app) picture(plan *stacks.Plan, outputs auto.OutputMap, local bool) {
	fmt.Fprintf(a.out, "\n%s on %s\n", plan.Blueprint.Environment.Name.Value, where(plan, local))
	if plan.Blueprint.Network != nil {
		a.pictureCluster(plan, outputs, local)
	}
	a.pictureServerless(plan, outputs)
}

func (a *app) pictureCluster(plan *stacks.Plan, outputs auto.OutputMap, local bool) {
	fmt.Fprintf(a.out, "├─ vpc %s  %s\n", text(outputs, "vpcId"), plan.Blueprint.Network.CIDR.Value)
	fmt.Fprintf(a.out, "│  ├─ public   %s\n", text(outputs, "publicSubnetIds"))
	fmt.Fprintf(a.out, "│  └─ private  %s\n", text(outputs, "privateSubnetIds"))
	for _, line := range storesText(outputs) {
		fmt.Fprintf(a.out, "├─ %s\n", line)
	}
	fmt.Fprintf(a.out, "└─ cluster %s  %s\n", text(outputs, "clusterName"), text(outputs, "clusterEndpoint"))
	pools, _ := outputs["pools"].Value.(map[string]any)
	for i, p := range plan.Pools {
		branch, line := "├─", "│"
		if i == len(plan.Pools)-1 {
			branch, line = "└─", " "
		}
		if p.Pool.Hosts != nil {
			a.hostsPicture(p, branch, line, local)
			continue
		}
		made, _ := pools[p.Pool.Name.Value].(map[string]any)
		fmt.Fprintf(a.out, "   %s pool %s  %s × %s%s\n", branch, p.Pool.Name.Value, p.Nodes(), typeList(p), acceleratorText(p))
		fmt.Fprintf(a.out, "   %s  node group %v, template %v, image %v\n", line, made["nodeGroupName"], made["launchTemplateId"], made["imageRelease"])
		fmt.Fprintf(a.out, "   %s  interfaces: %s\n", line, p.Interfaces)
	}
	fmt.Fprintln(a.out, "\nThe kubeconfig is a secret output of the stack, and is not printed here.")
}

// hostsPicture writes a pool of servers. Simulated ones are in folders, and not at their addresses.
func (a *app) hostsPicture(p stacks.PoolPlan, branch, line string, local bool) {
	fmt.Fprintf(a.out, "   %s pool %s  %d hosts%s\n", branch, p.Pool.Name.Value, len(p.Pool.Hosts.Addresses), acceleratorText(p))
	for _, address := range p.Pool.Hosts.Addresses {
		where := "prepared over SSH"
		if local {
			where = "simulated: a folder in this project, and not the machine at this address"
		}
		fmt.Fprintf(a.out, "   %s  %s, %s\n", line, address.Value, where)
	}
}

func acceleratorText(p stacks.PoolPlan) string {
	acc := p.Node().Accelerator
	if acc == nil {
		return ""
	}
	return "  " + acceleratorOf(acc)
}

func acceleratorOf(acc *catalog.Accelerator) string {
	if acc.Fraction < 1 {
		return fmt.Sprintf("(%g of one %s %s)", acc.Fraction, makerName(acc.Maker), acc.Name)
	}
	return fmt.Sprintf("(%d × %s %s)", acc.Count, makerName(acc.Maker), acc.Name)
}

func makerName(m catalog.Maker) string {
	names := map[catalog.Maker]string{
		catalog.MakerNVIDIA: "NVIDIA", catalog.MakerHabana: "Habana", catalog.MakerNeuron: "AWS", catalog.MakerAMD: "AMD",
	}
	return cmp.Or(names[m], string(m))
}

func text(outputs auto.OutputMap, name string) string {
	switch v := outputs[name].Value.(type) {
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, fmt.Sprint(e))
		}
		return strings.Join(parts, " ")
	case nil:
		return "-"
	default:
		return fmt.Sprint(v)
	}
}
