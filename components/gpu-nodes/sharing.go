package gpunodes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// The ways to share a GPU.
const (
	sharingMIG         = "mig"
	sharingTimeSlicing = "time_slicing"
	sharingMPS         = "mps"
)

// maxMPSClients is how many processes may use a GPU through MPS at once.
// Source: NVIDIA Multi-Process Service, "Client-Server Connection".
const maxMPSClients = 48

// GPUSharing lets several pods share a GPU. A job that spans GPUs gains nothing from a share, so a pool has either
// this or EFA.
type GPUSharing struct {
	// Kind is "mig" for parts with memory and cores of their own, "time_slicing" for turns without any isolation, or
	// "mps" for processes side by side with a share of memory each.
	Kind string `pulumi:"kind"`
	// Profile is the part of a GPU that MIG makes, "1g.5gb" say. Every GPU is split into as many as it holds.
	Profile string `pulumi:"profile,optional"`
	// Replicas is how many pods share a GPU by time slicing or MPS.
	Replicas int `pulumi:"replicas,optional"`
}

// inputs returns the sharing as component inputs.
func (s *GPUSharing) inputs() pulumi.Map {
	inputs := pulumi.Map{"kind": pulumi.String(s.Kind)}
	if s.Profile != "" {
		inputs["profile"] = pulumi.String(s.Profile)
	}
	if s.Replicas != 0 {
		inputs["replicas"] = pulumi.Int(s.Replicas)
	}
	return inputs
}

// isMIG says whether GPUs are split.
func (s *GPUSharing) isMIG() bool { return s != nil && s.Kind == sharingMIG }

// checkSharing reports sharing that the GPUs, the image or the rest of the pool rule out.
func checkSharing(c *argument.Checker, arg string, s *GPUSharing, types []*catalog.InstanceType) {
	if s == nil {
		return
	}
	for _, t := range types {
		switch {
		case t.Accelerator == nil || t.Accelerator.Maker != catalog.MakerNVIDIA:
			c.Failf(arg, "%s has no NVIDIA GPU to share", t.Name)
		case t.Accelerator.Fraction < 1:
			c.Failf(arg, "%s has a part of a GPU already, which is not shared further", t.Name)
		}
	}
	switch s.Kind {
	case sharingMIG:
		checkMIG(c, arg, s, types)
	case sharingTimeSlicing, sharingMPS:
		checkReplicas(c, arg, s)
	default:
		c.Failf(arg, "%q is unknown: it may be mig, time_slicing or mps", s.Kind)
	}
}

func checkReplicas(c *argument.Checker, arg string, s *GPUSharing) {
	if s.Profile != "" {
		c.Failf(arg, "the profile %s is MIG's, and a GPU is shared in one way: %s takes replicas", s.Profile, s.Kind)
	}
	if s.Replicas < 2 {
		c.Failf(arg, "%d replicas are asked for: sharing begins at 2", s.Replicas)
	}
	if s.Kind == sharingMPS && s.Replicas > maxMPSClients {
		c.Failf(arg, "%d replicas are asked for: MPS serves %d processes a GPU", s.Replicas, maxMPSClients)
	}
}

// checkMIG reports profiles that a GPU does not have: "1g.5gb" on an H100 is a common one.
func checkMIG(c *argument.Checker, arg string, s *GPUSharing, types []*catalog.InstanceType) {
	if s.Replicas != 0 {
		c.Failf(arg, "%d replicas are asked for: MIG makes as many parts as the profile says, and a part is not shared further", s.Replicas)
	}
	for _, t := range types {
		if nvidiaGPUs(t) == 0 {
			continue
		}
		if parts := migParts(s.Profile, t); parts > 0 {
			if first := types[0]; nvidiaGPUs(first) > 0 && migParts(s.Profile, first) != parts {
				c.Failf(arg, "a GPU of %s holds %d parts of %s and one of %s holds %d: put the types into two pools",
					first.Name, migParts(s.Profile, first), s.Profile, t.Name, parts)
			}
			continue
		}
		var legal []string
		for _, profile := range t.Accelerator.MIGProfiles() {
			legal = append(legal, profile.Name)
		}
		if len(legal) == 0 {
			c.Failf(arg, "the %s of %s cannot be split by MIG", t.Accelerator.Name, t.Name)
		} else {
			c.Failf(arg, "the %s of %s has no MIG profile %q: it may be %s", t.Accelerator.Name, t.Name, s.Profile, strings.Join(legal, ", "))
		}
	}
}

