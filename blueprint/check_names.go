package blueprint

import (
	"path/filepath"
	"regexp"

	"github.com/hashicorp/hcl/v2"
)

const (
	// longestEnvironment and longestName leave room for what names of cloud resources are made of: both names, dashes
	// and eight random characters fit into the 64 characters of an IAM role and the 63 of a bucket or node group.
	longestEnvironment = 24
	longestName        = 30
)

var (
	plainName    = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// checkNames refuses names that cannot become names of cloud and Kubernetes objects, or of environment variables. It
// warns of an environment that is not called as its stack, which may be meant: what two stacks make under one name clashes.
//
// Sources: RFC 1123, "label"; IAM quotas, role name of 64 characters; S3, bucket naming rules, 63; Kubernetes,
// "Object Names and IDs"; Azure Container Apps, names of 32.
func checkNames(b *Blueprint, k known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	judge := func(name Value[string], longest int) {
		switch {
		case !name.IsSet():
		case !plainName.MatchString(name.Value):
			diags = append(diags, errorf(name.Range, "Illegal name",
				"%q is no legal name: names are made of lower-case letters, digits and dashes, begin with a letter and do not end with a dash.", name.Value))
		case len(name.Value) > longest:
			diags = append(diags, errorf(name.Range, "Name too long",
				"%q has %d characters, and the names of cloud resources made of it leave room for %d.", name.Value, len(name.Value), longest))
		}
	}
	judge(b.Environment.Name, longestEnvironment)
	if name := b.Environment.Name; k.name != "" && name.IsSet() && name.Value != k.name {
		diags = append(diags, warnf(name.Range, "Environment of another name",
			`This file describes the stack %[1]q, and all that it makes is called after the environment, %[2]q. If a stack %[2]q exists as well, they clash: write environment %[1]q, or name the file %[2]s%[3]s and use the stack %[2]q.`,
			k.name, name.Value, filepath.Ext(name.Range.Filename)))
	}
	for _, p := range b.NodePools {
		judge(p.Name, longestName)
	}
	for _, p := range b.NodeProfiles {
		judge(p.Name, longestName)
	}
	for _, s := range b.Storage {
		judge(s.Name, longestName)
	}
	for _, c := range b.Caches {
		judge(c.Name, longestName)
	}
	for _, s := range b.Serverless {
		judge(s.Name, longestName)
	}
	for _, v := range b.Variables {
		if !variableName.MatchString(v.Name.Value) {
			diags = append(diags, errorf(v.Name.Range, "Illegal name",
				"%q is no legal name of a variable: %s could not be set. Use letters, digits and underscores.", v.Name.Value, environName(v.Name.Value)))
		}
	}
	return diags
}
