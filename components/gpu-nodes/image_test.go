package gpunodes

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
)

func TestAMIType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typ, want string }{
		{"m7i.xlarge", "AL2023_x86_64_STANDARD"},
		{"m7g.large", "AL2023_ARM_64_STANDARD"},
		{"p5.48xlarge", "AL2023_x86_64_NVIDIA"},
		{"g6f.large", "AL2023_x86_64_NVIDIA"},
		{"g5g.xlarge", "AL2023_ARM_64_NVIDIA"},
		{"trn1.32xlarge", "AL2023_x86_64_NEURON"},
		{"inf2.xlarge", "AL2023_x86_64_NEURON"},
	} {
		got, err := AMIType(found(t, c.typ))
		if err != nil || got != c.want {
			t.Errorf("%s: got %q and %v, want %q", c.typ, got, err, c.want)
		}
	}
}

func TestNoImageForOtherAccelerators(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typ, says string }{
		{"dl1.24xlarge", "dl1.24xlarge has Gaudi HL-205 accelerators"},
		{"g4ad.xlarge", "g4ad.xlarge has Radeon Pro V520 accelerators"},
	} {
		got, err := AMIType(found(t, c.typ))
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "named image") {
			t.Errorf("%s: got %q and %v, want an error that says %q and what would do", c.typ, got, err, c.says)
		}
	}
}

func TestPoolHasOneImage(t *testing.T) {
	t.Parallel()
	_, err := poolAMIType(osAL2023, []*catalog.InstanceType{found(t, "m7i.xlarge"), found(t, "m7g.large")})
	if err == nil || !strings.Contains(err.Error(), "m7i.xlarge takes the image AL2023_x86_64_STANDARD but m7g.large takes AL2023_ARM_64_STANDARD") {
		t.Errorf("got %v", err)
	}
	got, err := poolAMIType(osAL2023, []*catalog.InstanceType{found(t, "g6.xlarge"), found(t, "g5.xlarge")})
	if err != nil || got != "AL2023_x86_64_NVIDIA" {
		t.Errorf("got %q and %v", got, err)
	}
}

func TestReleaseParameter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ami, want string }{
		{amiStandardAMD64, "x86_64/standard"},
		{amiStandardARM64, "arm64/standard"},
		{amiNVIDIAAMD64, "x86_64/nvidia"},
		{amiNVIDIAARM64, "arm64/nvidia"},
		{amiNeuronAMD64, "x86_64/neuron"},
	} {
		want := "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/" + c.want + "/recommended/release_version"
		if got := ReleaseParameter("1.35", c.ami); got != want {
			t.Errorf("%s: got %s, want %s", c.ami, got, want)
		}
	}
}

func TestReleaseParameterOfUnknownImagePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("it did not panic")
		}
	}()
	ReleaseParameter("1.35", "CUSTOM")
}
