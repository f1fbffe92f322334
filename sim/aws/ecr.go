package aws

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ecr"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	repositoryToken     = "aws:ecr/repository:Repository"
	imageLifecycleToken = "aws:ecr/lifecyclePolicy:LifecyclePolicy"
	pullThroughToken    = "aws:ecr/pullThroughCacheRule:PullThroughCacheRule"
	replicationToken    = "aws:ecr/replicationConfiguration:ReplicationConfiguration"
)

// repositoryShape is that of a repository's name. Source: ECR API, CreateRepository.
var repositoryShape = regexp.MustCompile(`^(?:[a-z0-9]+(?:[._-][a-z0-9]+)*/)*[a-z0-9]+(?:[._-][a-z0-9]+)*$`)

func repository() *engine.Resource {
	const source = "ECR API, CreateRepository"
	return &engine.Resource{
		Token: repositoryToken, Args: ecr.RepositoryArgs{}, State: ecr.Repository{},
		Replace:  []string{"name", "encryptionConfigurations"},
		AutoName: &engine.AutoName{Property: "name", Max: 256},
		Plan: []engine.Rule{
			shape("name", "consists of lower-case letters and digits, with single . _ - or / between them", source, repositoryShape),
			oneOf("imageTagMutability", source, "MUTABLE", "IMMUTABLE"),
		},
		Keep: []engine.Rule{repositoryEmpty},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("name")
			out := engine.Outputs{
				"arn": arn(c, "ecr", "repository/"+name), "registryId": engine.Account, "repositoryUrl": registryHost(c.Region) + "/" + name,
			}
			setDefault(c, out, "imageTagMutability", "MUTABLE")
			return name, out, nil
		},
	}
}

// registryHost is where the account's registry of a region is.
func registryHost(region string) string {
	return fmt.Sprintf("%s.dkr.ecr.%s.%s", engine.Account, region, partition(region).dnsSuffix)
}

var repositoryEmpty = engine.Rule{
	Name: "repository-empty", Says: "a repository goes when it holds no images any more, or with `forceDelete`", Source: "ECR API, DeleteRepository (RepositoryNotEmptyException)",
	Judge: func(c *engine.Call) error {
		if n := len(imagesOf(c, c.ID)); n > 0 && !c.In.Bool("forceDelete") {
			return engine.Refuse("RepositoryNotEmptyException", "The repository with name '%s' in registry with id '%s' cannot be deleted because it still contains %d images; delete them, or set forceDelete before", c.ID, engine.Account, n)
		}
		return nil
	},
}

func lifecyclePolicy() *engine.Resource {
	return &engine.Resource{
		Token: imageLifecycleToken, Args: ecr.LifecyclePolicyArgs{}, State: ecr.LifecyclePolicy{},
		Replace: []string{"repository", "policy"},
		Refs:    []engine.Ref{{Path: "repository", To: repositoryToken, By: byID, Code: "RepositoryNotFoundException"}},
		Plan:    []engine.Rule{lifecycleRules},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			c.ComeWith(repositoryToken, c.In.Str("repository"))
			return c.In.Str("repository"), engine.Outputs{"registryId": engine.Account}, nil
		},
	}
}

var lifecycleRules = engine.Rule{
	Name: "lifecycle-rules", Says: "the policy is JSON with rules of distinct priorities that count images or days and expire", Source: "ECR User Guide, \"Lifecycle policy properties in Amazon ECR\"",
	Judge: func(c *engine.Call) error {
		text := c.In.Str("policy")
		if text == "" {
			return nil
		}
		var doc struct {
			Rules []struct {
				RulePriority int
				Description  string
				Selection    struct {
					TagStatus, CountType, CountUnit string
					TagPatternList, TagPrefixList   []string
					CountNumber                     int
				}
				Action map[string]string
			}
		}
		if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Rules) == 0 {
			return engine.Invalid("policy", "the text is no JSON policy with rules: %v", err)
		}
		var errs []error
		seen := map[int]bool{}
		for _, r := range doc.Rules {
			s := r.Selection
			tagged := s.TagStatus == "tagged" && len(s.TagPatternList)+len(s.TagPrefixList) > 0 || s.TagStatus == "untagged" || s.TagStatus == "any"
			counts := s.CountType == "imageCountMoreThan" && s.CountUnit == "" || s.CountType == "sinceImagePushed" && s.CountUnit == "days"
			if r.RulePriority < 1 || seen[r.RulePriority] || !tagged || !counts || s.CountNumber < 1 || r.Action["type"] != "expire" {
				errs = append(errs, engine.Invalid("policy", "rule %d has no priority of its own, selects no tags, counts nothing, or does not expire", r.RulePriority))
			}
			seen[r.RulePriority] = true
		}
		return errors.Join(errs...)
	},
}

