package catalog_test

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

func Example() {
	t, err := catalog.Lookup("p5.48xlarge")
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := t.InterfacePlan(catalog.FabricEFA)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d × %s, %s\n", t.Accelerator.Count, t.Accelerator.Name, plan)
	fmt.Printf("%d pods, %d huge pages\n", t.MaxPods(plan), catalog.Hugepages2Mi(plan))
	fmt.Println(catalog.Default().RegionsOf("dl1.24xlarge"))
	// Output:
	// 8 × H100, 1 ENA (0/0) + 32 efa-only (0/1, 1-31/0)
	// 51 pods, 5128 huge pages
	// [us-east-1 us-west-2]
}

func ExampleLookup_unknown() {
	_, err := catalog.Lookup("p5n.48xlarge")
	fmt.Println(err)
	// Output: unknown instance type "p5n.48xlarge"; did you mean p5en.48xlarge, p5.48xlarge or p5e.48xlarge?
}

func ExampleInstanceType_InterfacePlan_noEFA() {
	t, err := catalog.Lookup("g6.xlarge")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = t.InterfacePlan(catalog.FabricEFA)
	fmt.Println(err)
	// Output: g6.xlarge has no EFA; similar types that have one: g6.8xlarge, g6.12xlarge, g6.16xlarge
}

func ExampleCatalog_Price() {
	price, ok := catalog.Default().Price("g6.xlarge", "eu-west-1")
	fmt.Println(price.PerHour, price.Currency, price.Region, price.Exact, ok)
	// Output: 0.8048 USD us-east-1 false true
}

func ExampleAccelerator_MIGProfiles() {
	t, err := catalog.Lookup("p4d.24xlarge")
	if err != nil {
		fmt.Println(err)
		return
	}
	var names []string
	for _, p := range t.Accelerator.MIGProfiles() {
		names = append(names, fmt.Sprintf("%d×%s", p.PerGPU, p.Name))
	}
	fmt.Println(strings.Join(names, " "))
	// Output: 7×1g.5gb 4×1g.10gb 3×2g.10gb 2×3g.20gb 1×4g.20gb 1×7g.40gb
}
