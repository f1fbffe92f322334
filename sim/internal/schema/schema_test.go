package schema

import (
	"reflect"
	"slices"
	"testing"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func TestOfArguments(t *testing.T) {
	t.Parallel()
	group := Of(eks.NodeGroupArgs{})
	for _, want := range []struct {
		path     []string
		kind     Kind
		optional bool
	}{
		{[]string{"clusterName"}, String, false},
		{[]string{"amiType"}, String, true},
		{[]string{"subnetIds"}, List, true},
		{[]string{"labels"}, Map, true},
		{[]string{"diskSize"}, Int, true},
		{[]string{"forceUpdateVersion"}, Bool, true},
		{[]string{"scalingConfig"}, Object, false},
		{[]string{"scalingConfig", "maxSize"}, Int, false},
		{[]string{"launchTemplate"}, Object, true},
		{[]string{"launchTemplate", "version"}, String, false},
	} {
		at, f := group, (*Field)(nil)
		for _, name := range want.path {
			f = at.Field(name)
			if f == nil {
				t.Fatalf("%v: no such field", want.path)
			}
			at = f.Type
		}
		if f.Type.Kind != want.kind || f.Optional != want.optional {
			t.Errorf("%v: got %s, optional %v; want %s, %v", want.path, f.Type.Kind, f.Optional, want.kind, want.optional)
		}
	}
	if taint := group.Field("taints").Type.Elem; taint.Kind != Object || taint.Field("effect") == nil {
		t.Errorf("taints hold %+v", taint)
	}
}

func TestOfStateReadsOutputs(t *testing.T) {
	t.Parallel()
	vpc := Of(ec2.Vpc{})
	if f := vpc.Field("arn"); f == nil || f.Type.Kind != String || f.Optional {
		t.Errorf("arn: %+v", f)
	}
	if f := vpc.Field("enableDnsSupport"); f == nil || f.Type.Kind != Bool || !f.Optional {
		t.Errorf("enableDnsSupport: %+v", f)
	}
	if f := Of(ec2.LaunchTemplate{}).Field("networkInterfaces"); f == nil || f.Type.Elem.Field("networkCardIndex") == nil {
		t.Errorf("networkInterfaces: %+v", f)
	}
	if vpc.Field("urn") != nil || vpc.Field("vpcs") != nil {
		t.Error("fields that are no properties of a VPC")
	}
}

// recursive is a type that contains itself, as filters in some SDK packages do.
type recursive struct {
	Name  string                `pulumi:"name"`
	And   []recursive           `pulumi:"and"`
	Code  pulumi.AssetOrArchive `pulumi:"code"`
	Free  any                   `pulumi:"free"`
	Ratio *float64              `pulumi:"ratio"`
	plain string
}

func TestOfPlainStruct(t *testing.T) {
	t.Parallel()
	r := Of(&recursive{plain: "not a property"})
	if got := r.Names(); !slices.Equal(got, []string{"name", "and", "code", "free", "ratio"}) {
		t.Errorf("names: %v", got)
	}
	for name, want := range map[string]Kind{"and": List, "code": Asset, "free": Any, "ratio": Number} {
		if got := r.Field(name).Type.Kind; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got := r.Field("and").Type.Elem.Kind; got != Any {
		t.Errorf("the inner type is %s; recursion must end", got)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	text := func(s string) resource.PropertyValue { return resource.NewProperty(s) }
	object := func(m resource.PropertyMap) resource.PropertyValue { return resource.NewProperty(m) }
	list := func(v ...resource.PropertyValue) resource.PropertyValue { return resource.NewProperty(v) }
	good := resource.PropertyMap{
		"clusterName": text("c"), "nodeRoleArn": text("arn"), "subnetIds": list(text("subnet-1")),
		"scalingConfig": object(resource.PropertyMap{"minSize": resource.NewProperty(0.0), "desiredSize": resource.NewProperty(1.0), "maxSize": resource.NewProperty(2.0)}),
	}
	for name, c := range map[string]struct {
		set  resource.PropertyMap
		want []Problem
	}{
		"good":            {},
		"secret":          {set: resource.PropertyMap{"clusterName": resource.MakeSecret(text("c"))}},
		"unknown":         {set: resource.PropertyMap{"clusterName": NewUnknown(), "scalingConfig": NewUnknown(), "subnetIds": NewUnknown()}},
		"unknown element": {set: resource.PropertyMap{"subnetIds": list(NewUnknown())}},
		"internal key":    {set: resource.PropertyMap{"__defaults": list()}},
		"secret of wrong kind": {set: resource.PropertyMap{"clusterName": resource.MakeSecret(resource.NewProperty(1.0))},
			want: []Problem{{"clusterName", "got the number 1, wanted a string"}}},
		"unknown name": {set: resource.PropertyMap{"clusterNam": text("c")},
			want: []Problem{{"clusterNam", "unknown property; did you mean clusterName?"}}},
		"nested unknown name": {set: resource.PropertyMap{"launchTemplate": object(resource.PropertyMap{"versoin": text("1"), "version": text("1")})},
			want: []Problem{{"launchTemplate.versoin", "unknown property; did you mean version?"}}},
		"unknown name without a near one": {set: resource.PropertyMap{"launchTemplate": object(resource.PropertyMap{"zzzzzzzz": text("1"), "version": text("1")})},
			want: []Problem{{"launchTemplate.zzzzzzzz", "unknown property; it takes id, name, version"}}},
		"missing":        {set: resource.PropertyMap{"clusterName": resource.NewNullProperty()}, want: []Problem{{"clusterName", "missing: a string is required"}}},
		"missing nested": {set: resource.PropertyMap{"launchTemplate": object(resource.PropertyMap{"id": text("lt")})}, want: []Problem{{"launchTemplate.version", "missing: a string is required"}}},
		"missing list":   {set: resource.PropertyMap{"subnetIds": list()}, want: []Problem{{"subnetIds", "missing: give at least one element"}}},
		"wrong kinds": {set: resource.PropertyMap{"diskSize": resource.NewProperty(1.5), "labels": list(), "taints": object(nil), "forceUpdateVersion": text("no")},
			want: []Problem{
				{"diskSize", "got the number 1.5, wanted an integer"},
				{"forceUpdateVersion", "got the string \"no\", wanted a boolean"},
				{"labels", "got a list of 0, wanted a map"},
				{"taints", "got an object with the keys [], wanted a list"},
			}},
		"wrong element": {set: resource.PropertyMap{"subnetIds": list(text("a"), resource.NewProperty(true)), "labels": object(resource.PropertyMap{"a.b": resource.NewProperty(1.0)})},
			want: []Problem{
				{`labels["a.b"]`, "got the number 1, wanted a string"},
				{"subnetIds[1]", "got the boolean true, wanted a string"},
			}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			props := good.Copy()
			for k, v := range c.set {
				props[k] = v
			}
			if got := Of(eks.NodeGroupArgs{}).Check(props, "subnetIds"); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	out := Of(eks.NodeGroup{}).Fill(resource.PropertyMap{"amiType": resource.NewProperty("CUSTOM")})
	if got := out["amiType"].StringValue(); got != "CUSTOM" {
		t.Errorf("what was there became %q", got)
	}
	for name, want := range map[resource.PropertyKey]resource.PropertyValue{
		"arn":       resource.NewProperty(""),
		"diskSize":  resource.NewProperty(0.0),
		"subnetIds": resource.NewProperty([]resource.PropertyValue{}),
		"labels":    resource.NewProperty(resource.PropertyMap{}),
	} {
		if !out[name].DeepEquals(want) {
			t.Errorf("%s: got %v, want %v", name, out[name], want)
		}
	}
	if _, there := out["launchTemplate"]; there {
		t.Error("an optional block that nobody set appeared")
	}
	if v := out["scalingConfig"]; !v.IsObject() || !v.ObjectValue()["maxSize"].IsNumber() {
		t.Errorf("a block that is always there is %v", v)
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	args, state := Of(eks.NodeGroupArgs{}), Of(eks.NodeGroup{})
	given := resource.PropertyMap{"clusterName": resource.MakeSecret(resource.NewProperty("c"))}
	out := state.Unknown(given, args)
	if !out["clusterName"].IsSecret() {
		t.Errorf("the secret became %v", out["clusterName"])
	}
	for _, name := range []resource.PropertyKey{"arn", "status", "resources", "amiType", "nodeGroupName"} {
		if !out[name].IsComputed() {
			t.Errorf("%s: got %v, want unknown", name, out[name])
		}
	}
	for _, name := range []resource.PropertyKey{"launchTemplate", "labels"} {
		if v, there := out[name]; there {
			t.Errorf("%s, which was left out, is %v", name, v)
		}
	}
}
