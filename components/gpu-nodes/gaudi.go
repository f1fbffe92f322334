package gpunodes

import (
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// tokenDaemonSet is the type token of a DaemonSet, registered by its token for the sake of one resource.
const tokenDaemonSet = "kubernetes:apps/v1:DaemonSet"

// gaudiPluginImage is the newest image of the Gaudi device plugin that could be found named in public. Its tags are those
// of the Gaudi software, with which the driver of the nodes' image comes.
const gaudiPluginImage = "vault.habana.ai/docker-k8s-device-plugin/docker-k8s-device-plugin:1.22.1-6"

// newGaudiPlugin registers the Gaudi device plugin, as a DaemonSet: nobody publishes a chart of it alone. The Gaudi
// operator's chart installs drivers and a container runtime too, which the nodes' image has.
// Source: Intel Gaudi documentation, "Intel Gaudi Device Plugin for Kubernetes" and "Intel Gaudi Base Operator".
func newGaudiPlugin(ctx *pulumi.Context, name string, pools []pluginPool, args *PluginsArgs, opts ...pulumi.ResourceOption) error {
	labels := pulumi.StringMap{"app.kubernetes.io/name": pulumi.String("gaudi-device-plugin")}
	sockets := pulumi.String("/var/lib/kubelet/device-plugins")
	inputs := pulumi.Map{
		"apiVersion": pulumi.String("apps/v1"),
		"kind":       pulumi.String("DaemonSet"),
		"metadata": pulumi.Map{
			"name": pulumi.String("gaudi-device-plugin"), "namespace": pulumi.String("kube-system"), "labels": labels,
		},
		"spec": pulumi.Map{
			"selector": pulumi.Map{"matchLabels": labels},
			"template": pulumi.Map{
				"metadata": pulumi.Map{"labels": labels},
				"spec": pulumi.Map{
					"priorityClassName": pulumi.String("system-node-critical"),
					"affinity":          affinityTo(pools),
					"tolerations":       tolerations(pools),
					"containers": pulumi.Array{pulumi.Map{
						"name":  pulumi.String("plugin"),
						"image": pulumi.String(gaudiImage(args)),
						// It finds the devices under /dev and in sysfs.
						"securityContext": pulumi.Map{"privileged": pulumi.Bool(true)},
						"volumeMounts":    pulumi.Array{pulumi.Map{"name": pulumi.String("sockets"), "mountPath": sockets}},
					}},
					"volumes": pulumi.Array{pulumi.Map{
						"name": pulumi.String("sockets"), "hostPath": pulumi.Map{"path": sockets},
					}},
				},
			},
		},
	}
	var daemonSet pulumi.CustomResourceState
	return ctx.RegisterResource(tokenDaemonSet, name, inputs, &daemonSet, opts...)
}

// gaudiImage returns the image of the Gaudi plugin that the arguments ask for.
func gaudiImage(args *PluginsArgs) string {
	if args.GaudiPluginImage == "" {
		return gaudiPluginImage
	}
	return args.GaudiPluginImage
}

// checkGaudiImage reports an image that can change under running nodes.
func checkGaudiImage(c *argument.Checker, image string) {
	name := image[strings.LastIndex(image, "/")+1:]
	if _, tag, _ := strings.Cut(name, ":"); tag == "" || tag == "latest" {
		c.Failf("gaudiPluginImage", "%s floats: name its tag or digest", image)
	}
}
