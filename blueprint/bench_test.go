package blueprint

import (
	"fmt"
	"strings"
	"testing"
)

// manyPools writes a blueprint of n pools, each with a profile of its own, that is legal but for its addresses.
func manyPools(n int) []byte {
	var b strings.Builder
	b.WriteString(`environment "many" {
  region          = "us-west-2"
  budget_per_hour = 100000
}

network {
  cidr  = "10.0.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 1 }
}
`)
	for i := range n {
		fmt.Fprintf(&b, `
node_profile "profile-%d" {
  extends = "training"
  sysctl  = { "vm.swappiness" = %d }
}

node_pool "pool-%d" {
  instance_types = ["c7i.large", "c6i.large"]
  zone           = "usw2-az%d"
  size           = { min = 0, desired = 0, max = 1 }
  labels         = { "gpuyard.dev/pool" = "pool-%d" }
  taints         = [{ key = "gpuyard.dev/pool", value = "pool-%d", effect = "NoSchedule" }]
  profile        = node_profile.profile-%d
  capacity { kind = "spot" }
}
`, i, i%100, i, i%3+1, i, i, i)
	}
	return []byte(b.String())
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		src := manyPools(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				model, diags := Parse(src, "many.hcl", testOptions())
				if len(model.NodePools) != n+1 {
					b.Fatal(diags.Err())
				}
				for _, d := range diags.List() {
					if d.Summary != "Too few addresses" {
						b.Fatal(diags.Err())
					}
				}
			}
		})
	}
}
