package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeLocalNVMe is the type token of LocalNVMe.
const TypeLocalNVMe = "gpuyard:storage:LocalNVMe"

// What the volumes of a LocalNVMe are.
const (
	// LocalDisks: each local disk of a node is one volume, with a file system of its own.
	LocalDisks = "disks"
	// LocalRAID: a folder on the RAID that the node makes of its disks is its one volume. It shares its room with the
	// node's containers and images.
	LocalRAID = "raid0"
	// LocalEBS: the nodes have no local disks, and volumes are EBS's, over the network.
	LocalEBS = "ebs"
)

// LocalNVMeArgs describes a LocalNVMe.
type LocalNVMeArgs struct {
	// Placement is the pool whose disks hold the volumes.
	Placement Placement `pulumi:"placement"`
	// Kind is what the volumes are: disks, raid0 or ebs.
	Kind string `pulumi:"kind"`
	// DefaultClass makes its storage class the cluster's default.
	DefaultClass bool `pulumi:"defaultClass,optional"`
}

// LocalNVMe is a storage class of volumes on the local disks of a pool, named after the component. A volume is bound to the
// node that it is on, and lost with it.
type LocalNVMe struct {
	pulumi.ResourceState

	// ClassName is the name of the storage class.
	ClassName pulumi.StringOutput `pulumi:"className"`
	// Kind is what the volumes are.
	Kind pulumi.StringOutput `pulumi:"kind"`

	ready []pulumi.Resource
}

// Ready is what makes volumes: claims wait for it by pulumi.DependsOn.
func (l *LocalNVMe) Ready() []pulumi.Resource { return l.ready }

// NewLocalNVMe registers a LocalNVMe. It registers nothing when the arguments are wrong.
func NewLocalNVMe(ctx *pulumi.Context, name string, args *LocalNVMeArgs, opts ...pulumi.ResourceOption) (*LocalNVMe, error) {
	if err := checkLocalNVMe(name, args); err != nil {
		return nil, err
	}
	l := &LocalNVMe{}
	err := ctx.RegisterComponentResourceV2(TypeLocalNVMe, name, pulumi.Map{
		"placement": args.Placement.inputs(), "kind": pulumi.String(args.Kind), "defaultClass": pulumi.Bool(args.DefaultClass),
	}, l, opts...)
	if err != nil {
		return nil, err
	}
	if args.Kind == LocalEBS {
		class := ebsClass(name)
		class.isDefault = args.DefaultClass
		made, err := newStorageClass(ctx, name+"-class", class, pulumi.Parent(l))
		if err != nil {
			return nil, err
		}
		l.ready = []pulumi.Resource{made}
	} else {
		volumes := localVolumes{class: name, mode: "Filesystem", raid: args.Kind == LocalRAID, Placement: args.Placement}
		if l.ready, err = provision(ctx, name, volumes, args.DefaultClass, pulumi.Parent(l)); err != nil {
			return nil, err
		}
	}
	l.ClassName, l.Kind = pulumi.String(name).ToStringOutput(), pulumi.String(args.Kind).ToStringOutput()
	return l, ctx.RegisterResourceOutputs(l, pulumi.Map{"className": l.ClassName, "kind": l.Kind})
}

func checkLocalNVMe(name string, args *LocalNVMeArgs) error {
	c := argument.For(TypeLocalNVMe, name)
	if args == nil {
		c.Failf("args", "they are missing")
		return c.Err()
	}
	args.Placement.check(c, "placement")
	switch args.Kind {
	case LocalDisks, LocalRAID, LocalEBS:
	default:
		c.Failf("kind", "%q is unknown: it may be %s, %s or %s", args.Kind, LocalDisks, LocalRAID, LocalEBS)
	}
	return c.Err()
}
