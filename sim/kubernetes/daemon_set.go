package kubernetes

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const daemonSetToken = "kubernetes:apps/v1:DaemonSet"

// daemonSetArgs are the arguments of a DaemonSet. What a pod's fields hold below the second level is not judged.
// Source: Kubernetes API, apps/v1 and v1.
type daemonSetArgs struct {
	APIVersion *string        `pulumi:"apiVersion"`
	Kind       *string        `pulumi:"kind"`
	Metadata   *objectMeta    `pulumi:"metadata"`
	Spec       *daemonSetSpec `pulumi:"spec"`
}

type daemonSetState struct {
	APIVersion string          `pulumi:"apiVersion"`
	Kind       string          `pulumi:"kind"`
	Metadata   objectMeta      `pulumi:"metadata"`
	Spec       daemonSetSpec   `pulumi:"spec"`
	Status     daemonSetStatus `pulumi:"status"`
}

type daemonSetSpec struct {
	MinReadySeconds      *int           `pulumi:"minReadySeconds"`
	RevisionHistoryLimit *int           `pulumi:"revisionHistoryLimit"`
	Selector             *labelSelector `pulumi:"selector"`
	Template             *podTemplate   `pulumi:"template"`
	UpdateStrategy       map[string]any `pulumi:"updateStrategy"`
}

type daemonSetStatus struct {
	CurrentNumberScheduled int `pulumi:"currentNumberScheduled"`
	DesiredNumberScheduled int `pulumi:"desiredNumberScheduled"`
	NumberAvailable        int `pulumi:"numberAvailable"`
	NumberMisscheduled     int `pulumi:"numberMisscheduled"`
	NumberReady            int `pulumi:"numberReady"`
	ObservedGeneration     int `pulumi:"observedGeneration"`
	UpdatedNumberScheduled int `pulumi:"updatedNumberScheduled"`
}

type labelSelector struct {
	MatchExpressions []map[string]any  `pulumi:"matchExpressions"`
	MatchLabels      map[string]string `pulumi:"matchLabels"`
}

type podTemplate struct {
	Metadata *objectMeta `pulumi:"metadata"`
	Spec     *podSpec    `pulumi:"spec"`
}

type podSpec struct {
	ActiveDeadlineSeconds         *int              `pulumi:"activeDeadlineSeconds"`
	Affinity                      map[string]any    `pulumi:"affinity"`
	AutomountServiceAccountToken  *bool             `pulumi:"automountServiceAccountToken"`
	Containers                    []container       `pulumi:"containers"`
	DNSConfig                     map[string]any    `pulumi:"dnsConfig"`
	DNSPolicy                     *string           `pulumi:"dnsPolicy"`
	EnableServiceLinks            *bool             `pulumi:"enableServiceLinks"`
	HostAliases                   []map[string]any  `pulumi:"hostAliases"`
	HostIPC                       *bool             `pulumi:"hostIPC"`
	HostNetwork                   *bool             `pulumi:"hostNetwork"`
	HostPID                       *bool             `pulumi:"hostPID"`
	HostUsers                     *bool             `pulumi:"hostUsers"`
	Hostname                      *string           `pulumi:"hostname"`
	ImagePullSecrets              []map[string]any  `pulumi:"imagePullSecrets"`
	InitContainers                []container       `pulumi:"initContainers"`
	NodeName                      *string           `pulumi:"nodeName"`
	NodeSelector                  map[string]string `pulumi:"nodeSelector"`
	OS                            map[string]any    `pulumi:"os"`
	Overhead                      map[string]any    `pulumi:"overhead"`
	PreemptionPolicy              *string           `pulumi:"preemptionPolicy"`
	Priority                      *int              `pulumi:"priority"`
	PriorityClassName             *string           `pulumi:"priorityClassName"`
	ReadinessGates                []map[string]any  `pulumi:"readinessGates"`
	ResourceClaims                []map[string]any  `pulumi:"resourceClaims"`
	RestartPolicy                 *string           `pulumi:"restartPolicy"`
	RuntimeClassName              *string           `pulumi:"runtimeClassName"`
	SchedulerName                 *string           `pulumi:"schedulerName"`
	SchedulingGates               []map[string]any  `pulumi:"schedulingGates"`
	SecurityContext               map[string]any    `pulumi:"securityContext"`
	ServiceAccountName            *string           `pulumi:"serviceAccountName"`
	SetHostnameAsFQDN             *bool             `pulumi:"setHostnameAsFQDN"`
	ShareProcessNamespace         *bool             `pulumi:"shareProcessNamespace"`
	Subdomain                     *string           `pulumi:"subdomain"`
	TerminationGracePeriodSeconds *int              `pulumi:"terminationGracePeriodSeconds"`
	Tolerations                   []map[string]any  `pulumi:"tolerations"`
	TopologySpreadConstraints     []map[string]any  `pulumi:"topologySpreadConstraints"`
	Volumes                       []map[string]any  `pulumi:"volumes"`
}

type container struct {
	Args                     []string         `pulumi:"args"`
	Command                  []string         `pulumi:"command"`
	Env                      []map[string]any `pulumi:"env"`
	EnvFrom                  []map[string]any `pulumi:"envFrom"`
	Image                    *string          `pulumi:"image"`
	ImagePullPolicy          *string          `pulumi:"imagePullPolicy"`
	Lifecycle                map[string]any   `pulumi:"lifecycle"`
	LivenessProbe            map[string]any   `pulumi:"livenessProbe"`
	Name                     string           `pulumi:"name"`
	Ports                    []map[string]any `pulumi:"ports"`
	ReadinessProbe           map[string]any   `pulumi:"readinessProbe"`
	Resources                map[string]any   `pulumi:"resources"`
	SecurityContext          map[string]any   `pulumi:"securityContext"`
	StartupProbe             map[string]any   `pulumi:"startupProbe"`
	TerminationMessagePath   *string          `pulumi:"terminationMessagePath"`
	TerminationMessagePolicy *string          `pulumi:"terminationMessagePolicy"`
	VolumeDevices            []map[string]any `pulumi:"volumeDevices"`
	VolumeMounts             []map[string]any `pulumi:"volumeMounts"`
	WorkingDir               *string          `pulumi:"workingDir"`
}

