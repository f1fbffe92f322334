package stacks

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/storage"
)

func localNVMeKind() storageKind {
	return storageKind{kind: "local_nvme", explain: explainLocalNVMe, deploy: deployLocalNVMe}
}

// localNVMeArgs maps local volumes of the blueprint to the arguments of their component.
func localNVMeArgs(p *Plan, s *blueprint.Storage) *storage.LocalNVMeArgs {
	return &storage.LocalNVMeArgs{
		Placement: placement(s.LocalNVMe.Pool.Value), Kind: s.LocalNVMe.Kind(), DefaultClass: p.Blueprint.HasDefaultClass(s),
	}
}

func deployLocalNVMe(d *storing, stores []*blueprint.Storage) error {
	for _, s := range stores {
		local, err := storage.NewLocalNVMe(d.ctx, d.name(s.Name.Value), localNVMeArgs(d.plan, s), d.providers, pulumi.DependsOn(d.nodes))
		if err != nil {
			return err
		}
		d.outputs[s.Name.Value] = pulumi.Map{"kind": pulumi.String("local_nvme"), "storageClass": local.ClassName, "volumes": local.Kind}
	}
	return nil
}

func explainLocalNVMe(p *Plan, s *blueprint.Storage) []Fact {
	var x Section
	args := localNVMeArgs(p, s)
	x.add("pool", s.LocalNVMe.Pool.Value.Name.Value, stated(s.LocalNVMe.Pool))
	x.add("storage class", environment(p)+"-"+s.Name.Value, "volumes are bound for the first pod that needs one, to its node")
	switch args.Kind {
	case storage.LocalDisks:
		x.add("volumes", "one for each local disk, xfs", "no RAID is made of the disks")
	case storage.LocalRAID:
		x.add("volumes", "one a node, a folder on its RAID", "the pool makes one RAID of its disks, which containers and images share")
	default:
		x.add("volumes", "gp3 of EBS, over the network", "the pool's types have no local disks")
	}
	x.addDefaultClass(args.DefaultClass)
	return x.Facts
}

// addDefaultClass says whether claims without a class get volumes of a store.
func (s *Section) addDefaultClass(is bool) {
	if is {
		s.add("default class", "yes", "claims that name no storage class get volumes of it")
	}
}

// environment is the environment's name.
func environment(p *Plan) string { return p.Blueprint.Environment.Name.Value }

// placement is a pool as components of storage take it.
func placement(pool *blueprint.NodePool) storage.Placement {
	return storage.Placement{Pool: pool.Name.Value, Taints: storageTaints(pool)}
}

// storageTaints are all taints of a pool's nodes: its own, and those that accelerators bring.
func storageTaints(pool *blueprint.NodePool) []storage.Taint {
	var taints []storage.Taint
	for _, t := range slices.Concat(gpunodes.DefaultTaints(pool.Types), poolTaints(pool)) {
		taints = append(taints, storage.Taint{Key: t.Key, Value: t.Value, Effect: t.Effect})
	}
	return taints
}
