package answers

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

// ec2Type is the part of EC2's instance type description that the catalog keeps.
//
// Source: EC2 API Reference, InstanceTypeInfo.
type ec2Type struct {
	BareMetal         bool
	CurrentGeneration bool
	VCPUInfo          struct{ DefaultVCpus int } `json:"VCpuInfo"`
	MemoryInfo        size
	ProcessorInfo     struct{ SupportedArchitectures []string }
	GpuInfo           *struct{ Gpus []ec2GPU }
	NeuronInfo        *struct{ NeuronDevices []ec2Neuron }
	NetworkInfo       ec2Network
	InstanceStorage   *struct {
		NvmeSupport string
		Disks       []struct{ Count, SizeInGB int }
	} `json:"InstanceStorageInfo"`
	PlacementGroupInfo    struct{ SupportedStrategies []string }
	SupportedUsageClasses []string
}

type size struct{ SizeInMiB int }

type ec2GPU struct {
	Manufacturer, Name string
	Count              int
	GpuPartitionSize   float64
	MemoryInfo         size
}

type ec2Neuron struct {
	Name       string
	Count      int
	MemoryInfo size
}

type ec2Network struct {
	DefaultNetworkCardIndex   int
	EfaSupported              bool
	EfaInfo                   struct{ MaximumEfaInterfaces int }
	IPv4AddressesPerInterface int `json:"Ipv4AddressesPerInterface"`
	NetworkCards              []struct {
		NetworkCardIndex         int
		MaximumNetworkInterfaces int
		PeakBandwidthInGbps      float64
		InterfaceTypes           []string // older answers have none
	}
}

// makers maps EC2's manufacturer to the catalog's. A type of a manufacturer that is not here has no record: somebody has
// to decide what it means.
var makers = map[string]string{"NVIDIA": "nvidia", "AMD": "amd", "Habana": "habana"}

// record turns EC2's description into a record of the data set. What a record cannot hold is an error, never
// dropped.
func record(text []byte) (*dataset.Type, error) {
	t := &ec2Type{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("reading its description: %w", err)
	}
	r := &dataset.Type{
		VCPUs:     t.VCPUInfo.DefaultVCpus,
		MemoryMiB: t.MemoryInfo.SizeInMiB,
		BareMetal: t.BareMetal,
		Previous:  !t.CurrentGeneration,
		IPv4:      t.NetworkInfo.IPv4AddressesPerInterface,
		Placement: t.PlacementGroupInfo.SupportedStrategies,
		Usage:     t.SupportedUsageClasses,
	}
	var err error
	if r.Arch, err = arch(t.ProcessorInfo.SupportedArchitectures); err != nil {
		return nil, err
	}
	if r.Accelerator, err = accelerator(t); err != nil {
		return nil, err
	}
	if r.Cards, err = cards(&t.NetworkInfo); err != nil {
		return nil, err
	}
	r.CardsWithoutEFA = t.NetworkInfo.withoutEFA()
	r.MaxEFA = t.NetworkInfo.EfaInfo.MaximumEfaInterfaces
	if t.NetworkInfo.EfaSupported != (r.MaxEFA > 0) {
		return nil, fmt.Errorf("EfaSupported is %t with %d EFA interfaces", t.NetworkInfo.EfaSupported, r.MaxEFA)
	}
	if s := t.InstanceStorage; s != nil {
		if len(s.Disks) != 1 {
			return nil, fmt.Errorf("%d kinds of disks, want 1", len(s.Disks))
		}
		d := s.Disks[0]
		r.Disks = &dataset.Disks{Count: d.Count, SizeGB: d.SizeInGB, NVMe: s.NvmeSupport == "required" || s.NvmeSupport == "supported"}
	}
	return r, r.Check()
}

// arch picks the 64-bit architecture: older types list i386 beside it.
func arch(supported []string) (string, error) {
	for _, a := range []string{"x86_64", "arm64"} {
		if slices.Contains(supported, a) {
			return a, nil
		}
	}
	return "", fmt.Errorf("no 64-bit architecture among %q", supported)
}

// accelerator reduces the GPUs or Neuron devices of a type; EC2 has not put two kinds into one yet.
func accelerator(t *ec2Type) (*dataset.Accelerator, error) {
	var found []*dataset.Accelerator
	if t.GpuInfo != nil {
		for _, g := range t.GpuInfo.Gpus {
			maker, ok := makers[g.Manufacturer]
			if !ok {
				return nil, fmt.Errorf("unknown GPU manufacturer %q", g.Manufacturer)
			}
			a := &dataset.Accelerator{Maker: maker, Name: g.Name, Count: g.Count, MemoryMiB: g.MemoryInfo.SizeInMiB}
			if g.GpuPartitionSize != 1 {
				a.Fraction = g.GpuPartitionSize
			}
			found = append(found, a)
		}
	}
	if t.NeuronInfo != nil {
		for _, n := range t.NeuronInfo.NeuronDevices {
			found = append(found, &dataset.Accelerator{Maker: "neuron", Name: n.Name, Count: n.Count, MemoryMiB: n.MemoryInfo.SizeInMiB})
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%d kinds of accelerators, want at most 1", len(found))
}

// cards groups equal neighbours among the network cards.
func cards(n *ec2Network) (dataset.Cards, error) {
	if n.DefaultNetworkCardIndex != 0 {
		return nil, fmt.Errorf("the default network card is %d, want 0", n.DefaultNetworkCardIndex)
	}
	var groups dataset.Cards
	for i, c := range n.NetworkCards {
		if c.NetworkCardIndex != i {
			return nil, fmt.Errorf("network card %d has index %d", i, c.NetworkCardIndex)
		}
		g := dataset.CardGroup{Count: 1, Interfaces: c.MaximumNetworkInterfaces, Gbps: c.PeakBandwidthInGbps}
		if last := len(groups) - 1; last >= 0 && groups[last].Interfaces == g.Interfaces && groups[last].Gbps == g.Gbps {
			groups[last].Count++
			continue
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// withoutEFA returns the cards that EC2 says cannot carry an EFA, on a type whose other cards can.
func (n *ec2Network) withoutEFA() []int {
	var without []int
	for _, c := range n.NetworkCards {
		carries := slices.Contains(c.InterfaceTypes, "efa") || slices.Contains(c.InterfaceTypes, "efa-only")
		if n.EfaSupported && len(c.InterfaceTypes) > 0 && !carries {
			without = append(without, c.NetworkCardIndex)
		}
	}
	return without
}
