package gpunodes

import (
	"errors"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// pools are whole pools, each with a golden file of its name.
func pools() map[string]*PoolArgs {
	cpu := poolArgs("m7i.xlarge", "m6i.xlarge")
	cpu.SubnetIDs = pulumi.ToStringArray([]string{"subnet-a", "subnet-b"})
	cpu.Size = Size{Min: 2, Desired: 2, Max: 4}

	spot := poolArgs("g6.xlarge", "g6.2xlarge")
	spot.Capacity = "spot"
	spot.ImageRelease = "1.35.1-20261001"

	p5 := efaArgs("p5.48xlarge")
	p5.PlacementGroupName = pulumi.String("pool-placement")
	p5.LocalStorage, p5.RootVolumeGiB, p5.Kubelet = "raid0", 500, training()
	p5.Labels = map[string]string{"team": "vision"}
	p5.Taints = []Taint{{Key: "team", Value: "vision", Effect: "NoExecute"}}
	p5.Size = Size{Min: 0, Desired: 16, Max: 16}

	trn := efaArgs("trn1.32xlarge")
	trn.NoDefaultTaints = true

	block := efaArgs("p4d.24xlarge")
	block.Capacity, block.Reservation = "capacity_block", reservation
	block.CapacityWindow = Window{Start: "2026-12-01T12:30:00+01:00", End: "2026-12-08T11:30:00Z"}
	block.Now = "2026-11-30T10:00:00Z"
	block.Size = Size{Max: 8, Desired: 8}

	pooled := poolArgs("p5.48xlarge")
	pooled.Capacity, pooled.Reservations = "reservation", []string{reservationAt("a"), reservationAt("b")}

	gaudi := namedImage(efaArgs("dl1.24xlarge"))
	gaudi.Labels = map[string]string{"team": "vision", "node.kubernetes.io/exclude-from-external-load-balancers": "true"}

	bottle := poolArgs("g5g.xlarge")
	bottle.OS, bottle.Kubelet = "bottlerocket", Kubelet{CPUManager: "static", TopologyManager: "best-effort", Hugepages: map[string]int{"2Mi": 512}}

	mig := poolArgs("p4d.24xlarge")
	mig.GPUSharing = &GPUSharing{Kind: "mig", Profile: "1g.5gb"}

	raw := poolArgs("i4i.4xlarge")
	raw.LocalStorage, raw.NodeRepair, raw.Update = "raw", true, Update{MaxUnavailablePercentage: 25}

	timed := poolArgs("g6.xlarge")
	timed.Size = Size{Max: 8, Desired: 4}
	timed.Schedules = []Schedule{{Name: "day", Cron: "0 7 * * MON-FRI", Timezone: "Europe/Berlin", Desired: 4}, {Name: "night", Cron: "0 20 * * *"}}

	return map[string]*PoolArgs{
		"p4d-block": block, "p5-reservations": pooled, "dl1-ami": gaudi, "g5g-bottlerocket": bottle, "p4d-mig": mig, "i4i-raw": raw,
		"cpu": cpu, "g6-spot": spot, "g6-schedules": timed, "p5-efa": p5, "p6-b300-efa": efaArgs("p6-b300.48xlarge"), "g5g": poolArgs("g5g.xlarge"), "trn1-efa": trn,
	}
}

func TestNewPool(t *testing.T) {
	t.Parallel()
	for name, args := range pools() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var pool *Pool
			graph := pulumitest.Run(t, func(ctx *pulumi.Context) (err error) {
				pool, err = NewPool(ctx, "pool", args)
				return err
			}, world())
			pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, pool), "testdata/pool/"+name+".golden")
		})
	}
}

func TestNewPoolInPreview(t *testing.T) {
	t.Parallel()
	opts := world()
	opts.Preview = true
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "pool", poolArgs("m7i.xlarge"))
		return err
	}, opts)
	group := graph.Get(t, tokenNodeGroup, "pool-group").Inputs
	if id := group["launchTemplate"].ObjectValue()["id"]; !id.IsComputed() && !id.IsOutput() {
		t.Errorf("the template's id is %v in a preview, want unknown", id)
	}
}

