package stacks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
)

// TestPoolsThatNoComponentMakes are told of by the plan, all at once, before there is anything to ask a cloud.
func TestPoolsThatNoComponentMakes(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("testdata", "unbuildable")
	plan, diags := NewPlan(load(t, filepath.Join(folder, "blueprint.hcl"), nil), catalog.Default())
	if wrong := len(plan.Pools) - 1; diags.Errors() < wrong { // all pools but system
		t.Errorf("%d errors of %d pools", diags.Errors(), wrong)
	}
	var text strings.Builder
	if err := diags.Write(&text, 100, false); err != nil {
		t.Fatal(err)
	}
	pulumitest.Golden(t, text.String(), filepath.Join(folder, "diagnostics.golden"))
}
