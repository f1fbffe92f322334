package stacks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
)

// load reads a blueprint on a fixed day, so that no test depends on when a Kubernetes version goes out of support.
func load(t *testing.T, path string, variables map[string]string) *blueprint.Blueprint {
	t.Helper()
	options := Options(catalog.Default(), func(name string) (string, bool) { v, ok := variables[name]; return v, ok })
	options.Environ = func(string) (string, bool) { return "", false }
	options.Now = func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
	b, diags := blueprint.Load(path, options)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return b
}

// variables are what the stacks' configuration would give.
var variables = map[string]string{"capacity_block": "cr-0123456789abcdef0"}

func mustPlan(t *testing.T, path string) *Plan {
	t.Helper()
	plan, diags := NewPlan(load(t, path, variables), catalog.Default())
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return plan
}

// cases are the environments that the goldens show: the project's own, and one folder below testdata each.
var cases = map[string]string{
	"dev": "dev.hcl", "staging": "staging.hcl", "prod": "prod.hcl",
	"efa": "testdata/efa/blueprint.hcl", "gaudi": "testdata/gaudi/blueprint.hcl",
	"rack":    "../blueprint/testdata/valid/gaudi/blueprint.hcl",
	"storage": "testdata/storage/blueprint.hcl",
	"azure":   "testdata/azure/blueprint.hcl", "serverless": "../blueprint/testdata/valid/serverless/blueprint.hcl", "functions": "testdata/functions/blueprint.hcl",
	"cluster-storage": "testdata/cluster-storage/blueprint.hcl",
}

func TestExplanations(t *testing.T) {
	t.Parallel()
	for name, path := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			for _, s := range mustPlan(t, path).Explain() {
				fmt.Fprintf(&text, "%s\n", s.Title)
				for _, f := range s.Facts {
					fmt.Fprintf(&text, "  %s = %s  # %s\n", f.Name, f.Value, f.Why)
				}
				for _, m := range s.Moves {
					fmt.Fprintf(&text, "  to move to %s:\n%s", m.To, m.Lines)
				}
			}
			pulumitest.Golden(t, text.String(), filepath.Join("testdata", name, "explain.golden"))
		})
	}
}

func TestGraphs(t *testing.T) {
	t.Parallel()
	for name, path := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := mustPlan(t, path)
			graph := pulumitest.Run(t, func(ctx *pulumi.Context) error { return Deploy(ctx, plan) }, account(nil))
			pulumitest.Golden(t, graph, filepath.Join("testdata", name, "graph.golden"))
		})
	}
}

// TestEveryBlueprintHereCanBePlanned: what is checked in under stacks/ is valid and can be planned.
func TestEveryBlueprintHereCanBePlanned(t *testing.T) {
	t.Parallel()
	names := Names(".")
	if len(names) == 0 {
		t.Fatal("there is no environment in stacks/")
	}
	for _, name := range names {
		path, err := BlueprintPath(".", name)
		if err != nil {
			t.Fatal(err)
		}
		if plan := mustPlan(t, path); len(plan.Pools) == 0 {
			t.Errorf("%s has no pool", name)
		}
	}
}

func TestUnbuiltPartsAreRefusedByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file      string
		variables map[string]string
		want      []string
	}{
		{"prod", map[string]string{"capacity_block": "cr-0123456789abcdef0"}, []string{
			"the platform block",
		}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			b := load(t, filepath.Join("..", "blueprint", "testdata", "valid", c.file, "blueprint.hcl"), c.variables)
			_, diags := NewPlan(b, catalog.Default())
			if !diags.HasErrors() {
				t.Fatal("it was planned")
			}
			text := diags.Err().Error()
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s is not refused by name in:\n%s", want, text)
				}
			}
			for _, d := range diags.List() {
				if d.Subject == nil || d.Subject.Start.Line == 0 {
					t.Errorf("%q has no place", d.Detail)
				}
			}
		})
	}
}

