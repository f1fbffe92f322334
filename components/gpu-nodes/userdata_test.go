package gpunodes

import (
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"gopkg.in/yaml.v3"
)

// nodeSpec returns the specification of a pool of some types.
func nodeSpec(t *testing.T, fabric catalog.Fabric, names ...string) NodeSpec {
	t.Helper()
	var s NodeSpec
	for _, name := range names {
		s.Types = append(s.Types, found(t, name))
	}
	var err error
	if s.Plan, err = poolInterfaces(s.Types, fabric); err != nil {
		t.Fatal(err)
	}
	return s
}

// training is what a profile for training asks of kubelet.
func training() Kubelet {
	return Kubelet{CPUManager: "static", TopologyManager: "single-numa-node", MemoryManager: "static", Hugepages: map[string]int{"2Mi": 5128}}
}

func TestUserData(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func() NodeSpec{
		"g6": func() NodeSpec { return nodeSpec(t, catalog.FabricNone, "g6.xlarge", "g6.2xlarge") },
		"c7i-static-cpu": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricNone, "c7i.8xlarge")
			s.Kubelet = Kubelet{CPUManager: "static", MemoryManager: "None"}
			return s
		},
		"c7i-hugepages": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricNone, "c7i.8xlarge")
			s.Kubelet = Kubelet{Hugepages: map[string]int{"2Mi": 1024, "1Gi": 4}}
			return s
		},
		"p5-training": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricEFA, "p5.48xlarge")
			s.Kubelet, s.LocalStorage = training(), "raid0"
			return s
		},
		"p6-b300": func() NodeSpec { return nodeSpec(t, catalog.FabricEFA, "p6-b300.48xlarge") },
		"hpc7a":   func() NodeSpec { return nodeSpec(t, catalog.FabricEFA, "hpc7a.96xlarge") },
		"p4d-mig": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricNone, "p4d.24xlarge")
			s.MIGProfile = "3g.20gb"
			return s
		},
		"dl1-own-image": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricEFA, "dl1.24xlarge")
			s.Cluster = &NodeCluster{
				Name: "yard", Endpoint: "https://ABC.gr7.us-west-2.eks.amazonaws.com", CertificateAuthority: "Y2VydA==", ServiceCIDR: "172.20.0.0/16",
				Labels: map[string]string{LabelPool: "gaudi", LabelFabric: "efa", "node.kubernetes.io/role": "x", "topology.k8s.aws/rack": "y", "team": "vision"},
				Taints: []Taint{{Key: "habana.ai/gaudi", Value: "present", Effect: "NoSchedule"}, {Key: "team", Effect: "NoExecute"}},
			}
			return s
		},
		"bottlerocket-p5-efa": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricEFA, "p5.48xlarge")
			s.OS, s.LocalStorage, s.Kubelet = "bottlerocket", "raid0", Kubelet{CPUManager: "static", TopologyManager: "restricted"}
			return s
		},
		"c7i-setup": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricNone, "c7i.8xlarge")
			s.Kubelet = Kubelet{CPUManager: "static", Hugepages: map[string]int{"2Mi": 1024}}
			s.System.Setup = "#!/bin/sh\n# Prepares this host.\necho madvise >/sys/kernel/mm/transparent_hugepage/enabled\n"
			return s
		},
		"bottlerocket-system": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricNone, "g6.xlarge")
			s.OS, s.Kubelet.Hugepages = "bottlerocket", map[string]int{"2Mi": 512}
			s.System = System{
				Sysctl:               map[string]string{"net.core.somaxconn": "4096", "net/ipv4/conf/eth0.1/rp_filter": "0", "net.ipv4.tcp_rmem": "4096 131072 6291456"},
				TransparentHugepages: "madvise", Limits: map[string]string{"memlock": "1024", "nofile": "500000", "stack": "unlimited"},
			}
			return s
		},
		"bottlerocket-g6": func() NodeSpec {
			s := nodeSpec(t, catalog.FabricNone, "g6.xlarge")
			s.OS, s.Kubelet.Hugepages = "bottlerocket", map[string]int{"2Mi": 512}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := UserData(change())
			if err != nil {
				t.Fatal(err)
			}
			pulumitest.Golden(t, got, "testdata/userdata/"+name+".golden")
		})
	}
}

