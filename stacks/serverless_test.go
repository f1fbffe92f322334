package stacks

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
)

const (
	serverlessBlueprint = "../blueprint/testdata/valid/serverless/blueprint.hcl"
	functionToken       = "aws:lambda/function:Function"
)

// answering is an account whose registry and Lambda answer with errors; "" is an answer without one.
func answering(image, function string) pulumitest.Options {
	options := account(nil)
	fails := func(token, message string) {
		options.Calls[token] = func(resource.PropertyMap) (resource.PropertyMap, error) {
			if message == "" {
				return resource.PropertyMap{"functionName": resource.NewProperty("burst-tuner")}, nil
			}
			return nil, errors.New(message)
		}
	}
	fails("aws:lambda/getFunction:getFunction", function)
	if image != "" {
		fails("aws:ecr/getImage:getImage", image)
	}
	return options
}

const (
	noRepository = "reading ECR Images: RepositoryNotFoundException: The repository with name 'burst/tuner' does not exist"
	noImage      = "reading ECR Images: ImageNotFoundException: The image with imageId {imageTag:'2026.11.1'} does not exist"
	noFunction   = "reading Lambda Function (burst-tuner): couldn't find resource"
)

// TestFirstRunMakesTheRepository: before the first push there is nowhere to push to.
func TestFirstRunMakesTheRepository(t *testing.T) {
	t.Parallel()
	plan := mustPlan(t, serverlessBlueprint)
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error { return Deploy(ctx, plan) }, answering(noRepository, noFunction))
	graph.Get(t, "aws:ecr/repository:Repository", "burst-tuner-images")
	for _, r := range graph.Resources {
		if r.Type == functionToken {
			t.Errorf("%s is made without an image", r.Name)
		}
	}
}

// TestFunctionsStayWhenTheirImageIsGone: what is missing in the registry is never a reason to take a function away.
func TestFunctionsStayWhenTheirImageIsGone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options pulumitest.Options
		want    string
	}{
		"image":      {answering(noImage, ""), "The repository burst/tuner has no tag 2026.11.1"},
		"repository": {answering(noRepository, ""), "burst-tuner runs, and its repository burst/tuner is gone"},
		"registry":   {answering("AccessDenied", ""), "asking the registry for the image of tuner"},
		"lambda":     {answering(noRepository, "AccessDenied"), "asking whether the function tuner is there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := mustPlan(t, serverlessBlueprint)
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error { return Deploy(ctx, plan) }, c.options)
			if err == nil || !strings.Contains(strings.Join(strings.Fields(err.Error()), " "), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			for _, r := range graph.Resources {
				if !strings.HasPrefix(r.Type, "pulumi:") {
					t.Errorf("%s %s was registered all the same", r.Type, r.Name)
				}
			}
		})
	}
}