// checkSharingFits reports what else of a pool does not go with sharing.
func checkSharingFits(c *argument.Checker, a *PoolArgs) {
	if a.GPUSharing == nil {
		return
	}
	if a.Fabric == string(catalog.FabricEFA) {
		c.Failf("gpuSharing", "EFA is for jobs over whole GPUs of many nodes, and NCCL does not work across parts of GPUs: "+
			"a pool has one or the other")
	}
	if a.OS == osBottlerocket {
		c.Failf("gpuSharing", "Bottlerocket runs a device plugin of its own, which a chart does not configure: take al2023")
	}
	if a.GPUSharing.isMIG() && len(a.Kubelet.Hugepages) > 0 {
		c.Failf("gpuSharing", "some GPUs are split only by a reboot, which would lose the huge pages that kubelet.hugepages asks for: leave one out")
	}
}

// migParts returns how many parts of a profile a GPU of a type makes, 0 when it makes none.
func migParts(profile string, t *catalog.InstanceType) int {
	if t.Accelerator == nil {
		return 0
	}
	for _, p := range t.Accelerator.MIGProfiles() {
		if p.Name == profile {
			return p.PerGPU
		}
	}
	return 0
}

// labels returns the labels by which device plugins learn how a node's GPUs are shared. mig.config states the wanted
// split to NVIDIA's MIG manager, should there be one; the split itself is made by the nodes when they boot.
func (s *GPUSharing) labels() map[string]string {
	if s == nil {
		return nil
	}
	labels := map[string]string{LabelGPUSharing: s.Kind, labelPluginConfig: s.configName()}
	switch s.Kind {
	case sharingMIG:
		labels[labelMIGConfig] = "all-" + s.Profile
	case sharingMPS:
		labels[labelMPSCapable] = "true"
	}
	return labels
}

// configName names the plugin's configuration for this way of sharing.
func (s *GPUSharing) configName() string {
	if s.isMIG() {
		return "mig"
	}
	return strings.ReplaceAll(s.Kind, "_", "-") + "-" + strconv.Itoa(s.Replicas)
}

// pluginConfig returns the plugin's configuration for this way of sharing.
//
// MIG is "mixed": parts are then resources of their own, nvidia.com/mig-1g.5gb, so that a pod which asks for a GPU is
// never given a part. "single" would offer parts as nvidia.com/gpu. With shares, a request for more than one is made
// to fail: two shares may be of one GPU, and are never what a pod wants that asks for two GPUs.
// Source: k8s-device-plugin 0.19.3, README, "Shared Access to GPUs" and "Supporting Multi-Instance GPUs".
func (s *GPUSharing) pluginConfig() string {
	if s.isMIG() {
		return "version: v1\nflags:\n  migStrategy: mixed\n"
	}
	key := map[string]string{sharingTimeSlicing: "timeSlicing", sharingMPS: "mps"}[s.Kind]
	return fmt.Sprintf(`version: v1
flags:
  migStrategy: none
sharing:
  %s:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: %d
`, key, s.Replicas)
}

// offer changes what a node offers: parts or shares in place of whole GPUs.
func (s *GPUSharing) offer(offered map[string]string, types []*catalog.InstanceType) {
	if s == nil {
		return
	}
	if s.isMIG() {
		delete(offered, resourceGPU)
		parts := fewest(types, func(t *catalog.InstanceType) int { return nvidiaGPUs(t) * migParts(s.Profile, t) })
		offered["nvidia.com/mig-"+s.Profile] = strconv.Itoa(parts)
		return
	}
	offered[resourceGPU] = strconv.Itoa(fewest(types, nvidiaGPUs) * s.Replicas)
}
