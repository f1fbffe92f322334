package nodeprep_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

func TestBuiltInProfilesAreLegal(t *testing.T) {
	t.Parallel()
	for _, name := range profile.Names() {
		p := builtIn(t, name, nil)
		if problems := nodeprep.Check(p); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		if len(p.Values) == 0 {
			t.Errorf("%s wants nothing", name)
		}
	}
	if _, found := profile.BuiltIn("trainng"); found {
		t.Error("a profile that is none")
	}
}

func TestBuiltInsAreNotShared(t *testing.T) {
	t.Parallel()
	first := builtIn(t, profile.Training, nil)
	first.Values["thp.enabled"] = "always"
	if second := builtIn(t, profile.Training, nil); second.Values["thp.enabled"] != "madvise" {
		t.Error("a change of one built-in profile is seen in the next")
	}
}

func TestExtendTakesKeysAway(t *testing.T) {
	t.Parallel()
	p := builtIn(t, profile.Training, map[string]string{"thp.shmem": "", "thp.enabled": "never"})
	if _, found := p.Values["thp.shmem"]; found || p.Values["thp.enabled"] != "never" || p.Values["thp.defrag"] != "madvise" {
		t.Errorf("got %v", p.Values)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values map[string]string
		want   string // of the first problem; empty: none
	}{
		"a value of a choice":        {map[string]string{"thp.enabled": "of"}, `thp.enabled: "of" is not legal; legal: always, madvise, never`},
		"a near name":                {map[string]string{"thp.enable": "never"}, "thp.enable: there is no such key; did you mean thp.enabled"},
		"a near family":              {map[string]string{"sysctls.vm.swappiness": "1"}, "sysctls.vm.swappiness: there is no such key"},
		"out of range":               {map[string]string{"storage.read_ahead_kib": "70000"}, "legal: a whole number from 0 to 65536"},
		"no number":                  {map[string]string{"hugepages.2Mi": "many"}, "legal: a whole number from 0 to 16777216"},
		"a limit that is none":       {map[string]string{"limits.nofiles": "5000"}, "did you mean limits.nofile"},
		"unlimited files":            {map[string]string{"limits.nofile": "unlimited"}, "legal: a whole number from 1024"},
		"files above the kernel's":   {map[string]string{"limits.nofile": "2000000"}, "above sysctl.fs.nr_open, which is 1048576: nobody could log in"},
		"files below a raised":       {map[string]string{"limits.nofile": "2000000", "sysctl.fs.nr_open": "2000000"}, ""},
		"a version that is none":     {map[string]string{"nvidia.driver": "580"}, "legal: an exact version such as 580.95.05"},
		"a version with a pattern":   {map[string]string{"nvidia.driver": "580.*"}, "an exact version"},
		"a GID index":                {map[string]string{"nccl.ib_gid_index": "3"}, "NCCL finds it by itself"},
		"debug output":               {map[string]string{"nccl.debug": "INFO"}, "must not stay on"},
		"a command in a value":       {map[string]string{"sysctl.vm.swappiness": "1; reboot"}, "letters, digits, blanks"},
		"a slip in NCCL":             {map[string]string{"nccl.ib_timout": "20"}, "there is no such parameter of NCCL: did you mean nccl.ib_timeout"},
		"nothing like NCCL":          {map[string]string{"nccl.make_it_fast_please_now": "1"}, "there is no such parameter of NCCL; one of a newer"},
		"NCCL's range":               {map[string]string{"nccl.ib_timeout": "23"}, "legal: a whole number from 1 to 22"},
		"NCCL's words":               {map[string]string{"nccl.p2p_level": "sys"}, "legal: LOC, NVL, PIX, PXB, PHB, SYS"},
		"NCCL's and a plugin's":      {map[string]string{"nccl.ib_hca": "=mlx5_0,mlx5_1", "nccl.algo": "Ring,Tree", "nccl.FASTRAK_NUM_FLOWS": "2"}, ""},
		"a hint that is none":        {map[string]string{"topology.hint": "0=00:01.0"}, "legal: groups of what is behind one switch"},
		"a hint with a device twice": {map[string]string{"topology.hint": "0=0000:01:00.0 1=0000:01:00.0"}, "0000:01:00.0 is there twice"},
		"a line end in a value":      {map[string]string{"nccl.algo": "Ring\nx"}, "is not legal"},
		"a command in a key":         {map[string]string{"kernel_line.a;reboot": "1"}, "may have letters, digits"},
		"a way up in a key":          {map[string]string{"sysctl.../../etc/x": "1"}, "may have letters, digits"},
		"two owners of pages":        {map[string]string{"hugepages.2Mi": "5", "sysctl.vm.nr_hugepages": "5"}, "hugepages.2Mi: contradicts sysctl.vm.nr_hugepages"},
		"two owners of THP":          {map[string]string{"thp.enabled": "never", "kernel_line.transparent_hugepage": "never"}, "contradicts kernel_line.transparent_hugepage"},
		"bytes and ratio":            {map[string]string{"sysctl.vm.dirty_bytes": "5", "sysctl.vm.dirty_ratio": "5"}, "clears the other"},
		"Gaudi and EFA":              {map[string]string{"habana.environment": "on", "efa.installer": "1.43.0"}, "RDMAV_FORK_SAFE"},
		"two makers":                 {map[string]string{"nvidia.driver": "580.95.05", "habana.driver": "1.22.0"}, "one maker"},
		"neighbours fall":            {map[string]string{"sysctl.net.ipv4.neigh.default.gc_thresh1": "8192", "sysctl.net.ipv4.neigh.default.gc_thresh2": "4096"}, "must rise"},
		"swappiness":                 {map[string]string{"sysctl.vm.swappiness": "201"}, "sysctl.vm.swappiness: \"201\" is not legal; legal: a whole number from 0 to 200"},
		"no number of watches":       {map[string]string{"sysctl.fs.inotify.max_user_watches": "lots"}, "a whole number from 0 to"},
		"one number for three":       {map[string]string{"sysctl.net.ipv4.tcp_rmem": "4096"}, "three numbers"},
		"three numbers":              {map[string]string{"sysctl.net.ipv4.tcp_rmem": "4096 131072 6291456"}, ""},
		"a slip in a parameter":      {map[string]string{"sysctl.vm.swapiness": "10"}, "did you mean sysctl.vm.swappiness?"},
		"letters changed places":     {map[string]string{"sysctl.net.core.rmem_mxa": "10000"}, "did you mean sysctl.net.core.rmem_max?"},
		"another parameter":          {map[string]string{"sysctl.net.core.flow_limit_table_len": "8192"}, ""},
		"two owners of 1 GiB":        {map[string]string{"hugepages.1Gi": "4", "kernel_line.hugepages": "4"}, "contradicts kernel_line.hugepages"},
		"two owners of the IOMMU":    {map[string]string{"iommu.passthrough": "on", "kernel_line.iommu": "pt"}, "contradicts kernel_line.iommu"},
		"a mount point":              {map[string]string{"storage.raid0": "scratch"}, "a path to mount it at"},
		"a flag of the kernel":       {map[string]string{"kernel_line.nosmt": "on"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := nodeprep.Check(profile.Profile{Name: "x", Values: c.values})
			switch {
			case c.want == "" && len(problems) > 0:
				t.Errorf("got %v", problems)
			case c.want != "" && len(problems) == 0:
				t.Error("nothing is wrong with it")
			case c.want != "" && !strings.Contains(problems[0].String(), c.want):
				t.Errorf("got %s", problems[0])
			}
		})
	}
}

func TestSecretsAreNotInProblems(t *testing.T) {
	t.Parallel()
	const secret = "not legal, but secret!"
	problems := nodeprep.Check(profile.Profile{Values: map[string]string{"cluster.activation_code": secret}})
	if len(problems) != 1 || strings.Contains(problems[0].String(), secret) {
		t.Errorf("got %v", problems)
	}
}

func TestEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	p := profile.Profile{Values: map[string]string{"thp.enabled": "x", "swap": "x", "nothing": "x"}}
	if problems := nodeprep.Check(p); len(problems) != 3 {
		t.Errorf("got %v", problems)
	}
	if _, err := nodeprep.Render(p); err == nil {
		t.Error("it renders")
	}
}
