package pack_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/policy/internal/fixture"
	"github.com/gpuyard/gpuyard/policy/pack"
)

// reports reads the public reports that are reproduced.
func reports(t *testing.T) []*fixture.Fixture {
	t.Helper()
	paths, err := filepath.Glob("testdata/misconfigurations/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []*fixture.Fixture
	for _, path := range paths {
		f, err := fixture.Read(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, f)
	}
	return all
}

// TestPublicMisconfigurations shows each reported configuration to the whole pack: the policies that the file names say
// something, and no other does.
func TestPublicMisconfigurations(t *testing.T) {
	t.Parallel()
	all := reports(t)
	if len(all) < 10 {
		t.Errorf("there are %d reports", len(all))
	}
	for _, f := range all {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			stack := pack.NewStack(f.Resources, fixture.Now())
			var caught []string
			for _, p := range pack.Policies() {
				if judgeAll(p, f.Resources, stack) > 0 {
					caught = append(caught, p.Name)
				}
			}
			slices.Sort(caught)
			if !slices.Equal(caught, f.Caught) {
				t.Errorf("%s is caught by %v, and the file says %v", f.Report, caught, f.Caught)
			}
		})
	}
}

// reportTable is the table of the pack's page.
func reportTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| report | symptom | caught by |\n| --- | --- | --- |\n")
	for _, f := range reports(t) {
		var links []string
		for _, name := range f.Caught {
			links = append(links, fmt.Sprintf("[%s](%s.md)", name, name))
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.Report, f.Symptom, strings.Join(links, ", "))
	}
	return b.String()
}
