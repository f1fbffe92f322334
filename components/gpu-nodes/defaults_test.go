package gpunodes

import (
	"maps"
	"reflect"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
)

func TestDefaultTaints(t *testing.T) {
	t.Parallel()
	gpu := Taint{Key: "nvidia.com/gpu", Value: "present", Effect: "NoSchedule"}
	for _, c := range []struct {
		types []string
		want  []Taint
	}{
		{[]string{"m7i.xlarge"}, nil},
		{[]string{"g6.xlarge", "g6.2xlarge"}, []Taint{gpu}},
		{[]string{"dl1.24xlarge"}, []Taint{{Key: "habana.ai/gaudi", Value: "present", Effect: "NoSchedule"}}},
		{[]string{"trn1.32xlarge"}, []Taint{{Key: "aws.amazon.com/neuron", Value: "present", Effect: "NoSchedule"}}},
	} {
		if got := DefaultTaints(types(t, c.types...)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.types, got, c.want)
		}
	}
}

func TestMergeTaints(t *testing.T) {
	t.Parallel()
	gpu := Taint{Key: "nvidia.com/gpu", Value: "present", Effect: "NoSchedule"}
	mine := Taint{Key: "nvidia.com/gpu", Value: "h100", Effect: "NoSchedule"}
	other := Taint{Key: "nvidia.com/gpu", Effect: "NoExecute"}
	got := mergeTaints([]Taint{gpu}, []Taint{mine, other})
	if want := []Taint{mine, other}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got = mergeTaints([]Taint{gpu}, []Taint{other})
	if want := []Taint{gpu, other}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDefaultLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		types  []string
		fabric catalog.Fabric
		want   map[string]string
	}{
		{nil, catalog.FabricNone, map[string]string{LabelPool: "x", LabelFabric: "none"}},
		{[]string{"m7i.xlarge"}, catalog.FabricNone, map[string]string{LabelPool: "x", LabelFabric: "none"}},
		{[]string{"p5.48xlarge"}, catalog.FabricEFA, map[string]string{
			LabelPool: "x", LabelFabric: "efa", LabelAccelerator: "h100", LabelAcceleratorCount: "8", labelGPUPresent: "true",
		}},
		{[]string{"g6.xlarge", "g5.12xlarge"}, catalog.FabricNone, map[string]string{
			LabelPool: "x", LabelFabric: "none", labelGPUPresent: "true",
		}},
		{[]string{"g6.xlarge", "g6.12xlarge"}, catalog.FabricNone, map[string]string{
			LabelPool: "x", LabelFabric: "none", LabelAccelerator: "l4", labelGPUPresent: "true",
		}},
		{[]string{"g7e.2xlarge"}, catalog.FabricNone, map[string]string{
			LabelPool: "x", LabelFabric: "none", LabelAccelerator: "rtx-pro-server-6000", LabelAcceleratorCount: "1", labelGPUPresent: "true",
		}},
		{[]string{"trn1.32xlarge"}, catalog.FabricEFA, map[string]string{
			LabelPool: "x", LabelFabric: "efa", LabelAccelerator: "trainium", LabelAcceleratorCount: "16",
		}},
		{[]string{"dl1.24xlarge"}, catalog.FabricNone, map[string]string{
			LabelPool: "x", LabelFabric: "none", LabelAccelerator: "gaudi", LabelAcceleratorCount: "8",
		}},
	} {
		if got := DefaultLabels("x", types(t, c.types...), c.fabric); !maps.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.types, got, c.want)
		}
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		types     []string
		fabric    catalog.Fabric
		hugepages map[string]int
		want      map[string]string
	}{
		{[]string{"m7i.xlarge"}, catalog.FabricNone, nil, map[string]string{}},
		{[]string{"p5.48xlarge"}, catalog.FabricEFA, nil, map[string]string{
			"nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "10256Mi",
		}},
		{[]string{"p5.48xlarge"}, catalog.FabricNone, nil, map[string]string{"nvidia.com/gpu": "8"}},
		{[]string{"p5.48xlarge"}, catalog.FabricEFA, map[string]int{"2Mi": 6000, "1Gi": 4}, map[string]string{
			"nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "12000Mi", "hugepages-1Gi": "4Gi",
		}},
		{[]string{"g6.12xlarge", "g6.xlarge"}, catalog.FabricNone, nil, map[string]string{"nvidia.com/gpu": "1"}},
		{[]string{"inf1.24xlarge"}, catalog.FabricNone, nil, map[string]string{"aws.amazon.com/neuron": "16", "aws.amazon.com/neuroncore": "64"}},
		{[]string{"inf2.48xlarge", "inf2.xlarge"}, catalog.FabricNone, nil, map[string]string{"aws.amazon.com/neuron": "1", "aws.amazon.com/neuroncore": "2"}},
		{[]string{"trn2.48xlarge"}, catalog.FabricNone, nil, map[string]string{"aws.amazon.com/neuron": "16", "aws.amazon.com/neuroncore": "64"}},
		{[]string{"dl1.24xlarge"}, catalog.FabricNone, nil, map[string]string{"habana.ai/gaudi": "8"}},
		{[]string{"g6f.large"}, catalog.FabricNone, nil, map[string]string{"nvidia.com/gpu": "1"}},
		{[]string{"trn1.32xlarge"}, catalog.FabricEFA, nil, map[string]string{
			"aws.amazon.com/neuron": "16", "aws.amazon.com/neuroncore": "32", "vpc.amazonaws.com/efa": "8", "hugepages-2Mi": "10256Mi",
		}},
	} {
		s := nodeSpec(t, c.fabric, c.types...)
		if got := Resources(s.Types, s.Plan, c.hugepages); !maps.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.types, got, c.want)
		}
	}
}

// types returns instance types, or fails the test.
func types(t *testing.T, names ...string) []*catalog.InstanceType {
	t.Helper()
	var list []*catalog.InstanceType
	for _, name := range names {
		list = append(list, found(t, name))
	}
	return list
}
