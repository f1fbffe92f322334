package blueprint_test

import (
	"fmt"

	"github.com/gpuyard/gpuyard/blueprint"
)

// A blueprint that is at hand as text is parsed; one in a file is loaded with Load.
func ExampleParse() {
	const text = `
environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["us-west-2a", "us-west-2b"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
`
	b, diags := blueprint.Parse([]byte(text), "dev.hcl", blueprint.Options{})
	if err := diags.Err(); err != nil {
		fmt.Println(err)
		return
	}
	pool := b.NodePools[0]
	fmt.Println(pool.Name, pool.Types[0].VCPUs, pool.Zones(b.Network), pool.RootVolume, pool.RootVolume.IsSet())
	// Output: system 4 [us-west-2a us-west-2b] 100 false
}

// Every mistake is reported at once, with the near names and the legal values.
func ExampleDiagnostics_List() {
	const text = `
environment "dev" {
  region = "us-wset-2"
  tags   = { team = local.tema }
}

locals {
  team = "vision"
}
`
	_, diags := blueprint.Parse([]byte(text), "dev.hcl", blueprint.Options{})
	for _, d := range diags.List() {
		fmt.Printf("line %d, rule %s: %s\n", d.Subject.Start.Line, blueprint.RuleOf(d), d.Summary)
	}
	// Output:
	// line 3, rule region: Unknown region
	// line 4, rule reference: Unknown reference
}