// served starts a registry with an image, and with a list of it and an attestation, for whoever shows a password. It
// returns its host and the digest of the list.
func served(t *testing.T) (host, digest string) {
	t.Helper()
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != letIn.Password {
			w.Header().Set("WWW-Authenticate", `Basic realm="here"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	host = strings.TrimPrefix(server.URL, "http://")
	image, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{OS: "linux", Architecture: "amd64"})
	if err != nil {
		t.Fatal(err)
	}
	list := mutate.AppendManifests(empty.Index,
		mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "amd64"}}},
		mutate.IndexAddendum{Add: empty.Image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "unknown", Architecture: "unknown"}}})
	hash, err := list.Digest()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		remote.Write(tag(t, host+"/yolo:one"), image, remote.WithAuth(&letIn)),
		remote.WriteIndex(tag(t, host+"/yolo:list"), list, remote.WithAuth(&letIn)),
		remote.WriteIndex(tag(t, host+"/burst/tuner:list"), list, remote.WithAuth(&letIn)),
	); err != nil {
		t.Fatal(err)
	}
	return host, hash.String()
}

var letIn = authn.Basic{Username: "AWS", Password: "token"}

func tag(t *testing.T, image string) name.Tag {
	t.Helper()
	ref, err := name.NewTag(image)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func TestImagesAreLookedAt(t *testing.T) {
	t.Parallel()
	host, _ := served(t)
	for _, c := range []struct {
		image, platform string
		oneManifest     bool
		want            string // of the problem
	}{
		{"yolo:one", "linux/amd64", true, ""},
		{"yolo:one", "linux/arm64", true, "it runs on linux/amd64, and linux/arm64 is wanted"},
		{"yolo:list", "linux/amd64", true, "it is a list of images"},
		{"yolo:list", "linux/amd64", false, ""},
		{"yolo:list", "linux/arm64", false, "it runs on linux/amd64"},
	} {
		facts, err := inspectImage(t.Context(), host+"/"+c.image, &letIn)
		if err != nil {
			t.Fatal(err)
		}
		if got := facts.problem(c.platform, c.oneManifest); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s for %s: %q, want %q", c.image, c.platform, got, c.want)
		}
	}
	for image, want := range map[string]string{
		host + "/yolo:none": "MANIFEST_UNKNOWN", "registry.example.com/yolo:1": "RFC 2606", "yolo": "names no image", host + "/yolo": "names no image",
	} {
		if _, err := inspectImage(t.Context(), image, &letIn); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", image, err)
		}
	}
	if _, err := inspectImage(t.Context(), host+"/yolo:one", authn.Anonymous); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("without a password: %v", err)
	}
}

// buildx 1533, aws-lambda-roadmap 82: Lambda refuses a list of images, after everything else was made.
func TestListsOfImagesAreRefusedBefore(t *testing.T) {
	t.Parallel()
	host, digest := served(t)
	options := account(nil)
	options.Calls["aws:ecr/getImage:getImage"] = func(resource.PropertyMap) (resource.PropertyMap, error) {
		return resource.PropertyMap{"imageDigest": resource.NewProperty(digest)}, nil
	}
	options.Calls["aws:ecr/getAuthorizationToken:getAuthorizationToken"] = func(resource.PropertyMap) (resource.PropertyMap, error) {
		return resource.PropertyMap{"proxyEndpoint": resource.NewProperty("https://" + host), "userName": resource.NewProperty(letIn.Username), "password": resource.NewProperty(letIn.Password)}, nil
	}
	plan := mustPlan(t, serverlessBlueprint)
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error { return Deploy(ctx, plan) }, options)
	if err == nil || !strings.Contains(err.Error(), "Image of the wrong kind") || !strings.Contains(err.Error(), "--provenance=false") {
		t.Errorf("got %v", err)
	}
	for _, r := range graph.Resources {
		if !strings.HasPrefix(r.Type, "pulumi:") {
			t.Errorf("%s %s was registered all the same", r.Type, r.Name)
		}
	}
}

// TestAzureAloneNeedsNoAWS: an environment of apps alone is made without an account of AWS.
func TestAzureAloneNeedsNoAWS(t *testing.T) {
	t.Parallel()
	plan := mustPlan(t, "testdata/azure/blueprint.hcl")
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error { return Deploy(ctx, plan) }, pulumitest.Options{})
	types := []string{}
	for _, r := range graph.Resources {
		types = append(types, r.Type)
	}
	if slices.Contains(types, "pulumi:providers:aws") || !slices.Contains(types, "azure-native:app/v20250101:Job") {
		t.Errorf("made %v", types)
	}
}

// TestTheLimitHitFirst: which bound is nearest, by what is known of the work.
func TestTheLimitHitFirst(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{serverlessBlueprint: "the run and memory and ephemeral storage", "testdata/functions/blueprint.hcl": "memory"} {
		got := mustPlan(t, file).Serverless()[0].Limit
		if got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// TestMovesLead: the lines that explain prints are a blueprint that loads, beside what is there already.
func TestMovesLead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"serverless", "functions", "azure"} {
		source, err := os.ReadFile(cases[name])
		if err != nil {
			t.Fatal(err)
		}
		plan := mustPlan(t, cases[name])
		for i, s := range plan.Blueprint.Serverless {
			for n, m := range plan.explainServerless()[i].Moves {
				lines := m.Lines
				if strings.HasPrefix(lines, "volumes") || strings.HasPrefix(lines, "workload_profile") {
					lines = fmt.Sprintf("serverless \"container_app\" %q {\nlocation = %q\nimage = \"registry.example.com/m:1\"\n%s}\n", s.Name.Value, s.ContainerApp.Location.Value, lines)
				}
				lines = strings.ReplaceAll(lines, strconv.Quote(s.Name.Value), `"moved"`) // what is there keeps its name
				path := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.hcl", name, n))
				if err := os.WriteFile(path, append(source, lines...), 0o600); err != nil {
					t.Fatal(err)
				}
				mustPlan(t, path)
			}
		}
	}
}

// TestPoolsToMoveTo: every region has a pool to move to, or says where there is one.
func TestPoolsToMoveTo(t *testing.T) {
	t.Parallel()
	for _, region := range append(catalog.Default().Regions(), "") {
		plan := mustPlan(t, serverlessBlueprint)
		plan.Blueprint.Environment.Region.Value = region
		if m := poolMove(plan, plan.Blueprint.Serverless[0]); !strings.Contains(m.Lines, "fabric         = \"efa\"") {
			t.Errorf("%s: %s", region, m.Lines)
		}
	}
}
