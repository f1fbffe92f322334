package aws_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func text(v resource.PropertyValue) string { return fmt.Sprint(v.Mappable()) }

func TestFunctions(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	const (
		images    = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/"
		zones     = "aws:index/getAvailabilityZones:getAvailabilityZones"
		offerings = "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings"
		parameter = "aws:ssm/getParameter:getParameter"
		version   = "aws:eks/getAddonVersion:getAddonVersion"
		region    = "aws:index/getRegion:getRegion"
	)
	filter := func(name string, values ...any) []any { return []any{m{"name": name, "values": values}} }
	for _, c := range []struct {
		token string
		in    m
		want  map[resource.PropertyKey]string
		fails string
	}{
		{token: "aws:index/getPartition:getPartition", want: map[resource.PropertyKey]string{"partition": "aws", "dnsSuffix": "amazonaws.com", "reverseDnsPrefix": "com.amazonaws"}},
		{token: "aws:index/getCallerIdentity:getCallerIdentity", want: map[resource.PropertyKey]string{"accountId": "111122223333", "arn": "arn:aws:iam::111122223333:user/gpuyard"}},
		{token: region, want: map[resource.PropertyKey]string{"name": "us-west-2"}},
		{token: region, in: m{"name": "us-west-9"}, fails: "the embedded cloud knows us-west-"},
		{token: zones, want: map[resource.PropertyKey]string{"names": "[us-west-2a us-west-2b us-west-2c us-west-2d]", "zoneIds": "[usw2-az2 usw2-az3 usw2-az4 usw2-az1]"}},
		{token: zones, in: m{"filters": filter("zone-id", "usw2-az1", "usw2-az2"), "excludeNames": []any{"us-west-2a"}, "state": "available"}, want: map[resource.PropertyKey]string{"names": "[us-west-2d]"}},
		{token: zones, in: m{"state": "impaired"}, want: map[resource.PropertyKey]string{"names": "[]"}},
		{token: zones, in: m{"filters": filter("zone", "x")}, fails: "The filter 'zone' is invalid"},
		{token: zones, in: m{"filter": "x"}, fails: "filter: unknown property; did you mean filters?"},
		{token: offerings, in: m{"locationType": "availability-zone", "filters": filter("instance-type", "dl1.24xlarge")}, want: map[resource.PropertyKey]string{"locations": "[us-west-2d]", "instanceTypes": "[dl1.24xlarge]", "locationTypes": "[availability-zone]"}},
		{token: offerings, in: m{"locationType": "availability-zone-id", "filters": filter("instance-type", "dl1.*")}, want: map[resource.PropertyKey]string{"locations": "[usw2-az1]"}},
		{token: offerings, in: m{"filters": filter("instance-type", "p5.48xlarge")}, want: map[resource.PropertyKey]string{"locations": "[us-west-2]", "locationTypes": "[region]"}},
		{token: offerings, in: m{"locationType": "availability-zone", "filters": append(filter("instance-type", "p5.48xlarge"), filter("location", "us-west-2b")...)}, want: map[resource.PropertyKey]string{"locations": "[us-west-2b]"}},
		{token: offerings, in: m{"locationType": "zone"}, fails: "InvalidParameterValue"},
		{token: offerings, in: m{"filters": filter("type", "x")}, fails: "The filter 'type' is invalid"},
		{token: parameter, in: m{"name": images + "x86_64/nvidia/recommended/release_version"}, want: map[resource.PropertyKey]string{"value": "1.35.5-20261110", "insecureValue": "1.35.5-20261110", "type": "String"}},
		{token: parameter, in: m{"name": images + "arm64/neuron/recommended/release_version"}, fails: "ParameterNotFound"},
		{token: parameter, in: m{"name": strings.Replace(images, "1.35", "1.20", 1) + "x86_64/nvidia/recommended/release_version"}, fails: "ParameterNotFound"},
		{token: parameter, in: m{"name": "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/arm64/latest/image_version"}, want: map[resource.PropertyKey]string{"value": "1.57.0-4c1d9a7e"}},
		{token: parameter, in: m{"name": "/aws/service/bottlerocket/aws-k8s-1.20/x86_64/latest/image_version"}, fails: "ParameterNotFound"},
		{token: version, in: m{"addonName": "kube-proxy", "kubernetesVersion": "1.35"}, want: map[resource.PropertyKey]string{"version": "v1.35.0-eksbuild.2"}},
		{token: version, in: m{"addonName": "kube-proxy", "kubernetesVersion": "1.35", "mostRecent": true}, want: map[resource.PropertyKey]string{"version": "v1.35.2-eksbuild.1"}},
		{token: version, in: m{"addonName": "core-dns", "kubernetesVersion": "1.35"}, fails: "did you mean coredns"},
		{token: version, in: m{"addonName": "coredns", "kubernetesVersion": "1.20"}, fails: "unsupported Kubernetes version 1.20"},
	} {
		out, err := w.Invoke(c.token, c.in)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s %v: got %v, want %q", c.token, c.in, err, c.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %v: %v", c.token, c.in, err)
		}
		for key, want := range c.want {
			if got := text(out[key]); got != want {
				t.Errorf("%s %v: %s is %s, want %s", c.token, c.in, key, got, want)
			}
		}
		hasWholeResult(t, c.token, out)
	}
}