func TestUserDataIsEmptyWhenEKSKnowsAll(t *testing.T) {
	t.Parallel()
	s := nodeSpec(t, catalog.FabricNone, "m7i.xlarge", "m6i.xlarge")
	for _, storage := range []string{"", "none"} {
		s.LocalStorage = storage
		if got, err := UserData(s); got != "" || err != nil {
			t.Errorf("got %q and %v", got, err)
		}
	}
	s.OS = "bottlerocket"
	if got, err := UserData(s); got != "" || err != nil {
		t.Errorf("Bottlerocket: got %q and %v", got, err)
	}
	s = nodeSpec(t, catalog.FabricNone, "i4i.4xlarge")
	s.LocalStorage = "raw"
	if got, err := UserData(s); got != "" || err != nil {
		t.Errorf("raw disks: got %q and %v", got, err)
	}
}

func TestEFAReservesEnoughHugepagesAlready(t *testing.T) {
	t.Parallel()
	s := nodeSpec(t, catalog.FabricEFA, "p5.48xlarge")
	for pages, scripted := range map[int]bool{1024: false, 5128: false, 6000: true} {
		s.Kubelet.Hugepages = map[string]int{"2Mi": pages}
		if got := strings.Contains(userData(s), "reserve 2048 "); got != scripted {
			t.Errorf("%d pages: reserved by the script %t, want %t", pages, got, scripted)
		}
	}
}

// Nobody knows what an image of one's own reserves, and the pool says that its nodes offer these pages.
func TestOwnImageWithEFAReservesItsHugepages(t *testing.T) {
	t.Parallel()
	s := nodeSpec(t, catalog.FabricEFA, "p5.48xlarge")
	s.Cluster = &NodeCluster{Name: "yard"}
	for asked, want := range map[int]string{0: "reserve 2048 5128\n", 6000: "reserve 2048 6000\n"} {
		s.Kubelet.Hugepages = map[string]int{"2Mi": asked}
		if got := userData(s); !strings.Contains(got, want) {
			t.Errorf("%d pages are asked for, and %q is not in\n%s", asked, want, got)
		}
	}
}

// config returns the NodeConfig of user data as nodeadm reads it.
func config(t *testing.T, s NodeSpec) map[string]any {
	t.Helper()
	data, err := UserData(s)
	if err != nil {
		t.Fatal(err)
	}
	message, err := mail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	for parts := multipart.NewReader(message.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatalf("there is no NodeConfig in\n%s\n%v", data, err)
		}
		if part.Header.Get("Content-Type") != "application/node.eks.aws" {
			continue
		}
		body, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := yaml.Unmarshal(body, &doc); err != nil {
			t.Fatalf("%v in\n%s", err, body)
		}
		if doc["apiVersion"] != "node.eks.aws/v1alpha1" || doc["kind"] != "NodeConfig" {
			t.Fatalf("it is no NodeConfig: %v", doc)
		}
		return doc
	}
}

// at returns what is found under keys.
func at(doc map[string]any, keys ...string) any {
	var value any = doc
	for _, key := range keys {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	return value
}

func TestMaxPodsLeavesOutTheEFAInterface(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]int{"p5.48xlarge": 51, "p6-b200.48xlarge": 149, "p6-b300.48xlarge": 198, "p4d.24xlarge": 250, "p5.4xlarge": 89} {
		if got := at(config(t, nodeSpec(t, catalog.FabricEFA, typ)), "spec", "kubelet", "config", "maxPods"); got != want {
			t.Errorf("%s: got %v, want %d", typ, got, want)
		}
	}
}

func TestMaxPodsIsLeftToEKSWithoutEFA(t *testing.T) {
	t.Parallel()
	if got := at(config(t, nodeSpec(t, catalog.FabricNone, "g6.xlarge", "g6.12xlarge")), "spec", "kubelet", "config", "maxPods"); got != nil {
		t.Errorf("got %v, which cannot suit both types", got)
	}
}

// Kubelet does not start unless the reserved memory of all NUMA nodes is the sum of what is reserved and the eviction
// threshold.
func TestStaticMemoryAddsUp(t *testing.T) {
	t.Parallel()
	s := nodeSpec(t, catalog.FabricEFA, "p5.48xlarge")
	s.Kubelet.MemoryManager = "Static"
	doc := config(t, s)
	if got, want := at(doc, "spec", "kubelet", "config", "kubeReserved", "memory"), "816Mi"; got != want { // 255 + 11 * 51
		t.Errorf("reserved is %v, want %s", got, want)
	}
	if got, want := at(doc, "spec", "kubelet", "config", "evictionHard", "memory.available"), "100Mi"; got != want {
		t.Errorf("the eviction threshold is %v, want %s", got, want)
	}
	nodes, _ := at(doc, "spec", "kubelet", "config", "reservedMemory").([]any)
	if len(nodes) != 1 {
		t.Fatalf("got %v, want one NUMA node", nodes)
	}
	if got, want := at(nodes[0].(map[string]any), "limits", "memory"), "916Mi"; got != want {
		t.Errorf("the reserved memory is %v, want %s", got, want)
	}
}