func TestOfferingsAreAskedBeforeAnythingIsMade(t *testing.T) {
	t.Parallel()
	plan := mustPlan(t, "dev.hcl")
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error { return Deploy(ctx, plan) },
		account(map[string]bool{"g6.xlarge us-west-2b": true}))
	if err == nil {
		t.Fatal("a pool was placed where its type is not offered")
	}
	for _, want := range []string{"g6.xlarge", "us-west-2b", "us-west-2a, us-west-2c", `zone = "us-west-2a"`, "dev.hcl", "zones ", `node_pool "gpu"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	for _, r := range graph.Resources {
		if !strings.HasPrefix(r.Type, "pulumi:") {
			t.Errorf("%s %s was registered all the same", r.Type, r.Name)
		}
	}
}

func TestBlueprintPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"dev.hcl", "prod.json", "Pulumi.dev.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for stack, want := range map[string]string{"dev": "dev.hcl", "prod": "prod.json", "acme/gpuyard/dev": "dev.hcl"} {
		if got, err := BlueprintPath(dir, stack); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%s: got %s, %v", stack, got, err)
		}
	}
	_, err := BlueprintPath(dir, "prd")
	if err == nil || !strings.HasSuffix(err.Error(), "does not exist: did you mean prod?") {
		t.Errorf("got %v", err)
	}
	if _, err := BlueprintPath(t.TempDir(), "dev"); err == nil || !strings.Contains(err.Error(), "No environment is described here") {
		t.Errorf("in an empty folder: got %v", err)
	}
}

// account answers the invokes of a program for an AWS account that offers every type everywhere, but for what is
// in missing, as "TYPE ZONE".
func account(missing map[string]bool) pulumitest.Options {
	text := func(format string, args ...any) resource.PropertyValue {
		return resource.NewProperty(fmt.Sprintf(format, args...))
	}
	one := func(m resource.PropertyMap) resource.PropertyValue {
		return resource.NewProperty([]resource.PropertyValue{resource.NewProperty(m)})
	}
	return pulumitest.Options{
		Calls: map[string]pulumitest.CallFunc{
			"aws:index/getPartition:getPartition": func(resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"partition": text("aws"), "id": text("aws"), "dnsSuffix": text("amazonaws.com")}, nil
			},
			"aws:ecr/getImage:getImage": func(args resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"imageDigest": text("sha256:%s", strings.Repeat("ab", 32)), "repositoryName": args["repositoryName"]}, nil
			},
			// Nobody is asked: the name is reserved.
			"aws:ecr/getAuthorizationToken:getAuthorizationToken": func(resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"proxyEndpoint": text("https://registry.test"), "userName": text("AWS"), "password": text("token")}, nil
			},
			"aws:index/getCallerIdentity:getCallerIdentity": func(resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"accountId": text("111122223333"), "arn": text("arn:aws:iam::111122223333:user/x"), "userId": text("x"), "id": text("111122223333")}, nil
			},
			"aws:eks/getAddonVersion:getAddonVersion": func(args resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"version": text("default of %s", args["addonName"].StringValue())}, nil
			},
			"aws:ssm/getParameter:getParameter": func(args resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"value": text("1.35.0-20261120"), "name": args["name"]}, nil
			},
			"aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": func(args resource.PropertyMap) (resource.PropertyMap, error) {
				var types, zones []resource.PropertyValue
				filters := args["filters"].ArrayValue()
				for _, t := range filters[0].ObjectValue()["values"].ArrayValue() {
					for _, z := range filters[1].ObjectValue()["values"].ArrayValue() {
						if !missing[t.StringValue()+" "+z.StringValue()] {
							types, zones = append(types, t), append(zones, z)
						}
					}
				}
				return resource.PropertyMap{"instanceTypes": resource.NewProperty(types), "locations": resource.NewProperty(zones)}, nil
			},
		},
		Outputs: map[string]pulumitest.OutputFunc{
			"aws:eks/cluster:Cluster": func(string, resource.PropertyMap) resource.PropertyMap {
				return resource.PropertyMap{
					"endpoint":                text("https://ABC.eks.amazonaws.com"),
					"certificateAuthority":    resource.NewProperty(resource.PropertyMap{"data": text("Q0E=")}),
					"vpcConfig":               resource.NewProperty(resource.PropertyMap{"clusterSecurityGroupId": text("sg-cluster")}),
					"kubernetesNetworkConfig": resource.NewProperty(resource.PropertyMap{"serviceIpv4Cidr": text("172.20.0.0/16")}),
					"identities":              one(resource.PropertyMap{"oidcs": one(resource.PropertyMap{"issuer": text("https://oidc.example/id/ABC")})}),
				}
			},
			"aws:eks/nodeGroup:NodeGroup": func(name string, _ resource.PropertyMap) resource.PropertyMap {
				return resource.PropertyMap{"resources": one(resource.PropertyMap{"autoscalingGroups": one(resource.PropertyMap{"name": text("eks-%s", name)})})}
			},
		},
	}
}
