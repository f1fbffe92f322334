package blueprint

import (
	"fmt"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkGPUSharing refuses splits and shares that the GPU or the pool does not allow.
//
// Sources: NVIDIA gpu-operator, MIG manager configuration (profiles by GPU); k8s-device-plugin, README, "Shared Access to
// GPUs" (time slicing or MPS, not both). NCCL does not cross MIG slices or shared GPUs, so a pool with a fabric is not
// shared.
func checkGPUSharing(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		s := p.GPUSharing
		if s == nil || !s.Kind.IsSet() {
			continue
		}
		mig := s.Kind.Value == "mig"
		switch {
		case mig && s.Profile.missing():
			diags = append(diags, errorf(s.Kind.Range, "Missing MIG profile", "Sharing of kind mig needs a profile, such as profile = \"1g.10gb\"."))
		case !mig && s.Profile.IsSet():
			diags = append(diags, errorf(s.Profile.Range, "Only for MIG", "A profile belongs to kind = \"mig\"; %s takes replicas.", s.Kind))
		}
		switch {
		case mig && s.Replicas.IsSet():
			diags = append(diags, errorf(s.Replicas.Range, "Not for MIG", "The MIG profile says how many slices a GPU has; replicas belongs to time_slicing and mps."))
		case !mig && s.Replicas.missing():
			diags = append(diags, errorf(s.Kind.Range, "Missing replicas", "Sharing of kind %s needs replicas, the number of pods on each GPU.", s.Kind))
		}
		if p.Fabric.IsSet() && p.Fabric.Value != "none" {
			diags = append(diags, errorf(s.Kind.Range, "Shared GPUs on a fabric", "NCCL does not reach across shared or split GPUs, so fabric = %q and gpu_sharing exclude each other. Make two pools.", p.Fabric.Value))
		}
		if p.Accelerator != nil && (p.Accelerator.Kind.Value == "gaudi2" || p.Accelerator.Kind.Value == "gaudi3") {
			diags = append(diags, errorf(s.Kind.Range, "Sharing without a GPU", "%s cannot be shared, only NVIDIA GPUs can.", p.Accelerator.Kind))
		}
		for _, t := range p.Types {
			if d := judgeSharing(s, t); d != nil {
				diags = append(diags, d)
			}
		}
	}
	return diags
}

// judgeSharing judges the sharing of the GPUs of one type.
func judgeSharing(s *GPUSharing, t *catalog.InstanceType) *hcl.Diagnostic {
	a := t.Accelerator
	switch {
	case a == nil:
		return errorf(s.Kind.Range, "Sharing without a GPU", "%s has no GPU to share.", t.Name)
	case a.Maker != catalog.MakerNVIDIA:
		return errorf(s.Kind.Range, "Sharing without a GPU", "The %s of %s cannot be shared, only NVIDIA GPUs can.", a.Name, t.Name)
	case s.Kind.Value != "mig" || !s.Profile.IsSet():
		return nil
	}
	profiles := a.MIGProfiles()
	if len(profiles) == 0 {
		return errorf(s.Kind.Range, "GPU without MIG", "The %s of %s cannot be split by MIG. Use time_slicing or mps.", a.Name, t.Name)
	}
	var legal []string
	for _, m := range profiles {
		if m.Name == s.Profile.Value {
			return nil
		}
		legal = append(legal, fmt.Sprintf("%s (%d a GPU)", m.Name, m.PerGPU))
	}
	return errorf(s.Profile.Range, "Illegal MIG profile", "%q is no profile of the %s of %s with its %d GB. Legal: %s.",
		s.Profile.String(), a.Name, t.Name, (a.MemoryMiB+512)/1024, list(legal))
}
