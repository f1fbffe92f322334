package gpunodes

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/internal/sysctl"
)

// System tunes the operating system of a pool's nodes. Amazon Linux runs a script; Bottlerocket runs none, and has
// settings. The zero value leaves the system as the image has it.
type System struct {
	// Setup is a shell script that cloud-init runs before the node joins; for al2023.
	Setup string `pulumi:"setup,optional"`
	// Sysctl are kernel parameters by their names; for bottlerocket.
	Sysctl map[string]string `pulumi:"sysctl,optional"`
	// TransparentHugepages is "always", "madvise" or "never"; for bottlerocket, which takes it from its command line and
	// so boots once more before it joins.
	TransparentHugepages string `pulumi:"transparentHugepages,optional"`
	// Limits are resource limits of containers by their names in limits.conf, in its units; for bottlerocket.
	Limits map[string]string `pulumi:"limits,optional"`
}

// isZero reports whether nothing is asked for.
func (s System) isZero() bool {
	return s.Setup == "" && len(s.Sysctl) == 0 && s.TransparentHugepages == "" && len(s.Limits) == 0
}

// inputs returns the settings as the component's own inputs.
func (s System) inputs() pulumi.Map {
	return pulumi.Map{
		"setup": pulumi.String(s.Setup), "sysctl": pulumi.ToStringMap(s.Sysctl),
		"transparentHugepages": pulumi.String(s.TransparentHugepages), "limits": pulumi.ToStringMap(s.Limits),
	}
}

// MaxUserData is how many bytes the user data of a template may have. EC2 takes 16 KiB; EKS adds a NodeConfig with the
// cluster's coordinates, its certificate, labels and taints to it, for which room is left.
// Source: EC2 User Guide, "Run commands when you launch an EC2 instance with user data input".
const MaxUserData = 16*1024 - userDataOfEKS

// userDataOfEKS is the room for what EKS adds: a certificate of about 1.5 KiB, and labels and taints of a node group.
const userDataOfEKS = 4 * 1024

// bottlerocketLimits are the resource limits of containers by their names in limits.conf. Sizes are bytes there, and KiB
// in limits.conf.
// Source: Bottlerocket, "Settings Reference", oci-defaults; limits.conf(5).
func bottlerocketLimits() map[string]limit {
	return map[string]limit{
		"as": {"max-address-space", true}, "core": {"max-core-file-size", true}, "cpu": {"max-cpu-time", false},
		"data": {"max-data-size", true}, "fsize": {"max-file-size", true}, "locks": {"max-file-locks", false},
		"memlock": {"max-locked-memory", true}, "msgqueue": {"max-msgqueue-size", false}, "nice": {"max-nice-priority", false},
		"nofile": {"max-open-files", false}, "nproc": {"max-processes", false}, "rss": {"max-resident-set", true},
		"rtprio": {"max-realtime-priority", false}, "sigpending": {"max-pending-signals", false}, "stack": {"max-stack-size", true},
	}
}

// limit is the name of a resource limit in Bottlerocket's settings, and whether limits.conf has it in KiB.
type limit struct {
	name  string
	inKiB bool
}

// BottlerocketLimits are the limits that Bottlerocket has a setting for, by their names in limits.conf.
func BottlerocketLimits() []string { return sortedKeys(bottlerocketLimits()) }

// check returns what is wrong with the settings for an operating system.
func (s System) check(os string) []error {
	var problems []error
	if os != osBottlerocket {
		if len(s.Sysctl) > 0 || s.TransparentHugepages != "" || len(s.Limits) > 0 {
			problems = append(problems, fmt.Errorf("sysctl, transparentHugepages and limits are settings of bottlerocket: %s takes a script, setup", osAL2023))
		}
		return problems
	}
	if s.Setup != "" {
		problems = append(problems, errors.New("bottlerocket runs no script: use sysctl, transparentHugepages and limits"))
	}
	if v := s.TransparentHugepages; v != "" && !slices.Contains([]string{"always", "madvise", "never"}, v) {
		problems = append(problems, fmt.Errorf("transparentHugepages is %q: it may be always, madvise, never", v))
	}
	for _, key := range sortedKeys(s.Sysctl) {
		if strings.ContainsAny(key+s.Sysctl[key], "\"\\\n") {
			problems = append(problems, fmt.Errorf("sysctl %q = %q: neither may have quotes, backslashes or line ends", key, s.Sysctl[key]))
		}
	}
	for _, name := range sortedKeys(s.Limits) {
		if _, known := bottlerocketLimits()[name]; !known {
			problems = append(problems, fmt.Errorf("there is no limit %q on bottlerocket: there are %s", name, strings.Join(sortedKeys(bottlerocketLimits()), ", ")))
		} else if _, err := bottlerocketLimit(name, s.Limits[name]); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// bottlerocketLimit is a limit as a value of Bottlerocket's settings.
func bottlerocketLimit(name, value string) (string, error) {
	if value == "unlimited" {
		return `"unlimited"`, nil
	}
	n, err := strconv.ParseInt(value, 10, 53)
	if err != nil || n < 0 {
		return "", fmt.Errorf("limit %s is %q: it may be a number, or unlimited", name, value)
	}
	if bottlerocketLimits()[name].inKiB {
		n *= 1024
	}
	return strconv.FormatInt(n, 10), nil
}

// bottlerocketSystem returns the settings of kernel, boot and containers. pages are huge pages of 2 MiB that the pool
// offers; memlock says that its containers lock memory, without limit unless the system names one.
func bottlerocketSystem(s System, pages int, memlock bool) lines {
	var doc lines
	parameters := map[string]string{}
	for key, value := range s.Sysctl {
		parameters[sysctl.Path(key)] = value // with slashes, which Bottlerocket takes in every case
	}
	if pages > 0 {
		// Left out, Bottlerocket reserves a number of its own for EFA, and the pool would offer more than its nodes have.
		parameters["vm/nr_hugepages"] = strconv.Itoa(pages)
	}
	if len(parameters) > 0 {
		doc.line(0, "[settings.kernel.sysctl]")
		for _, path := range sortedKeys(parameters) {
			doc.line(0, "%q = %q", path, parameters[path])
		}
	}
	if s.TransparentHugepages != "" {
		doc.line(0, "[settings.boot]").line(0, "reboot-to-reconcile = true")
		doc.line(0, "[settings.boot.kernel-parameters]").line(0, `"transparent_hugepage" = [%q]`, s.TransparentHugepages)
	}
	limits := map[string]string{}
	if memlock {
		limits["memlock"] = "unlimited"
	}
	for name, value := range s.Limits {
		limits[name] = value
	}
	for _, name := range sortedKeys(limits) {
		value, err := bottlerocketLimit(name, limits[name])
		if err != nil {
			panic(err) // it was checked
		}
		doc.line(0, "[settings.oci-defaults.resource-limits.%s]", bottlerocketLimits()[name].name)
		doc.line(0, "soft-limit = %s", value).line(0, "hard-limit = %s", value)
	}
	return doc
}