func pullThroughCacheRule() *engine.Resource {
	const source = "ECR API, CreatePullThroughCacheRule"
	return &engine.Resource{
		Token: pullThroughToken, Args: ecr.PullThroughCacheRuleArgs{}, State: ecr.PullThroughCacheRule{},
		Replace: []string{"ecrRepositoryPrefix", "upstreamRegistryUrl"},
		Plan: []engine.Rule{
			shape("ecrRepositoryPrefix", "has 2 to 30 lower-case letters and digits, with single . _ - or / between them", source, regexp.MustCompile(`^[a-z0-9][a-z0-9._/-]{0,28}[a-z0-9]$`)),
			shape("credentialArn", "names a secret that begins with ecr-pullthroughcache/", source, regexp.MustCompile(`:secret:ecr-pullthroughcache/`)),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			return c.In.Str("ecrRepositoryPrefix"), engine.Outputs{"registryId": engine.Account}, nil
		},
	}
}

func replicationConfiguration() *engine.Resource {
	return &engine.Resource{
		Token: replicationToken, Args: ecr.ReplicationConfigurationArgs{}, State: ecr.ReplicationConfiguration{},
		Apply: []engine.Rule{replicationElsewhere},
		Create: func(*engine.Call) (string, engine.Outputs, error) {
			return engine.Account, engine.Outputs{"registryId": engine.Account}, nil
		},
	}
}

var replicationElsewhere = engine.Rule{
	Name: "replication-elsewhere", Says: "images are copied to another region or another account", Source: "ECR API, PutReplicationConfiguration",
	Judge: func(c *engine.Call) error {
		for _, d := range c.In.Blocks("replicationConfiguration.rules[*].destinations[*]") {
			if d.Str("region") == c.Region && d.Str("registryId") == engine.Account {
				return engine.Refuse("ValidationException", "Replication configuration cannot have the registry itself as a destination: %s in %s", engine.Account, c.Region)
			}
		}
		return nil
	},
}

func getImage() *engine.Function {
	return &engine.Function{
		Token: "aws:ecr/getImage:getImage", Args: &ecr.GetImageArgs{}, Result: &ecr.GetImageResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			name := c.In.Str("repositoryName")
			if _, ok := c.Get(repositoryToken, name); !ok {
				return nil, engine.Refuse("reading ECR Images: RepositoryNotFoundException", "The repository with name '%s' does not exist in the registry with id '%s'", name, engine.Account)
			}
			for _, i := range imagesOf(c, name) {
				if i.is(c.In.Str("imageTag"), c.In.Str("imageDigest")) {
					return engine.Outputs{
						"id": i.digest, "imageDigest": i.digest, "imageTags": anys(i.tags), "imageUri": registryHost(c.Region) + "/" + name + "@" + i.digest,
						"registryId": engine.Account, "repositoryName": name, "imageSizeInBytes": i.sizeMiB << 20, "imagePushedAt": i.pushed,
					}, nil
				}
			}
			return nil, engine.Refuse("reading ECR Images: ImageNotFoundException", "The image with imageId {imageDigest:'%s', imageTag:'%s'} does not exist within the repository with name '%s' in the registry with id '%s'",
				c.In.Str("imageDigest"), c.In.Str("imageTag"), name, engine.Account)
		},
	}
}

// getAuthorizationToken gives a token for a registry that nobody can reach: images of the embedded cloud have no layers.
func getAuthorizationToken() *engine.Function {
	return &engine.Function{
		Token: "aws:ecr/getAuthorizationToken:getAuthorizationToken", Args: &ecr.GetAuthorizationTokenArgs{}, Result: &ecr.GetAuthorizationTokenResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			return engine.Outputs{
				"id": c.Region, "userName": "AWS", "password": "simulated", "authorizationToken": "QVdTOnNpbXVsYXRlZA==", "expiresAt": c.Now(),
				"proxyEndpoint": "https://" + strings.TrimSuffix(registryHost(c.Region), "com") + "test",
			}, nil
		},
	}
}

func anys(list []string) []any {
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}