func TestNewPoolRefuses(t *testing.T) {
	t.Parallel()
	type change func(*PoolArgs)
	for name, c := range map[string]struct {
		args   *PoolArgs
		change change
		says   string
	}{
		"no types":         {poolArgs(), nil, `instanceTypes: 0 are given: EKS takes 1 to 20`},
		"unknown type":     {poolArgs("p5.48xlrage"), nil, `unknown instance type "p5.48xlrage"; did you mean p5.48xlarge`},
		"type twice":       {poolArgs("g6.xlarge", "g6.xlarge"), nil, `g6.xlarge is given twice`},
		"two archs":        {poolArgs("m7i.xlarge", "m7g.large"), nil, `a node group has one image`},
		"two makers":       {poolArgs("g6.xlarge", "m7i.xlarge"), nil, `a node group has one image`},
		"gaudi":            {efaArgs("dl1.24xlarge"), nil, `such a pool needs a named image`},
		"no EFA":           {efaArgs("g6.xlarge"), nil, `g6.xlarge has no EFA; similar types that have one: g6.8xlarge`},
		"two plans":        {efaArgs("p5.48xlarge", "p4d.24xlarge"), nil, `one set of interfaces`},
		"roce":             {poolArgs("p5.48xlarge"), func(a *PoolArgs) { a.Fabric = "roce" }, `"roce" is for servers prepared over SSH`},
		"fabric":           {poolArgs("p5.48xlarge"), func(a *PoolArgs) { a.Fabric = "infiniband" }, `unknown fabric "infiniband"`},
		"no fabric group":  {efaArgs("p5.48xlarge"), func(a *PoolArgs) { a.FabricSecurityGroupID = nil }, `fabricSecurityGroupId: it is not given`},
		"two zones":        {efaArgs("p5.48xlarge"), func(a *PoolArgs) { a.SubnetIDs = pulumi.ToStringArray([]string{"a", "b"}) }, `subnetIds: 2 are given`},
		"no cluster":       {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.ClusterName = nil }, `clusterName: it is not given`},
		"no role":          {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.NodeRoleARN = nil }, `nodeRoleArn: it is not given`},
		"no subnets":       {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.SubnetIDs = nil }, `subnetIds: it is not given`},
		"no cluster group": {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.ClusterSecurityGroupID = nil }, `clusterSecurityGroupId: it is not given`},
		"version":          {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.KubernetesVersion = "v1.35.2" }, `"v1.35.2" is no version such as 1.35`},
		"min above max":    {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Size = Size{Min: 3, Desired: 3, Max: 2} }, `min 3, desired 3, max 2`},
		"size of nothing":  {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Size = Size{} }, `max is at least 1`},
		"small disk":       {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.RootVolumeGiB = 8 }, `20 GiB at least`},
		"reservation":      {poolArgs("p5.48xlarge"), func(a *PoolArgs) { a.Capacity = "capacity_block" }, `capacity of kind capacity_block needs the id`},
		"capacity":         {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Capacity = "free" }, `it may be on_demand, spot, reservation or capacity_block`},
		"no spot":          {efaArgs("hpc7a.96xlarge"), func(a *PoolArgs) { a.Capacity = "spot" }, `hpc7a.96xlarge cannot be had as spot`},
		"no placement":     {poolArgs("t3.large"), func(a *PoolArgs) { a.PlacementGroupName = pulumi.String("g") }, `t3.large cannot be in a cluster placement group`},
		"no disks":         {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.LocalStorage = "raw" }, `localStorage: "raw" is asked for and m7i.xlarge has no local disks`},
		"kubelet":          {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Kubelet.CPUManager = "all" }, `kubelet: the CPU manager is "all"`},
		"own label":        {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Labels = map[string]string{LabelFabric: "efa"} }, `gpuyard.dev/fabric follows from the pool`},
		"taint effect":     {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Taints = []Taint{{Key: "a", Effect: "NO_SCHEDULE"}} }, `it may be NoSchedule`},
		"taint key":        {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Taints = []Taint{{Effect: "NoSchedule"}} }, `taint 1 has no key`},
		"taint twice": {poolArgs("m7i.xlarge"), func(a *PoolArgs) {
			a.Taints = []Taint{{Key: "a", Effect: "NoSchedule"}, {Key: "a", Value: "b", Effect: "NoSchedule"}}
		}, `a with the effect NoSchedule is given twice`},
		"nothing": {nil, nil, `args: they are missing`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.change != nil {
				c.change(c.args)
			}
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := NewPool(ctx, "pool", c.args)
				return err
			}, world())
			refused(t, graph, err, `gpuyard:gpunodes:Pool "pool"`, c.says)
		})
	}
}

func TestNewPoolSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	args := efaArgs("g6.xlarge")
	args.Size.Max, args.KubernetesVersion, args.Capacity = 0, "", "reservation"
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "pool", args)
		return err
	}, world())
	refused(t, graph, err, "size:", "kubernetesVersion:", "reservation:", "g6.xlarge has no EFA")
}

func TestPoolNameFitsANodeGroup(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{
		strings.Repeat("a", maxNameLength): "", "h100_2-x": "",
		strings.Repeat("a", maxNameLength+1): "it has 37 characters",
		"-h100":                              "starts with a letter or digit",
		"h100.a":                             "may hold letters",
	} {
		_, err := planPool(name, poolArgs("m7i.xlarge"))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: got %v, want %q", name, err, says)
		}
	}
}

func TestUpdateTimeoutGrowsWithThePool(t *testing.T) {
	t.Parallel()
	for nodes, want := range map[int]string{1: "60m", 3: "60m", 16: "320m"} {
		if got := timeouts(Size{Max: nodes}).Update; got != want {
			t.Errorf("%d nodes: got %s, want %s", nodes, got, want)
		}
	}
}

func TestPoolSaysWhichReleaseItCouldNotFind(t *testing.T) {
	t.Parallel()
	opts := world()
	opts.Calls[tokenParameter] = func(resource.PropertyMap) (resource.PropertyMap, error) {
		return nil, errors.New("no such parameter")
	}
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "pool", poolArgs("g6.xlarge"))
		return err
	}, opts)
	if err == nil || !strings.Contains(err.Error(), "newest release of the image AL2023_x86_64_NVIDIA for Kubernetes 1.35") {
		t.Errorf("got %v", err)
	}
	if groups := graph.OfType(tokenNodeGroup); len(groups) > 0 {
		t.Errorf("a node group was registered: %v", groups)
	}
}

func TestEKSEffect(t *testing.T) {
	t.Parallel()
	for effect, want := range map[string]string{
		"NoSchedule": "NO_SCHEDULE", "PreferNoSchedule": "PREFER_NO_SCHEDULE", "NoExecute": "NO_EXECUTE", "no_schedule": "", "": "",
	} {
		if got, ok := eksEffect(effect); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %t", effect, got, ok)
		}
	}
}
