package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/picture"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/gpuyard/gpuyard/stacks"
)

func draw(t *testing.T, path string) []byte {
	t.Helper()
	b, diags := blueprint.Load(path, blueprint.Options{
		Variables: func(string) (string, bool) { return "cr-0123456789abcdef0", true },
		Environ:   func(string) (string, bool) { return "", false },
		Now:       func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) },
	})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	plan, diags := stacks.NewPlan(b, catalog.Default())
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	svg, err := picture.Draw(plan)
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

func TestPictures(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"dev": "../../stacks/dev.hcl", "efa": "../../stacks/testdata/efa/blueprint.hcl",
		"prod": "../../stacks/prod.hcl",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svg := draw(t, path)
			for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
				if _, err := decoder.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("it is not well-formed: %v", err)
				}
			}
			pulumitest.Golden(t, svg, filepath.Join("testdata", name+".svg"))
		})
	}
}

// TestEveryEFAIsDrawn: the picture of a p5 node shows 32 EFA interfaces on 32 cards, and the one ENA.
func TestEveryEFAIsDrawn(t *testing.T) {
	t.Parallel()
	pool := strings.SplitN(string(draw(t, "../../stacks/testdata/efa/blueprint.hcl")), `node_pool &#34;h100&#34;`, 2)
	if len(pool) != 2 {
		t.Fatal("the pool is not drawn")
	}
	node, _, _ := strings.Cut(pool[1], "</g>")
	if efa, ena := strings.Count(node, `fill="#2f855a"`), strings.Count(node, `fill="#dd6b20"`); efa != 32 || ena != 1 {
		t.Errorf("drawn are %d EFA and %d ENA interfaces, want 32 and 1", efa, ena)
	}
}
