package gpunodes

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// row is a pool by what can be combined.
type row struct {
	typ, fabric, capacity, image, sharing string
}

func (r row) name() string {
	return strings.Join([]string{r.fabric, r.capacity, r.image, r.sharing}, "-")
}

// rows returns every combination.
func rows() []row {
	var all []row
	for _, typ := range []string{"m7g.large", "g6.xlarge", "p4d.24xlarge", "trn1.32xlarge", "dl1.24xlarge"} {
		for _, fabric := range []string{"none", "efa"} {
			for _, capacity := range []string{"on_demand", "spot", "reservation", "capacity_block"} {
				for _, image := range []string{"al2023", "bottlerocket", "ami"} {
					for _, sharing := range []string{"whole", "mig", "time_slicing", "mps"} {
						all = append(all, row{typ, fabric, capacity, image, sharing})
					}
				}
			}
		}
	}
	return all
}

// args returns the arguments of a row.
func (r row) args() *PoolArgs {
	a := poolArgs(r.typ)
	if r.fabric == "efa" {
		a = efaArgs(r.typ)
	}
	a.Capacity = r.capacity
	if r.capacity == "reservation" || r.capacity == "capacity_block" {
		a.Reservation = reservation
	}
	switch r.image {
	case "ami":
		a = namedImage(a)
	default:
		a.OS, a.ImageRelease = r.image, "1.35.0-20260901"
	}
	switch r.sharing {
	case "mig":
		a.GPUSharing = &GPUSharing{Kind: "mig", Profile: "1g.5gb"}
	case "time_slicing", "mps":
		a.GPUSharing = &GPUSharing{Kind: r.sharing, Replicas: 4}
	}
	return a
}

// problems says what is wrong with a row, in words of its errors. It knows nothing of how the package judges.
func (r row) problems(t *catalog.InstanceType) []string {
	var all []string
	add := func(wrong bool, says string) {
		if wrong {
			all = append(all, says)
		}
	}
	shared := r.sharing != "whole"
	nvidia := t.Accelerator != nil && t.Accelerator.Maker == catalog.MakerNVIDIA
	add(r.capacity == "capacity_block" && !slices.Contains([]string{"p4d.24xlarge", "trn1.32xlarge"}, r.typ), "cannot be had as capacity_block capacity")
	add(r.fabric == "efa" && t.MaxEFA == 0, "has no EFA")
	add(r.typ == "dl1.24xlarge" && r.image != "ami", "needs a named image")
	add(shared && !nvidia, "has no NVIDIA GPU to share")
	add(r.sharing == "mig" && r.typ == "g6.xlarge", "the L4 of g6.xlarge cannot be split by MIG")
	add(shared && r.fabric == "efa", "a pool has one or the other")
	add(shared && r.image == "bottlerocket", "Bottlerocket runs a device plugin of its own")
	return all
}

// TestMatrix holds every combination of type, fabric, capacity, image and sharing: the legal ones have their graph in a
// golden file, as a difference to the plain pool of their type, and the others all the errors that they deserve.
func TestMatrix(t *testing.T) {
	t.Parallel()
	legal := 0
	for _, r := range rows() {
		problems := r.problems(found(t, r.typ))
		if len(problems) == 0 {
			legal++
		}
		t.Run(r.typ+"/"+r.name(), func(t *testing.T) {
			t.Parallel()
			if len(problems) > 0 {
				r.refused(t, problems)
				return
			}
			base := row{r.typ, "none", "on_demand", "al2023", "whole"}
			if r.typ == "dl1.24xlarge" {
				base.image = "ami"
			}
			text := strings.Join(r.facts(t), "\n")
			if r != base {
				text = difference(base.facts(t), r.facts(t))
			}
			pulumitest.Golden(t, text+"\n", filepath.Join("testdata", "matrix", r.typ, r.name()+".golden"))
		})
	}
	if legal != 9+21+48+24+6 {
		t.Errorf("%d combinations are legal", legal)
	}
}

// refused checks that the errors of a row are those expected, no fewer and no more.
func (r row) refused(t *testing.T, problems []string) {
	t.Helper()
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "pool", r.args())
		return err
	}, world())
	refused(t, graph, err, problems...)
	if err != nil {
		if got := strings.Count(err.Error(), `gpuyard:gpunodes:Pool "pool": `); got != len(problems) {
			t.Errorf("there are %d errors, want %d:\n%v", got, len(problems), err)
		}
	}
}

// facts returns the graph of a row without the component, a line a value: whatever is the same has the same line.
func (r row) facts(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, res := range runPool(t, r.args()).Resources {
		if res.Type == TypePool {
			continue
		}
		for _, option := range res.Options {
			lines = append(lines, res.Name+" option "+option)
		}
		for _, key := range res.Inputs.StableKeys() {
			lines = append(lines, flat(t, res.Name+" "+string(key), res.Inputs[key])...)
		}
	}
	return lines
}

// flat returns the lines of a value. User data is shown as the node reads it.
func flat(t *testing.T, path string, v resource.PropertyValue) []string {
	t.Helper()
	var lines []string
	switch {
	case v.IsObject():
		for _, key := range v.ObjectValue().StableKeys() {
			lines = append(lines, flat(t, path+"."+string(key), v.ObjectValue()[key])...)
		}
	case v.IsArray():
		for i, item := range v.ArrayValue() {
			lines = append(lines, flat(t, fmt.Sprintf("%s[%d]", path, i), item)...)
		}
	case strings.HasSuffix(path, " userData"):
		text, err := base64.StdEncoding.DecodeString(v.StringValue())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, path+" | "+line)
			}
		}
	default:
		lines = append(lines, fmt.Sprintf("%s = %v", path, v.V))
	}
	return lines
}

// difference returns what is only in one of two lists of lines.
func difference(old, current []string) string {
	var lines []string
	for _, line := range old {
		if !slices.Contains(current, line) {
			lines = append(lines, "- "+line)
		}
	}
	for _, line := range current {
		if !slices.Contains(old, line) {
			lines = append(lines, "+ "+line)
		}
	}
	return strings.Join(lines, "\n")
}
