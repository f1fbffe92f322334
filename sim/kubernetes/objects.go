package kubernetes

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// objectMeta is the metadata of an object, as far as programs set it.
// Source: Kubernetes API, ObjectMeta. The types of objects are stated here because the SDK's packages of them take
// minutes to compile.
type objectMeta struct {
	Annotations       map[string]string `pulumi:"annotations"`
	CreationTimestamp *string           `pulumi:"creationTimestamp"`
	Finalizers        []string          `pulumi:"finalizers"`
	GenerateName      *string           `pulumi:"generateName"`
	Generation        *int              `pulumi:"generation"`
	Labels            map[string]string `pulumi:"labels"`
	Name              *string           `pulumi:"name"`
	Namespace         *string           `pulumi:"namespace"`
	ResourceVersion   *string           `pulumi:"resourceVersion"`
	UID               *string           `pulumi:"uid"`
}

// metadataFills are what the API server fills in.
var metadataFills = []string{"metadata.creationTimestamp", "metadata.generation", "metadata.namespace", "metadata.resourceVersion", "metadata.uid"}

// metadata returns the metadata of an object as the API server reports it.
func metadata(c *engine.Call, uid string, generation int, global bool) map[string]any {
	out := map[string]any{
		"name": c.In.Str("metadata.name"), "creationTimestamp": c.Now(), "generation": generation,
		"resourceVersion": fmt.Sprint(generation), "uid": uid,
	}
	if !global {
		out["namespace"] = namespace(c)
	}
	for _, path := range []string{"labels", "annotations"} {
		if m := c.In.Map("metadata." + path); len(m) > 0 {
			words := map[string]any{}
			for k, v := range m {
				words[k] = v
			}
			out[path] = words
		}
	}
	return out
}

// uidOf returns the identifier of a new object.
func uidOf(c *engine.Call) (string, error) {
	h, err := c.NewHex("object")
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32], err
}

// isOf is the rule on the version and kind that an object states.
func isOf(apiVersion, kind string) engine.Rule {
	return engine.Rule{
		Name: "kind", Says: "`apiVersion` is " + apiVersion + " and `kind` is " + kind, Source: "Kubernetes API",
		Judge: func(c *engine.Call) error {
			for path, want := range map[string]string{"apiVersion": apiVersion, "kind": kind} {
				if got := c.In.Str(path); got != "" && got != want {
					return engine.Invalid(path, "got %q, wanted %s", got, want)
				}
			}
			return nil
		},
	}
}

var objectName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

var named = engine.Rule{
	Name: "named", Says: "`metadata.name` is given, and is a DNS name; the embedded cloud names no objects", Source: "Kubernetes, \"Object Names and IDs\"",
	Judge: func(c *engine.Call) error {
		if name := c.In.Str("metadata.name"); !c.In.Unknown("metadata.name") && !objectName.MatchString(name) {
			return engine.Invalid("metadata.name", "got %q, wanted lower case letters, digits, dashes and dots", name)
		}
		return nil
	},
}

// tolerationsAt is the rule on the tolerations of pods.
func tolerationsAt(path string) engine.Rule {
	return engine.Rule{
		Name: "legal-tolerations", Says: "a toleration's operator is Exists, without a value, or Equal; its effect is one of Kubernetes'", Source: "Kubernetes, \"Taints and Tolerations\"",
		Judge: func(c *engine.Call) error {
			var errs []error
			for i, t := range c.In.Blocks(path) {
				at := fmt.Sprintf("%s[%d]", strings.TrimSuffix(path, "[*]"), i)
				operator, effect := t.Str("operator"), t.Str("effect")
				switch {
				case operator != "" && operator != "Exists" && operator != "Equal":
					errs = append(errs, engine.Invalid(at+".operator", "got %q, wanted Exists or Equal", operator))
				case operator == "Exists" && t.Has("value"):
					errs = append(errs, engine.Invalid(at+".value", "a toleration with Exists has no value"))
				case effect != "" && !slices.Contains([]string{"NoSchedule", "PreferNoSchedule", "NoExecute"}, effect):
					errs = append(errs, engine.Invalid(at+".effect", "got %q, wanted NoSchedule, PreferNoSchedule or NoExecute", effect))
				}
			}
			return errors.Join(errs...)
		},
	}
}
