package stacks

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// newAWSProvider registers the AWS provider of the environment. Its region and its default tags come from the
// blueprint; every other setting of the `aws:` configuration namespace (profile, assume-role, endpoints, …) is
// passed through as it is, which an explicit provider does not do by itself.
func newAWSProvider(ctx *pulumi.Context, region string, tags map[string]string) (*aws.Provider, error) {
	inputs, err := awsSettings(region, tags, func(name string) (string, bool, bool) {
		key := "aws:" + name
		value, ok := ctx.GetConfig(key)
		return value, ctx.IsConfigSecret(key), ok
	})
	if err != nil {
		return nil, err
	}
	// The SDK's constructor knows which version of the plugin belongs to it; its arguments have no room for settings as
	// they stand in a configuration, so these are put in their place on the way to the engine.
	settings := pulumi.Transformations([]pulumi.ResourceTransformation{
		func(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
			return &pulumi.ResourceTransformationResult{Props: inputs, Opts: args.Opts}
		},
	})
	provider, err := aws.NewProvider(ctx, "aws", &aws.ProviderArgs{}, settings)
	if err != nil {
		return nil, fmt.Errorf("registering the AWS provider: %w", err)
	}
	return provider, nil
}

// awsSettings builds the provider's inputs. The function setting answers what the stack configuration holds for a name
// of the aws namespace: its value, whether it is a secret, and whether it is there.
func awsSettings(region string, tags map[string]string, setting func(string) (value string, secret, ok bool)) (pulumi.Map, error) {
	inputs := pulumi.Map{}
	for _, name := range providerSettings() {
		value, secret, ok := setting(name)
		if !ok {
			continue
		}
		if inputs[name] = pulumi.String(value); secret {
			inputs[name] = pulumi.ToSecret(pulumi.String(value)).(pulumi.Input)
		}
	}
	if given, _, ok := setting("region"); ok && given != region {
		return nil, fmt.Errorf("the stack configuration says aws:region = %s and the blueprint says region = %s: "+
			"remove the first with `pulumi config rm aws:region`", given, region)
	}
	inputs["region"] = pulumi.String(region)
	merged, err := defaultTags(tags, setting)
	if err != nil {
		return nil, err
	}
	if merged != "" {
		inputs["defaultTags"] = pulumi.String(merged)
	}
	return inputs, nil
}

// defaultTags merges the blueprint's tags with those of `aws:defaultTags`, which win: who configures a stack knows
// more than who wrote its blueprint. The result is JSON, as providers take structured settings.
func defaultTags(tags map[string]string, setting func(string) (string, bool, bool)) (string, error) {
	var given struct {
		Tags map[string]string `json:"tags"`
	}
	if text, _, ok := setting("defaultTags"); ok {
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			return "", fmt.Errorf(`the stack configuration's aws:defaultTags is not of the form {"tags": {"key": "value"}}: %w`, err)
		}
	}
	merged := maps.Clone(tags)
	if merged == nil {
		merged = map[string]string{}
	}
	maps.Copy(merged, given.Tags)
	if len(merged) == 0 {
		return "", nil
	}
	text, err := json.Marshal(map[string]any{"tags": merged})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return string(text), nil
}

// providerSettings are the names of the AWS provider's settings, read off the SDK's own argument type.
func providerSettings() []string {
	t := aws.ProviderArgs{}.ElementType()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var names []string
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("pulumi"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}
