package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/blueprint"
)

// holdsState tells the resources that cannot be replaced without losing what is in them or everything that stands on
// them. Plain `pulumi up` would go ahead and fail in the middle: EKS does not move a cluster into another VPC, and a
// second cluster of the same name does not come up while the first is there.
func holdsState(token string) bool {
	return slices.Contains([]string{
		"aws:ec2/vpc:Vpc",
		"aws:ec2/subnet:Subnet",
		"aws:eks/cluster:Cluster",
		"aws:kms/key:Key",
	}, token)
}

// versionStep says what is wrong with an update of a cluster to another Kubernetes version, or nothing. EKS would refuse it
// after other resources have changed.
//
// Source: EKS User Guide, "Update existing cluster to new Kubernetes version".
func versionStep(m apitype.StepEventMetadata) string {
	if m.Type != "aws:eks/cluster:Cluster" || m.Op != apitype.OpUpdate || m.Old == nil || m.New == nil {
		return ""
	}
	was, _ := m.Old.Inputs["version"].(string)
	want, _ := m.New.Inputs["version"].(string)
	var from, to int
	if _, err := fmt.Sscanf(was+" "+want, "1.%d 1.%d", &from, &to); err != nil {
		return ""
	}
	switch {
	case to < from:
		return fmt.Sprintf("a cluster does not go back from Kubernetes %s to %s: write kubernetes_version = %q again", was, want, was)
	case to > from+1:
		return fmt.Sprintf("a cluster goes up one minor version of Kubernetes at a time: from %s to 1.%d first, and its pools with it", was, from+1)
	default:
		return ""
	}
}

// refuseLoss refuses an update whose preview replaces something that holds state, or asks for what AWS would refuse.
func refuseLoss(preview *progress) error {
	if len(preview.refused) > 0 {
		return errors.New("refused, and nothing was changed: " + strings.Join(preview.refused, "; "))
	}
	if len(preview.replaced) == 0 {
		return nil
	}
	why := ""
	if slices.ContainsFunc(preview.replaced, func(r string) bool { return strings.Contains(r, "(provider") }) {
		why = "Another provider is another region: what is in one cannot be moved to another. "
	}
	return fmt.Errorf("refused, and nothing was changed: this would replace\n  - %s\nand everything that stands on it. "+
		"%sUndo that edit, or describe a new environment and move over to it",
		strings.Join(preview.replaced, "\n  - "), why)
}

// refuseProtected refuses to remove what the state protects, whatever a blueprint says by now.
func refuseProtected(urns []string) error {
	const shown = 5
	var lines []string
	for i, urn := range urns {
		if i == shown {
			lines = append(lines, fmt.Sprintf("and %d more", len(urns)-shown))
			break
		}
		lines = append(lines, shortType(string(resource.URN(urn).Type()))+" "+resource.URN(urn).Name())
	}
	if len(lines) == 0 {
		return nil
	}
	return errors.New("refused, and nothing was changed: the state protects\n  - " + strings.Join(lines, "\n  - ") +
		"\nsince the last `gpuyard up` was with `protect = true`, or with a store that does not say `allow_data_loss = true`. " +
		"Write so in the blueprint, run `gpuyard up`, and destroy the environment then. Where there is no blueprint any more, `pulumi state unprotect` takes the protection off")
}

// urnInText finds resources in what the engine says.
var urnInText = regexp.MustCompile(`urn:pulumi:[^\s"'` + "`" + `]+`)

// refusedLoss explains an operation that the engine refused because it would replace or remove stores, which are protected
// while their blocks do not allow data loss. It is nil if that is not the reason.
func refusedLoss(problems []string) error {
	var stores []string
	for _, problem := range problems {
		if !strings.Contains(problem, "protect") {
			continue
		}
		for _, text := range urnInText.FindAllString(problem, -1) {
			urn := resource.URN(text)
			if urn.IsValid() && strings.Contains(string(urn.QualifiedType()), "gpuyard:storage:") {
				stores = append(stores, shortType(string(urn.Type()))+" "+urn.Name())
			}
		}
	}
	if len(stores) == 0 {
		return nil
	}
	slices.Sort(stores)
	return errors.New("refused, and nothing was changed: this would replace or remove what holds data\n  - " +
		strings.Join(slices.Compact(stores), "\n  - ") + "\nUndo that edit. To lose the data, write `allow_data_loss = true` in the store's " +
		"block: a replacement then goes ahead, and a block is removed after a run of `gpuyard up` that has seen it. " +
		"With `protect = true`, that has to be false as well")
}

// storesWithData are diagnostics of the stores that keep an environment from being destroyed.
func storesWithData(b *blueprint.Blueprint) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.AllowDataLoss() {
			continue
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Store holds data",
			Detail: fmt.Sprintf("storage.%s would be removed with everything in it. Write `allow_data_loss = true` in it, run `gpuyard up`, and destroy "+
				"the environment then.", s.Name.Value),
			Subject: s.Range.Ptr(),
		})
	}
	return diags
}