func hasWholeResult(t *testing.T, token string, out resource.PropertyMap) {
	t.Helper()
	functions := aws.Provider(aws.Account{}).Functions
	for _, f := range functions {
		if f.Token != token {
			continue
		}
		for _, p := range schema.Of(f.Result).Check(out) {
			t.Errorf("%s: its result does not fit the SDK's type: %s %s", token, p.Path, p.Reason)
		}
	}
}

func TestImagesHaveTheirForm(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	name := "/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/arm64/standard/recommended/image_id"
	out, err := w.Invoke("aws:ssm/getParameter:getParameter", m{"name": name})
	if err != nil {
		t.Fatal(err)
	}
	if id := out["value"].StringValue(); !strings.HasPrefix(id, "ami-0") || len(id) != len("ami-")+17 {
		t.Errorf("got %q", id)
	}
}

func TestConfigurationNeedsAKnownRegion(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	for region, want := range map[any]string{
		"us-wset-2":     `got "us-wset-2", which the embedded cloud does not know; wanted one of us-west-2`,
		"":              "region: missing: set aws:region",
		simtest.Unknown: "",
	} {
		err := w.Configure("aws", "other", m{"region": region})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v: got %v, want %q", region, err, want)
		}
	}
}

func TestDefaultTagsReachTagsAll(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	if err := w.Configure("aws", "aws", m{"region": simtest.Region, "defaultTags": `{"tags":{"team":"ml","stack":"dev"}}`}); err != nil {
		t.Fatal(err)
	}
	in := m{"cidrBlock": "10.0.0.0/16", "tags": m{"team": "infra", "who": resource.MakeSecret(resource.NewProperty("me"))}}
	preview, err := w.PreviewCreate("vpc", "aws:ec2/vpc:Vpc", in)
	if err != nil {
		t.Fatal(err)
	}
	made := w.MustCreate("vpc", "aws:ec2/vpc:Vpc", in)
	changed, err := w.Update(made, m{"cidrBlock": "10.0.0.0/16"})
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := w.PreviewCreate("vpc", "aws:ec2/vpc:Vpc", simtest.With(in, m{"tags": simtest.Unknown}))
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ got, want string }{
		"preview": {tags(preview), "stack=dev team=infra who=secret"},
		"created": {tags(made.Outputs), "stack=dev team=infra who=secret"},
		"tags":    {fmt.Sprint(len(made.Outputs["tags"].ObjectValue())), "2"},
		"updated": {tags(changed.Outputs), "stack=dev team=ml"},
		"unknown": {tags(unknown), "unknown"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", what, c.got, c.want)
		}
	}
}

// tags prints tagsAll with its secrets hidden.
func tags(out resource.PropertyMap) string {
	all := out["tagsAll"]
	if !all.IsObject() {
		return "unknown"
	}
	var words []string
	for k, v := range all.ObjectValue() {
		value := "secret"
		if v.IsString() {
			value = v.StringValue()
		}
		words = append(words, string(k)+"="+value)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
