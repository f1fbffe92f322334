package kubernetes

import (
	"regexp"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// snapshotClassArgs are the arguments of a class of volume snapshots.
// Source: external-snapshotter 8.5, VolumeSnapshotClass, snapshot.storage.k8s.io/v1.
type snapshotClassArgs struct {
	APIVersion     *string           `pulumi:"apiVersion"`
	Kind           *string           `pulumi:"kind"`
	Metadata       *objectMeta       `pulumi:"metadata"`
	Driver         string            `pulumi:"driver"`
	DeletionPolicy string            `pulumi:"deletionPolicy"`
	Parameters     map[string]string `pulumi:"parameters"`
}

// defaultSnapshotClass marks the class of a driver's snapshots that name none.
const defaultSnapshotClass = "snapshot.storage.kubernetes.io/is-default-class"

const snapshotClassToken = "kubernetes:snapshot.storage.k8s.io/v1:VolumeSnapshotClass"

var volumeSnapshotClass = kind{
	apiVersion: "snapshot.storage.k8s.io/v1", name: "VolumeSnapshotClass", args: snapshotClassArgs{}, global: true,
	replace: []string{"driver", "parameters"},
	plan:    []engine.Rule{deletionPolicy}, apply: []engine.Rule{snapshotsServed, oneDefaultSnapshotClass, driverSnapshots},
}

var deletionPolicy = engine.Rule{
	Name: "deletion-policy", Says: "`deletionPolicy` is Delete or Retain", Source: "external-snapshotter, VolumeSnapshotClass",
	Judge: func(c *engine.Call) error {
		if p := c.In.Str("deletionPolicy"); p != "Delete" && p != "Retain" {
			return engine.Invalid("deletionPolicy", "got %q, wanted Delete or Retain", p)
		}
		return nil
	},
}

var snapshotsServed = engine.Rule{
	Name: "snapshots-served", Says: "the snapshot controller, which brings the kinds of snapshots, is installed", Source: "EKS User Guide, \"Enable snapshot functionality for CSI volumes\"; rook#5311",
	Judge: func(c *engine.Call) error {
		if hasAddon(c, "snapshot-controller") || len(releasesOf(c, "snapshot-controller")) > 0 {
			return nil
		}
		return engine.Refuse("NotFound", "no matches for kind \"VolumeSnapshotClass\" in version \"snapshot.storage.k8s.io/v1\": make it depend on the add-on snapshot-controller")
	},
}

var oneDefaultSnapshotClass = engine.Rule{
	Name: "one-default-snapshot-class", Says: "one class of a driver is its default; with several, snapshots that name none fail", Source: "external-snapshotter, \"Default VolumeSnapshotClass\"",
	Judge: func(c *engine.Call) error {
		if c.In.Map("metadata.annotations")[defaultSnapshotClass] != "true" {
			return nil
		}
		for _, other := range c.Others(snapshotClassToken) {
			if other.In.Str("driver") == c.In.Str("driver") && other.In.Map("metadata.annotations")[defaultSnapshotClass] == "true" {
				return engine.Refuse("Conflict", "the class %s is the default of the driver %s already", other.ID, c.In.Str("driver"))
			}
		}
		return nil
	},
}

var driverSnapshots = engine.Rule{
	Name: "driver-snapshots", Says: "the Ceph driver of a class runs the sidecar that takes snapshots: its snapshotPolicy is volumeSnapshot", Source: "rook#18156; ceph-csi-operator 1.0.4, values of the chart ceph-csi-drivers",
	Judge: func(c *engine.Call) error {
		driver := c.In.Str("driver")
		for kind, standard := range map[string]string{"rbd": "none", "cephfs": "volumeSnapshot"} {
			if !strings.HasSuffix(driver, "."+kind+".csi.ceph.com") {
				continue
			}
			for _, r := range releasesOf(c, "ceph-csi-drivers") {
				values := "values.drivers." + kind
				policy := r.In.Str(values + ".snapshotPolicy")
				if policy == "" {
					policy = standard
				}
				if r.In.Str(values+".name") == driver && policy == "volumeSnapshot" {
					return nil
				}
			}
			return engine.Refuse("NotReady", "no driver %s takes snapshots: set drivers.%s.name and drivers.%s.snapshotPolicy of the chart ceph-csi-drivers, and make the class depend on its release", driver, kind, kind)
		}
		return nil
	},
}

// scheduleArgs are the arguments of a schedule of snapshots.
// Source: snapscheduler 3.5.0, api/v1/snapshotschedule_types.go.
type scheduleArgs struct {
	APIVersion *string       `pulumi:"apiVersion"`
	Kind       *string       `pulumi:"kind"`
	Metadata   *objectMeta   `pulumi:"metadata"`
	Spec       *scheduleSpec `pulumi:"spec"`
}

type scheduleSpec struct {
	ClaimSelector    *labelSelector    `pulumi:"claimSelector"`
	Disabled         *bool             `pulumi:"disabled"`
	Retention        *retention        `pulumi:"retention"`
	Schedule         *string           `pulumi:"schedule"`
	SnapshotTemplate *snapshotTemplate `pulumi:"snapshotTemplate"`
}

type retention struct {
	Expires  *string `pulumi:"expires"`
	MaxCount *int    `pulumi:"maxCount"`
}

type snapshotTemplate struct {
	Labels            map[string]string `pulumi:"labels"`
	SnapshotClassName *string           `pulumi:"snapshotClassName"`
}

var snapshotSchedule = kind{
	apiVersion: "snapscheduler.backube/v1", name: "SnapshotSchedule", args: scheduleArgs{},
	plan: []engine.Rule{scheduleWords, scheduleRetains}, apply: []engine.Rule{defined(definition{APIVersion: "snapscheduler.backube/v1", Kind: "SnapshotSchedule", Chart: "snapscheduler"})},
}

// The words of a schedule: five fields of numbers, lists, single ranges or steps, or one word for all five.
var (
	cronField    = regexp.MustCompile(`^([0-9]+(,[0-9]+)*|[0-9]+[-/][0-9]+|\*(/[0-9]+)?)$`)
	cronShort    = regexp.MustCompile(`^@(annually|yearly|monthly|weekly|daily|hourly)$`)
	expiresWords = regexp.MustCompile(`^[0-9]+[hms]$`)
)

var scheduleWords = engine.Rule{
	Name: "schedule-words", Says: "a schedule has five fields without names, or is one of @hourly and its like; an age is in hours, minutes or seconds", Source: "snapscheduler 3.5.0, api/v1/snapshotschedule_types.go",
	Judge: func(c *engine.Call) error {
		text := c.In.Str("spec.schedule")
		fields := strings.Fields(text)
		legal := cronShort.MatchString(text) || len(fields) == 5
		for _, f := range fields {
			legal = legal && (cronShort.MatchString(text) || cronField.MatchString(f))
		}
		if !legal && !c.In.Unknown("spec") {
			return engine.Invalid("spec.schedule", "got %q, wanted five fields such as 30 */6 * * *", text)
		}
		if e := c.In.Str("spec.retention.expires"); e != "" && !expiresWords.MatchString(e) {
			return engine.Invalid("spec.retention.expires", "got %q, wanted such as 168h", e)
		}
		return nil
	},
}

var scheduleRetains = engine.Rule{
	Name: "schedule-retains", Says: "a schedule says how many snapshots it keeps, one at least, or how long; else none is ever removed", Source: "snapscheduler 3.5.0, api/v1/snapshotschedule_types.go",
	Judge: func(c *engine.Call) error {
		n, counted := c.In.Int("spec.retention.maxCount")
		if counted && n < 1 {
			return engine.Invalid("spec.retention.maxCount", "got %d, wanted at least 1", n)
		}
		if !counted && !c.In.Has("spec.retention.expires") && !c.In.Unknown("spec") {
			return engine.Invalid("spec.retention", "missing: snapshots would fill the pool")
		}
		return nil
	},
}
