package serverless

import (
	"encoding/json"
	"regexp"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ecr"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeRepository is the type token of Repository.
const TypeRepository = "gpuyard:serverless:Repository"

// untaggedDays is how long images are kept that no tag names: those that a build pushed in vain.
const untaggedDays = 7

// RepositoryArgs describes a repository of images.
type RepositoryArgs struct {
	// RepositoryName is the repository's full name in the registry, such as burst/tuner.
	RepositoryName string `pulumi:"repositoryName"`
	// Keep is how many tagged images are kept. Do not keep fewer than may be pushed while a function runs an older one:
	// a function whose image is gone starts no further copies.
	Keep int `pulumi:"keep"`
	// ForceDelete lets the repository be deleted with its images.
	ForceDelete bool `pulumi:"forceDelete,optional"`
	// Tags are put on it.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Repository is a private repository of images: a tag, once pushed, names one image for ever, each image is scanned
// for known vulnerabilities, and old ones go.
type Repository struct {
	pulumi.ResourceState

	// URL is where images are pushed to and pulled from, without a tag.
	URL pulumi.StringOutput `pulumi:"url"`
}

var repositoryName = regexp.MustCompile(`^[a-z0-9]+([._/-][a-z0-9]+)*$`)

// NewRepository registers a Repository.
func NewRepository(ctx *pulumi.Context, name string, args *RepositoryArgs, opts ...pulumi.ResourceOption) (*Repository, error) {
	check := argument.For(TypeRepository, name)
	if args == nil {
		check.Failf("args", "they are not given")
		return nil, check.Err()
	}
	if !repositoryName.MatchString(args.RepositoryName) || len(args.RepositoryName) > 256 {
		check.Failf("repositoryName", "%q is no name of a repository such as burst/tuner", args.RepositoryName)
	}
	between(check, "keep", args.Keep, 1, 1000)
	if err := check.Err(); err != nil {
		return nil, err
	}
	c := &Repository{}
	inputs := pulumi.Map{
		"repositoryName": pulumi.String(args.RepositoryName), "keep": pulumi.Int(args.Keep),
		"forceDelete": pulumi.Bool(args.ForceDelete), "tags": pulumi.ToStringMap(args.Tags),
	}
	if err := ctx.RegisterComponentResourceV2(TypeRepository, name, inputs, c, opts...); err != nil {
		return nil, err
	}
	repository, err := ecr.NewRepository(ctx, name, &ecr.RepositoryArgs{
		Name:                       pulumi.String(args.RepositoryName),
		ImageTagMutability:         pulumi.String("IMMUTABLE"),
		ImageScanningConfiguration: &ecr.RepositoryImageScanningConfigurationArgs{ScanOnPush: pulumi.Bool(true)},
		ForceDelete:                pulumi.Bool(args.ForceDelete),
		Tags:                       tags.Merge(args.Tags, name),
	}, pulumi.Parent(c))
	if err != nil {
		return nil, err
	}
	_, err = ecr.NewLifecyclePolicy(ctx, name, &ecr.LifecyclePolicyArgs{
		Repository: repository.Name,
		Policy:     pulumi.String(lifecycle(args.Keep)),
	}, pulumi.Parent(c))
	if err != nil {
		return nil, err
	}
	c.URL = repository.RepositoryUrl
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{"url": c.URL})
}

// lifecycle returns the policy by which a repository forgets images.
// Source: ECR User Guide, "Examples of lifecycle policies in Amazon ECR".
func lifecycle(keep int) string {
	type selection struct {
		TagStatus   string   `json:"tagStatus"`
		TagPatterns []string `json:"tagPatternList,omitempty"`
		CountType   string   `json:"countType"`
		CountUnit   string   `json:"countUnit,omitempty"`
		CountNumber int      `json:"countNumber"`
	}
	type rule struct {
		Priority    int               `json:"rulePriority"`
		Description string            `json:"description"`
		Selection   selection         `json:"selection"`
		Action      map[string]string `json:"action"`
	}
	expire := map[string]string{"type": "expire"}
	text, err := json.Marshal(map[string][]rule{"rules": {
		{1, "images that no tag names", selection{"untagged", nil, "sinceImagePushed", "days", untaggedDays}, expire},
		{2, "the oldest images", selection{"tagged", []string{"*"}, "imageCountMoreThan", "", keep}, expire},
	}})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return string(text)
}
