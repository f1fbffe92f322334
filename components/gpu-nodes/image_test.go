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

func TestBottlerocketAMIType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typ, want string }{
		{"m7i.xlarge", "BOTTLEROCKET_x86_64"},
		{"m7g.large", "BOTTLEROCKET_ARM_64"},
		{"p5.48xlarge", "BOTTLEROCKET_x86_64_NVIDIA"},
		{"g5g.xlarge", "BOTTLEROCKET_ARM_64_NVIDIA"},
		{"trn1.32xlarge", "BOTTLEROCKET_x86_64"},
	} {
		got, err := BottlerocketAMIType(found(t, c.typ))
		if err != nil || got != c.want {
			t.Errorf("%s: got %q and %v, want %q", c.typ, got, err, c.want)
		}
	}
	if got, err := BottlerocketAMIType(found(t, "dl1.24xlarge")); err == nil {
		t.Errorf("dl1 got %s", got)
	}
}

func TestImagesRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args   *PoolArgs
		change func(*PoolArgs)
		says   []string
	}{
		"system":       {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.OS = "ubuntu" }, []string{`os: "ubuntu" is unknown: it may be al2023 or bottlerocket`}},
		"no id":        {namedImage(poolArgs("m7i.xlarge")), func(a *PoolArgs) { a.AMI = "golden" }, []string{`ami: "golden" is no id of an image`}},
		"no bootstrap": {namedImage(poolArgs("m7i.xlarge")), func(a *PoolArgs) { a.Bootstrap = Bootstrap{} }, []string{"bootstrap.clusterEndpoint: it is not given", "bootstrap.clusterCa: it is not given", "bootstrap.serviceCidr: it is not given"}},
		"bootstrap":    {namedImage(poolArgs("m7i.xlarge")), func(a *PoolArgs) { a.AMI = "" }, []string{"bootstrap: it is for nodes of an image given as ami"}},
		"release":      {namedImage(poolArgs("m7i.xlarge")), func(a *PoolArgs) { a.ImageRelease = newestRelease }, []string{"imageRelease: it names a release of EKS's images"}},
		"bottlerocket": {namedImage(poolArgs("m7i.xlarge")), func(a *PoolArgs) { a.OS = "bottlerocket" }, []string{"ami: an image of one's own is an Amazon Linux 2023 one"}},
		"two archs":    {namedImage(poolArgs("m7i.xlarge", "m7g.large")), nil, []string{"m7i.xlarge is x86_64 but m7g.large is arm64"}},
		"update":       {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Update = Update{1, 10} }, []string{"update: maxUnavailable 1 and maxUnavailablePercentage 10 are given"}},
		"pace":         {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.Update.MaxUnavailable = 101 }, []string{"1 to 100 is legal"}},
		"former name":  {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.RenamedFrom = "-a" }, []string{`renamedFrom: "-a" may hold letters`}},
		"own name":     {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.RenamedFrom = "pool" }, []string{"renamedFrom: pool is the pool's name"}},
		"pages": {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.OS, a.Kubelet.Hugepages = "bottlerocket", map[string]int{"1Gi": 1} },
			[]string{"kubelet: huge pages of 1Gi are not reserved on Bottlerocket"}},
		"memory": {poolArgs("m7i.xlarge"), func(a *PoolArgs) { a.OS, a.Kubelet.MemoryManager = "bottlerocket", "Static" },
			[]string{"kubelet: a static memory manager needs memory set aside"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.change != nil {
				c.change(c.args)
			}
			refusal(t, c.args, c.says...)
		})
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
	for _, c := range []struct{ ami, want string }{
		{amiBottlerocketAMD64, "aws-k8s-1.35/x86_64"},
		{amiBottlerocketARM64, "aws-k8s-1.35/arm64"},
		{amiBottlerocketNVIDIAAMD64, "aws-k8s-1.35-nvidia/x86_64"},
		{amiBottlerocketNVIDIAARM64, "aws-k8s-1.35-nvidia/arm64"},
	} {
		if got, want := ReleaseParameter("1.35", c.ami), "/aws/service/bottlerocket/"+c.want+"/latest/image_version"; got != want {
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
