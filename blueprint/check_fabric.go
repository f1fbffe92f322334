package blueprint

import (
	"errors"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkFabric refuses EFA on types and hosts that have none, and RoCE on EC2.
//
// Source: EC2 API, DescribeInstanceTypes, NetworkInfo.EfaInfo.
func checkFabric(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		switch {
		case p.Fabric.Value == "roce" && p.Hosts == nil:
			diags = append(diags, errorf(p.Fabric.Range, "RoCE on EC2", `EC2 has no RoCE, only pools of hosts do. Write fabric = "efa".`))
		case p.Fabric.Value == "efa" && p.Hosts != nil:
			diags = append(diags, errorf(p.Fabric.Range, "EFA on hosts", `EFA is EC2's, and this pool has hosts. Write fabric = "roce".`))
		case p.Fabric.Value == "efa":
			diags = append(diags, withoutEFA(p)...)
		}
	}
	return diags
}

func withoutEFA(p *NodePool) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, name := range p.InstanceTypes {
		t := lookupType(p, name.Value)
		if t == nil {
			continue
		}
		_, err := t.InterfacePlan(catalog.FabricEFA)
		var noEFA *catalog.NoEFAError
		switch {
		case errors.As(err, &noEFA):
			diags = append(diags, errorf(name.Range, "Instance type without EFA", "%s cannot have an EFA.%s Or write fabric = \"none\".",
				name, didYouMean("", noEFA.Near)))
		case err != nil:
			diags = append(diags, errorf(name.Range, "Instance type without EFA", "%v.", err))
		}
	}
	return diags
}