// nodeadm reads the base runtime spec into JSON numbers of Go, merges, and writes it for runc, which reads 64 bits.
func TestMemlockSurvivesNodeadmsMerge(t *testing.T) {
	t.Parallel()
	merge := func(limit uint64) (uint64, error) {
		written, err := json.Marshal(limit)
		if err != nil {
			t.Fatal(err)
		}
		var number any
		if err := json.Unmarshal(written, &number); err != nil {
			t.Fatal(err)
		}
		if written, err = json.Marshal(number); err != nil {
			t.Fatal(err)
		}
		var read uint64
		return read, json.Unmarshal(written, &read)
	}
	if _, err := merge(1<<64 - 1); err == nil {
		t.Error("2^64-1 survives the merge now: it is the better limit")
	}
	if _, err := merge(unlimitedMemlock); err != nil {
		t.Errorf("the limit does not survive: %v", err)
	}
}

func TestRlimitsKeepTheImagesOpenFiles(t *testing.T) {
	t.Parallel()
	limits, _ := at(config(t, nodeSpec(t, catalog.FabricNone, "g6.xlarge")), "spec", "containerd", "baseRuntimeSpec", "process", "rlimits").([]any)
	var kinds []any
	for _, l := range limits {
		kinds = append(kinds, l.(map[string]any)["type"])
	}
	if !slices.Equal(kinds, []any{"RLIMIT_MEMLOCK", "RLIMIT_NOFILE"}) {
		t.Errorf("got %v: a list replaces the image's, which limits open files", kinds)
	}
}

func TestUserDataRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fabric catalog.Fabric
		typ    string
		change func(*NodeSpec)
		says   string
	}{
		"cpu manager": {catalog.FabricNone, "c7i.8xlarge", func(s *NodeSpec) { s.Kubelet.CPUManager = "dynamic" },
			`the CPU manager is "dynamic": it may be none, static`},
		"topology": {catalog.FabricNone, "c7i.8xlarge", func(s *NodeSpec) { s.Kubelet.TopologyManager = "numa" },
			`it may be none, best-effort, restricted, single-numa-node`},
		"memory manager": {catalog.FabricNone, "c7i.8xlarge", func(s *NodeSpec) { s.Kubelet.MemoryManager = "both" },
			`the memory manager is "both"`},
		"page size": {catalog.FabricNone, "c7i.8xlarge", func(s *NodeSpec) { s.Kubelet.Hugepages = map[string]int{"4Mi": 1} },
			`the sizes are 2Mi and 1Gi`},
		"page count": {catalog.FabricNone, "c7i.8xlarge", func(s *NodeSpec) { s.Kubelet.Hugepages = map[string]int{"1Gi": -1} },
			`a count is not negative`},
		"more than memory": {catalog.FabricNone, "g6.xlarge", func(s *NodeSpec) { s.Kubelet.Hugepages = map[string]int{"2Mi": 5128, "1Gi": 4} },
			`huge pages take 14352 MiB of the 16384 MiB that g6.xlarge has: 2048 MiB must be left`},
		"no disks": {catalog.FabricNone, "m7i.xlarge", func(s *NodeSpec) { s.LocalStorage = "raid0" },
			`m7i.xlarge has no local disks`},
		"static memory of Bottlerocket": {catalog.FabricNone, "c7i.8xlarge", func(s *NodeSpec) { s.OS, s.Kubelet.MemoryManager = "bottlerocket", "Static" },
			`Bottlerocket computes what it reserves by itself`},
		"local storage": {catalog.FabricNone, "i4i.4xlarge", func(s *NodeSpec) { s.LocalStorage = "raid1" },
			`it may be none, raid0 or raw`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := nodeSpec(t, c.fabric, c.typ)
			c.change(&s)
			got, err := UserData(s)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %q and %v, want an error that says %q", got, err, c.says)
			}
		})
	}
}