const podPath = "spec.template.spec"

func daemonSet() *engine.Resource {
	return &engine.Resource{
		Token: daemonSetToken, Args: daemonSetArgs{}, State: daemonSetState{},
		Replace:     []string{"metadata.name", "metadata.namespace", "spec.selector"},
		DeleteFirst: true,
		Fills:       metadataFills,
		Moves:       []string{"metadata", "status"},
		Plan:        []engine.Rule{isOf("apps/v1", "DaemonSet"), named, selectsItsPods, runsContainers, mountsVolumes, tolerationsAt(podPath + ".tolerations[*]"), restartsAlways},
		Apply:       []engine.Rule{reachable, namespaceExists, priorityExists},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			cl, _ := clusterOf(c)
			c.ComeWith(clusterToken, cl.ID)
			uid, err := uidOf(c)
			out := engine.Outputs{"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": metadata(c, uid, 1, false), "status": rollout(1)}
			return namespace(c) + "/" + c.In.Str("metadata.name"), out, err
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			generation, _ := c.Was.Int("metadata.generation")
			return engine.Outputs{"metadata": metadata(c, c.Was.Str("metadata.uid"), generation+1, false), "status": rollout(generation + 1)}, nil
		},
	}
}

// rollout returns the status of a DaemonSet whose pods, since none run here, are on no node.
func rollout(generation int) map[string]any {
	status := map[string]any{"observedGeneration": generation}
	for _, name := range []string{"currentNumberScheduled", "desiredNumberScheduled", "numberAvailable", "numberMisscheduled", "numberReady", "updatedNumberScheduled"} {
		status[name] = 0
	}
	return status
}

var selectsItsPods = engine.Rule{
	Name: "selects-its-pods", Says: "the selector names labels, and the template has them", Source: "Kubernetes, \"DaemonSet\"",
	Judge: func(c *engine.Call) error {
		if c.In.Unknown("spec") {
			return nil
		}
		wanted, has := c.In.Map("spec.selector.matchLabels"), c.In.Map("spec.template.metadata.labels")
		if len(wanted) == 0 && !c.In.Has("spec.selector.matchExpressions[*]") {
			return engine.Invalid("spec.selector", "empty: a selector that selects all pods is invalid for a DaemonSet")
		}
		for _, k := range sorted(wanted) {
			if has[k] != wanted[k] {
				return engine.Invalid("spec.template.metadata.labels", "the selector does not match the template's labels: it wants %s=%s", k, wanted[k])
			}
		}
		return nil
	},
}

var runsContainers = engine.Rule{
	Name: "runs-containers", Says: "a pod has at least one container; each has an image, and a name of its own", Source: "Kubernetes API, PodSpec",
	Judge: func(c *engine.Call) error {
		if c.In.Unknown("spec") {
			return nil
		}
		var errs []error
		seen := map[string]bool{}
		containers := c.In.Blocks(podPath + ".containers[*]")
		if len(containers) == 0 {
			errs = append(errs, engine.Invalid(podPath+".containers", "missing: give at least one"))
		}
		for i, one := range containers {
			at := fmt.Sprintf("%s.containers[%d]", podPath, i)
			if !one.Has("image") {
				errs = append(errs, engine.Invalid(at+".image", "missing: a container has an image"))
			}
			if name := one.Str("name"); seen[name] {
				errs = append(errs, engine.Invalid(at+".name", "%q is there twice", name))
			}
			seen[one.Str("name")] = true
		}
		return errors.Join(errs...)
	},
}

var mountsVolumes = engine.Rule{
	Name: "mounts-volumes", Says: "a container mounts volumes that its pod has", Source: "Kubernetes API, VolumeMount",
	Judge: func(c *engine.Call) error {
		volumes := c.In.Strs(podPath + ".volumes[*].name")
		for _, path := range []string{".containers[*].volumeMounts[*].name", ".initContainers[*].volumeMounts[*].name"} {
			for _, l := range c.In.Leaves(podPath + path) {
				if l.Value.IsString() && !slices.Contains(volumes, l.Value.StringValue()) {
					return engine.Invalid(l.Path, "the pod has no volume %q", l.Value.StringValue())
				}
			}
		}
		return nil
	},
}

var restartsAlways = engine.Rule{
	Name: "restarts-always", Says: "the pods of a DaemonSet restart always", Source: "Kubernetes, \"DaemonSet\"",
	Judge: func(c *engine.Call) error {
		if p := c.In.Str(podPath + ".restartPolicy"); p != "" && p != "Always" {
			return engine.Invalid(podPath+".restartPolicy", "got %q, wanted Always", p)
		}
		return nil
	},
}

var priorityExists = engine.Rule{
	Name: "priority-exists", Says: "the priority class of the pods exists", Source: "Kubernetes, \"Pod Priority and Preemption\"",
	Judge: func(c *engine.Call) error {
		name := c.In.Str(podPath + ".priorityClassName")
		if _, ok := c.Get(priorityClassToken, name); ok || name == "" || slices.Contains(builtIn, name) {
			return nil
		}
		return engine.Refuse("Forbidden", "no PriorityClass with name %s was found; make it first", name)
	},
}
