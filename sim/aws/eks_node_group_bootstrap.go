package aws

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// userDataOf returns the plain user data of a node group's template.
func userDataOf(c *engine.Call) []byte {
	t, _ := templateOf(c, c.In)
	data, _ := base64.StdEncoding.DecodeString(t.In.Str("userData")) // the template was judged when it was made
	return data
}

var (
	tomlTable = regexp.MustCompile(`^\[{1,2}\s*settings(\.[^\[\]]+)?\s*\]{1,2}$`)
	tomlPair  = regexp.MustCompile(`^("[^"]+"|'[^']+'|[A-Za-z0-9_.-]+)\s*=\s*\S.*$`)
)

var tomlForBottlerocket = engine.Rule{
	Name: "toml-for-bottlerocket", Says: "user data for Bottlerocket is TOML with tables below `settings`", Source: templateSource + "; Bottlerocket, \"Using user data\"",
	Judge: func(c *engine.Call) error {
		if !parseImage(imageType(c)).bottlerocket {
			return nil
		}
		t, _ := templateOf(c, c.In)
		for i, line := range strings.Split(string(userDataOf(c)), "\n") {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") && !tomlTable.MatchString(line) && !tomlPair.MatchString(line) {
				return engine.Refuse("InvalidRequestException", "User data of launch template %s was not in the TOML format: line %d is %q, wanted [settings.…] or key = value", t.ID, i+1, line)
			}
		}
		return nil
	},
}

var releaseFitsImage = engine.Rule{
	Name: "release-fits-image", Says: "Bottlerocket images have releases such as " + bottlerocketVersion + ", Amazon Linux ones such as 1.35.5-20261110", Source: "EKS API, CreateNodegroup (releaseVersion)",
	Judge: func(c *engine.Call) error {
		release := c.In.Str("releaseVersion")
		if release == "" {
			return nil
		}
		if dated.MatchString(release) == parseImage(imageType(c)).bottlerocket {
			return engine.Refuse("InvalidParameterException", "Requested release version %s is not valid for amiType %s; look it up by the SSM parameter of that image", release, imageType(c))
		}
		return nil
	},
}

// dated matches the releases of images that are named by their date, as all but Bottlerocket's are.
var dated = regexp.MustCompile(`-20\d{6}$`)

// nodeadmConfig is the part of nodeadm's configuration by which a node finds its cluster.
// Source: EKS AL2023 AMI, nodeadm API, node.eks.aws/v1alpha1.
type nodeadmConfig struct {
	Spec struct {
		Cluster struct {
			Name      string `yaml:"name"`
			Endpoint  string `yaml:"apiServerEndpoint"`
			Authority string `yaml:"certificateAuthority"`
			CIDR      string `yaml:"cidr"`
		} `yaml:"cluster"`
	} `yaml:"spec"`
}

var bootstrapFitsCluster = engine.Rule{
	Name: "bootstrap-fits-cluster", Says: "nodes with an image of one's own bootstrap themselves: the template has user data, and a NodeConfig in it names the cluster, its endpoint, authority and service network as they are",
	Source: templateSource + " (with an image id, EKS merges no user data); EKS AL2023 AMI, nodeadm API",
	Judge: func(c *engine.Call) error {
		t, ok := templateOf(c, c.In)
		if !ok || !t.In.Has("imageId") {
			return nil
		}
		data := userDataOf(c)
		if len(data) == 0 {
			return engine.Refuse("NodeCreationFailure", "Instances failed to join the kubernetes cluster: launch template %s names the image %s and has no user data, and EKS adds none to such a template", t.ID, t.In.Str("imageId"))
		}
		if !isMIME(data) {
			return nil // a script or another format: its author knows what it does
		}
		parts, err := mimeParts(data)
		if err != nil {
			return err
		}
		return bootstraps(c, parts)
	},
}

// bootstraps judges the NodeConfig parts of user data together, since nodeadm merges them.
func bootstraps(c *engine.Call, parts []part) error {
	var merged nodeadmConfig
	found, scripts := false, false
	for _, p := range parts {
		scripts = scripts || p.mediaType == "text/x-shellscript"
		if p.mediaType != "application/node.eks.aws" {
			continue
		}
		found = true
		if err := yaml.Unmarshal([]byte(p.body), &merged); err != nil {
			return engine.Refuse("NodeCreationFailure", "Instances failed to join the kubernetes cluster: the NodeConfig does not parse: %v", err)
		}
	}
	if !found && scripts {
		return nil
	}
	cl, _ := c.Resolve("clusterName")
	var errs []error
	for _, f := range []struct{ name, got, want string }{
		{"name", merged.Spec.Cluster.Name, cl.ID},
		{"apiServerEndpoint", merged.Spec.Cluster.Endpoint, cl.Out.Str("endpoint")},
		{"certificateAuthority", merged.Spec.Cluster.Authority, cl.Out.Str("certificateAuthority.data")},
		{"cidr", merged.Spec.Cluster.CIDR, cl.Out.Str("kubernetesNetworkConfig.serviceIpv4Cidr")},
	} {
		if f.got != f.want {
			errs = append(errs, fmt.Errorf("spec.cluster.%s is %q, the cluster's is %q", f.name, f.got, f.want))
		}
	}
	if len(errs) > 0 {
		return engine.Refuse("NodeCreationFailure", "Instances failed to join the kubernetes cluster: in the NodeConfig %v", errors.Join(errs...))
	}
	return nil
}

// groupQuota is the rule on how many node groups a cluster has.
func (a Account) groupQuota() engine.Rule {
	limit := a.limit("node-groups")
	return engine.Rule{
		Name: "quota", Says: fmt.Sprintf("at most %d node groups in a cluster", limit), Source: eksQuotas,
		Judge: func(c *engine.Call) error {
			n := 0
			for _, other := range c.Others(nodeGroupToken) {
				if other.In.Str("clusterName") == c.In.Str("clusterName") {
					n++
				}
			}
			if c.ID == "" && n >= limit {
				return engine.Refuse("ResourceLimitExceededException", "The cluster %s has %d of at most %d node groups; delete one, or ask AWS for a higher quota", c.In.Str("clusterName"), n, limit)
			}
			return nil
		},
	}
}

// sizeQuota is the rule on how many nodes a group has.
func (a Account) sizeQuota() engine.Rule {
	limit := a.limit("nodes")
	return engine.Rule{
		Name: "node-quota", Says: fmt.Sprintf("at most %d nodes in a group", limit), Source: eksQuotas,
		Judge: func(c *engine.Call) error {
			if n, _ := c.In.Int("scalingConfig.maxSize"); n > limit {
				return engine.Refuse("ResourceLimitExceededException", "The group's maxSize %d exceeds the %d nodes that a group has at most; make several groups, or ask AWS for a higher quota", n, limit)
			}
			return nil
		},
	}
}
