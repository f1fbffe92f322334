package catalog

import (
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

// Arch is a processor architecture in EC2's words.
type Arch string

// The architectures.
const (
	ArchAMD64 Arch = "x86_64"
	ArchARM64 Arch = "arm64"
)

// Maker is who makes an accelerator, which decides its drivers, image and device plugin.
type Maker string

// The makers. FPGA and video transcoding types (f2, vt1) have no accelerator here: they train nothing.
const (
	MakerNVIDIA   Maker = "nvidia"
	MakerAMD      Maker = "amd"
	MakerHabana   Maker = "habana" // Intel Gaudi
	MakerNeuron   Maker = "neuron" // AWS Inferentia and Trainium
	MakerQualcomm Maker = "qualcomm"
)

// UsageClass is a way to buy an instance, in EC2's words.
type UsageClass string

// The usage classes.
const (
	UsageOnDemand      UsageClass = "on-demand"
	UsageSpot          UsageClass = "spot"
	UsageCapacityBlock UsageClass = "capacity-block"
)

// InstanceType is one EC2 instance type.
//
// Source, unless a field says otherwise: EC2 API, DescribeInstanceTypes.
type InstanceType struct {
	Name      string
	Arch      Arch
	VCPUs     int
	MemoryMiB int
	BareMetal bool
	// CurrentGeneration is false for types that AWS has superseded.
	CurrentGeneration bool
	// Accelerator is nil for types that have none.
	Accelerator *Accelerator
	// Cards are the network cards by index; there is always a card 0.
	Cards []NetworkCard
	// MaxEFA is how many EFAs EC2 attaches at most. It is no property of the cards: p6-b300 has 17 cards and 16 EFAs.
	MaxEFA int
	// IPv4PerInterface is how many IPv4 addresses an interface holds, its primary one included.
	IPv4PerInterface int
	// Disks is the instance store, nil for types that have none.
	Disks *InstanceStore
	// Placement lists the placement group strategies that the type supports.
	Placement []string
	// UsageClasses lists how the type can be bought.
	UsageClasses []UsageClass

	catalog *Catalog // where near types are looked for
}

// Accelerator describes the accelerators of an instance type, which are all alike.
type Accelerator struct {
	Maker Maker
	// Name is EC2's, such as "H100", "Gaudi HL-205" or "Trainium2".
	Name string
	// Count is the number of whole devices, 0 where the type has a part of one.
	Count int
	// MemoryMiB is the memory of each device, or of the part.
	MemoryMiB int
	// Fraction is the share of a device that the type has: 1 for whole devices, 0.125 for an eighth.
	Fraction float64
}

// NetworkCard is one network card of an instance type.
type NetworkCard struct {
	Index int
	// MaxInterfaces is how many interfaces the card holds: device indexes run below it.
	MaxInterfaces int
	// BandwidthGbps is the peak bandwidth of the card.
	BandwidthGbps float64
	// EFA says whether the card can carry an EFA. Every card of an EFA type can, but for those that additions.json
	// names with their source.
	EFA bool
}

// InstanceStore describes the local disks of an instance type, which are all alike.
type InstanceStore struct {
	Count int
	// SizeGB is the size of each disk.
	SizeGB int
	NVMe   bool
}

// Supports says whether the type can be bought as class.
func (t *InstanceType) Supports(class UsageClass) bool {
	return slices.Contains(t.UsageClasses, class)
}

// SupportsPlacement says whether the type can join a placement group of the strategy: cluster, partition or spread.
func (t *InstanceType) SupportsPlacement(strategy string) bool {
	return slices.Contains(t.Placement, strategy)
}

// HasEFA says whether the type can have an EFA.
func (t *InstanceType) HasEFA() bool { return t.MaxEFA > 0 }

// family is the part of the name before the dot: "p5en" of "p5en.48xlarge".
func (t *InstanceType) family() string {
	family, _, _ := strings.Cut(t.Name, ".")
	return family
}

// newInstanceType builds a type from its record, which it judges: an addition may have left something out.
func newInstanceType(name string, r *dataset.Type) (*InstanceType, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	t := &InstanceType{
		Name: name, Arch: Arch(r.Arch), VCPUs: r.VCPUs, MemoryMiB: r.MemoryMiB,
		BareMetal: r.BareMetal, CurrentGeneration: !r.Previous,
		MaxEFA: r.MaxEFA, IPv4PerInterface: r.IPv4, Placement: r.Placement,
	}
	for _, group := range r.Cards {
		for range group.Count {
			index := len(t.Cards)
			efa := r.MaxEFA > 0 && !slices.Contains(r.CardsWithoutEFA, index)
			t.Cards = append(t.Cards, NetworkCard{Index: index, MaxInterfaces: group.Interfaces, BandwidthGbps: group.Gbps, EFA: efa})
		}
	}
	for _, class := range r.Usage {
		t.UsageClasses = append(t.UsageClasses, UsageClass(class))
	}
	if a := r.Accelerator; a != nil {
		t.Accelerator = &Accelerator{Maker: Maker(a.Maker), Name: a.Name, Count: a.Count, MemoryMiB: a.MemoryMiB, Fraction: a.Fraction}
		if a.Fraction == 0 {
			t.Accelerator.Fraction = 1
		}
	}
	if d := r.Disks; d != nil {
		t.Disks = &InstanceStore{Count: d.Count, SizeGB: d.SizeGB, NVMe: d.NVMe}
	}
	return t, nil
}
