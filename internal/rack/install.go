package rack

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/provider"
)

// install makes a server with Ubuntu, as whoever installs a rack leaves it: with the hardware that it is said to have,
// nodeadm for hybrid nodes, and repositories that have what the profile wants.
func install(dir string, args provider.HostArgs) (*hosttest.Host, error) {
	h, err := hosttest.New(dir, hosttest.Ubuntu("22.04"), hardware(args.Accelerator, args.AcceleratorCount))
	if err != nil {
		return nil, err
	}
	for _, command := range []string{"nodeadm", "mlnx_qos"} {
		if err := h.AddCommand(command); err != nil {
			return nil, err
		}
	}
	return h, h.Write("fake/repository", repository(args.Profile))
}

// hardware is that of a kind of server, with as many accelerators as are said.
func hardware(accelerator string, count int) hosttest.Hardware {
	hw, id := hosttest.Server(), ""
	switch {
	case accelerator == "":
	case strings.HasPrefix(accelerator, "gaudi"):
		hw, id = hosttest.Gaudi2(), " 0x1da3 "
	default:
		hw, id = hosttest.H100(), " 0x10de 0x2330 "
	}
	var kept []string
	found := 0
	for _, device := range hw.PCI {
		if id != "" && strings.Contains(device, id) {
			if found++; found > count {
				continue
			}
		}
		kept = append(kept, device)
	}
	hw.PCI = kept
	return hw
}

// repository is what can be installed, name and version a line: the versions that a profile names, since it is the
// profile that is tried out and not the repository.
func repository(profile map[string]string) string {
	var b strings.Builder
	add := func(version string, names ...string) {
		for _, name := range names {
			if version != "" {
				fmt.Fprintf(&b, "%s\t%s\n", name, version)
			}
		}
	}
	add("4.3", "chrony")
	add("1.7.12", "containerd")
	add(profile["habana.driver"], "habanalabs-dkms", "habanalabs-firmware", "habanalabs-firmware-tools", "habanalabs-thunk", "habanalabs-rdma-core")
	add(profile["nvidia.driver"], "nvidia-open", "nvidia-fabricmanager")
	add(profile["nvidia.container_toolkit"], "nvidia-container-toolkit")
	add(profile["nvidia.gdrcopy"], "gdrdrv-dkms", "libgdrapi")
	return b.String()
}
