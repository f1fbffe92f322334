package gpunodes

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
)

func TestSystemsThatDoNotFitTheirImage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		os     string
		system System
		want   string // empty: nothing is wrong
	}{
		"a script":               {"", System{Setup: "#!/bin/sh\n"}, ""},
		"settings on al2023":     {"al2023", System{Sysctl: map[string]string{"vm.swappiness": "1"}}, "al2023 takes a script, setup"},
		"a script there":         {"bottlerocket", System{Setup: "#!/bin/sh\n"}, "bottlerocket runs no script"},
		"a limit that is none":   {"bottlerocket", System{Limits: map[string]string{"maxlogins": "4"}}, `no limit "maxlogins" on bottlerocket`},
		"a limit without number": {"bottlerocket", System{Limits: map[string]string{"nofile": "many"}}, `limit nofile is "many"`},
		"huge pages":             {"bottlerocket", System{TransparentHugepages: "on"}, "may be always, madvise, never"},
		"a quote in a value":     {"bottlerocket", System{Sysctl: map[string]string{"kernel.x": "a\"\nb"}}, "neither may have quotes"},
		"all that there is":      {"bottlerocket", System{Sysctl: map[string]string{"vm.swappiness": "1"}, TransparentHugepages: "never", Limits: map[string]string{"core": "0"}}, ""},
	} {
		s := nodeSpec(t, catalog.FabricNone, "g6.xlarge")
		s.OS, s.System = c.os, c.system
		_, err := UserData(s)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestUserDataLeavesRoomForEKS(t *testing.T) {
	t.Parallel()
	s := nodeSpec(t, catalog.FabricNone, "g6.xlarge")
	s.System.Setup = "#!/bin/sh\n" + strings.Repeat("# long\n", 1900)
	if _, err := UserData(s); err == nil || !strings.Contains(err.Error(), "bytes long, and may be 12288") {
		t.Errorf("a long script: %v", err)
	}
	// A node of an image of one's own is told nothing more.
	s.Cluster = &NodeCluster{Name: "yard"}
	if _, err := UserData(s); err != nil {
		t.Errorf("an image of one's own: %v", err)
	}
}
