package stacks

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

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

// holds is what the registry of a test holds, by what comes after the repository's name.
var holds = map[string][2]string{
	"/manifests/one":                  {ociImage, `{"mediaType":"` + ociImage + `","config":{"digest":"sha256:aa"}}`},
	"/manifests/list":                 {ociIndex, list},
	"/manifests/sha256:" + listDigest: {ociIndex, list},
	"/manifests/broken":               {ociImage, `{"config":{"digest":"sha256:none"}}`},
	"/blobs/sha256:aa":                {"application/octet-stream", `{"os":"linux","architecture":"amd64"}`},
}

const list = `{"manifests":[{"platform":{"os":"linux","architecture":"amd64"}},{"platform":{"os":"unknown","architecture":"unknown"}}]}`

var listDigest = strings.Repeat("cd", 32)

// served starts a registry with a single image and a list with an attestation. It gives out tokens and wants them.
func served(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("scope") == "pull" {
			fmt.Fprint(w, `{"token":"let-in"}`)
		}
	})
	mux.HandleFunc("/v2/", func(w http.ResponseWriter, r *http.Request) {
		_, password, basic := r.BasicAuth()
		if r.Header.Get("Authorization") != "Bearer let-in" && (!basic || password != "token") {
			w.Header().Set("WWW-Authenticate", `Bearer realm="`+server.URL+`/token",service="here",scope="pull"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		for path, answer := range holds {
			if strings.HasSuffix(r.URL.Path, path) {
				w.Header().Set("Content-Type", answer[0])
				fmt.Fprint(w, answer[1])
				return
			}
		}
		http.NotFound(w, r)
	})
	return strings.TrimPrefix(server.URL, "http://")
}

func TestImagesAreLookedAt(t *testing.T) {
	t.Parallel()
	host := served(t)
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
		facts, err := inspectImage(t.Context(), host+"/"+c.image, login{})
		if err != nil {
			t.Fatal(err)
		}
		if got := facts.problem(c.platform, c.oneManifest); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s for %s: %q, want %q", c.image, c.platform, got, c.want)
		}
	}
	for image, want := range map[string]string{
		host + "/yolo:none": "404", host + "/yolo:broken": "404", "registry.example.com/yolo:1": "RFC 2606", "yolo": "names no image", host + "/yolo": "names no image",
	} {
		if _, err := inspectImage(t.Context(), image, login{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", image, err)
		}
	}
	if got := scheme("registry.example.com"); got != "https" {
		t.Errorf("a registry elsewhere is spoken to by %s", got)
	}
}

// buildx 1533, aws-lambda-roadmap 82: Lambda refuses a list of images, after everything else was made.
func TestListsOfImagesAreRefusedBefore(t *testing.T) {
	t.Parallel()
	host := served(t)
	options := account(nil)
	options.Calls["aws:ecr/getImage:getImage"] = func(resource.PropertyMap) (resource.PropertyMap, error) {
		return resource.PropertyMap{"imageDigest": resource.NewProperty("sha256:" + listDigest)}, nil
	}
	options.Calls["aws:ecr/getAuthorizationToken:getAuthorizationToken"] = func(resource.PropertyMap) (resource.PropertyMap, error) {
		return resource.PropertyMap{"proxyEndpoint": resource.NewProperty("https://" + host), "userName": resource.NewProperty("AWS"), "password": resource.NewProperty("token")}, nil
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
