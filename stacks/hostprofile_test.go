package stacks

import (
	"path/filepath"
	"testing"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

func TestHostProfileStandsOnTheWholeBuiltInProfile(t *testing.T) {
	t.Parallel()
	b := load(t, filepath.Join("..", "blueprint", "testdata", "valid", "gaudi", "blueprint.hcl"), nil)
	var rack *blueprint.NodePool
	for _, p := range b.NodePools {
		if p.Name.Value == "rack" {
			rack = p
		}
	}
	got := HostProfile(rack.Profile)
	for key, want := range map[string]string{
		"roce.priority": "3", "roce.traffic_class": "106", "hugepages.2Mi": "1024", "thp.enabled": "madvise",
		"habana.links": "up", "time": "on", "limits.memlock": "unlimited", "sysctl.vm.max_map_count": "1048576",
	} {
		if got.Values[key] != want {
			t.Errorf("%s is %q, want %q", key, got.Values[key], want)
		}
	}
	if got.Name != "gaudi" {
		t.Errorf("its name is %q", got.Name)
	}
	if problems := nodeprep.Check(got); len(problems) > 0 {
		t.Errorf("nodeprep refuses it: %v", problems)
	}
	mine := *rack.Profile
	mine.Settings = map[string]string{"thp.defrag": "defer", "time": ""}
	got = HostProfile(&mine)
	if _, kept := got.Values["time"]; kept || got.Values["thp.defrag"] != "defer" {
		t.Errorf("settings lie on top, and empty ones take away: %v", got.Values)
	}
	if none := HostProfile(nil); none.Name != profile.Minimal || len(none.Values) == 0 {
		t.Errorf("a pool without a profile gets %v", none)
	}
}
