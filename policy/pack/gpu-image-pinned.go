package pack

import (
	"strings"
)

var gpuImagePinned = Policy{
	Name: "gpu-image-pinned", Level: Mandatory, Area: Nodes,
	Summary: "Pools of accelerated nodes state the release of their image.",
	Why: "EKS publishes a node image about every week, with another kernel, driver or container library. A pool without a release takes " +
		"the newest whenever a node starts: two nodes of one job then differ, and an image that breaks RDMA arrives on a Sunday.",
	Fix:      "Set `releaseVersion` on the node group and a numbered `launchTemplate.version`. Move it on purpose, first on a pool of one node.",
	Tokens:   []string{tokenNodeGroup, tokenLaunchTemplate},
	Resource: judgeGPUImagePinned,
}

func judgeGPUImagePinned(r *Resource, _ Config) []Finding {
	t := accelerated(typesAt(r))
	if r.Type == tokenLaunchTemplate {
		image, _ := r.Get("imageId").Text()
		if strings.HasPrefix(image, "resolve:ssm:") && !strings.Contains(strings.TrimPrefix(image, "resolve:ssm:"), ":") && (t != nil || len(efas(r)) > 0) {
			return one("imageId is %s, which is another image at every launch: name an image, or a version of the parameter.", r.Get("imageId").Quote())
		}
		return nil
	}
	if t == nil {
		return nil
	}
	var findings []Finding
	version := r.Get("launchTemplate", "version")
	if text, _ := version.Text(); text == "$Latest" || text == "$Default" {
		findings = one("launchTemplate.version is %s, which moves under a pool of %s: name a number.", version.Quote(), t.Name)
	}
	image, okImage := r.Get("amiType").TextOr("")
	custom := image == "CUSTOM" || image == "" && !r.Get("launchTemplate").Absent() // the template may name an image
	if release, ok := r.Get("releaseVersion").TextOr(""); ok && okImage && release == "" && !custom {
		findings = append(findings, one("No releaseVersion is set for a pool of %s: its image floats. Set one.", t.Name)...)
	}
	return findings
}
