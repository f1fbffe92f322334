// Package manifest registers Kubernetes objects by their type tokens.
//
// The SDK's packages of Kubernetes objects cost a user minutes of compilation for a handful of objects, and custom
// resources have none. To the engine and the provider, an object that is registered here is the same.
package manifest

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Token returns the type token of a kind of object: kubernetes:core/v1:PersistentVolume for "v1", "PersistentVolume".
func Token(apiVersion, kind string) string {
	if !strings.Contains(apiVersion, "/") {
		apiVersion = "core/" + apiVersion
	}
	return "kubernetes:" + apiVersion + ":" + kind
}

// Object is a Kubernetes object.
type Object struct {
	// APIVersion and Kind are the object's, such as storage.k8s.io/v1 and StorageClass.
	APIVersion, Kind string
	// Name is the object's name, and Namespace is empty for an object of the whole cluster.
	Name, Namespace string
	// Labels and Annotations may be nil.
	Labels, Annotations map[string]string
	// Fields are everything beside metadata, such as spec.
	Fields pulumi.Map
}

// New registers an object under a resource name.
func New(ctx *pulumi.Context, name string, o Object, opts ...pulumi.ResourceOption) (pulumi.Resource, error) {
	metadata := pulumi.Map{"name": pulumi.String(o.Name)}
	if o.Namespace != "" {
		metadata["namespace"] = pulumi.String(o.Namespace)
	}
	if len(o.Labels) > 0 {
		metadata["labels"] = pulumi.ToStringMap(o.Labels)
	}
	if len(o.Annotations) > 0 {
		metadata["annotations"] = pulumi.ToStringMap(o.Annotations)
	}
	args := pulumi.Map{
		"apiVersion": pulumi.String(o.APIVersion), "kind": pulumi.String(o.Kind), "metadata": metadata,
	}
	for key, value := range o.Fields {
		args[key] = value
	}
	var registered pulumi.CustomResourceState
	if err := ctx.RegisterResource(Token(o.APIVersion, o.Kind), name, args, &registered, opts...); err != nil {
		return nil, err
	}
	return &registered, nil
}
