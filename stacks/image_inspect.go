package stacks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	// inspectTimeout is how long a registry has to answer. A plan must not wait for one that is out of reach.
	inspectTimeout = 5 * time.Second
	// largestManifest is how much of an answer is read. Source: OCI distribution specification, "Pushing manifests" (4 MiB).
	largestManifest = 4 << 20
)

// The media types of manifests. Sources: OCI image specification, "Media types"; Docker, "Image Manifest Version 2, Schema 2".
const (
	ociIndex    = "application/vnd.oci.image.index.v1+json"
	dockerList  = "application/vnd.docker.distribution.manifest.list.v2+json"
	ociImage    = "application/vnd.oci.image.manifest.v1+json"
	dockerImage = "application/vnd.docker.distribution.manifest.v2+json"
)

// imageFacts is what a registry says an image is.
type imageFacts struct {
	// Index says that the name stands for a list of images, as tools push it that add attestations.
	Index bool
	// Platforms are what the image, or the images of the list, run on: linux/amd64.
	Platforms []string
}

// login is a user of a registry; the zero login is nobody.
type login struct{ user, password string }

// errNoRegistry says that there is no registry of a name, which needs no network to know.
var errNoRegistry = errors.New("its host is a name that RFC 2606 reserves for examples")

// inspectImage asks a registry what an image is: HOST/NAME:TAG or HOST/NAME@DIGEST. It reads the manifest, and of a single
// image its configuration, by the distribution API. That is two requests, for which a client library would bring a
// container engine's configuration along, and its compilation to everybody.
//
// Source: OCI distribution specification, "Pull".
func inspectImage(ctx context.Context, image string, as login) (imageFacts, error) {
	host, rest, _ := strings.Cut(image, "/")
	name, reference, tagged := strings.Cut(rest, "@")
	if !tagged {
		name, reference, tagged = strings.Cut(rest, ":")
	}
	if !tagged || name == "" {
		return imageFacts{}, fmt.Errorf("%s names no image of a registry", image)
	}
	if exampleHost(host) {
		return imageFacts{}, errNoRegistry
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTimeout)
	defer cancel()
	r := &registryClient{base: scheme(host) + "://" + host + "/v2/" + name, as: as}
	var manifest struct {
		MediaType string
		Config    struct{ Digest string }
		Manifests []struct {
			Platform struct{ OS, Architecture string }
		}
	}
	kind, err := r.get(ctx, "/manifests/"+reference, &manifest)
	if err != nil {
		return imageFacts{}, err
	}
	if slices.Contains([]string{kind, manifest.MediaType}, ociIndex) || slices.Contains([]string{kind, manifest.MediaType}, dockerList) {
		facts := imageFacts{Index: true}
		for _, m := range manifest.Manifests {
			if m.Platform.OS != "" && m.Platform.OS != "unknown" { // what only describes another entry runs on nothing
				facts.Platforms = append(facts.Platforms, m.Platform.OS+"/"+m.Platform.Architecture)
			}
		}
		return facts, nil
	}
	var config struct{ OS, Architecture string }
	if _, err := r.get(ctx, "/blobs/"+manifest.Config.Digest, &config); err != nil {
		return imageFacts{}, err
	}
	return imageFacts{Platforms: []string{config.OS + "/" + config.Architecture}}, nil
}

// registryClient reads from one repository of a registry.
type registryClient struct {
	base  string
	as    login
	token string // of a registry that gives them
}

// get reads a JSON answer and returns its media type. A registry that wants a token says where to get it.
func (r *registryClient) get(ctx context.Context, path string, into any) (kind string, err error) {
	answer, err := r.ask(ctx, r.base+path)
	if err == nil && answer.StatusCode == http.StatusUnauthorized && r.token == "" {
		_ = answer.Body.Close() // it only says that a token is wanted
		if err := r.authenticate(ctx, answer.Header.Get("WWW-Authenticate")); err != nil {
			return "", err
		}
		answer, err = r.ask(ctx, r.base+path)
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %s", r.base+path, answer.Status)
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, largestManifest)).Decode(into); err != nil {
		return "", fmt.Errorf("reading %s: %w", r.base+path, err)
	}
	return answer.Header.Get("Content-Type"), nil
}

func (r *registryClient) ask(ctx context.Context, address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header["Accept"] = []string{ociIndex, dockerList, ociImage, dockerImage, "application/json"}
	switch {
	case r.token != "":
		req.Header.Set("Authorization", "Bearer "+r.token)
	case r.as.user != "":
		req.SetBasicAuth(r.as.user, r.as.password)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking the registry: %w", err)
	}
	return answer, nil
}

var challenge = regexp.MustCompile(`(\w+)="([^"]*)"`)

// authenticate gets a token where a registry says that it gives one. Source: Distribution, "Token Authentication Specification".
func (r *registryClient) authenticate(ctx context.Context, header string) error {
	query, realm := url.Values{}, ""
	for _, m := range challenge.FindAllStringSubmatch(header, -1) {
		if m[1] == "realm" {
			realm = m[2]
		} else {
			query.Set(m[1], m[2])
		}
	}
	if !strings.HasPrefix(header, "Bearer ") || realm == "" {
		return errors.New("the registry does not let us in")
	}
	answer, err := r.ask(ctx, realm+"?"+query.Encode())
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	var got struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, largestManifest)).Decode(&got); err != nil || got.Token+got.AccessToken == "" {
		return errors.New("the registry gives no token")
	}
	if r.token = got.Token; r.token == "" {
		r.token = got.AccessToken
	}
	return nil
}

// scheme is how a registry is spoken to: one on this machine without TLS, as every tool does it.
func scheme(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && ip.IsLoopback() {
		return "http"
	}
	return "https"
}

// exampleHost says whether a host cannot exist. Source: RFC 2606, sections 2 and 3.
func exampleHost(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	for _, suffix := range []string{"example", "test", "invalid", "example.com", "example.net", "example.org"} {
		if host == suffix || strings.HasSuffix(host, "."+suffix) {
			return true
		}
	}
	return false
}

// problem says why a service cannot run an image, or "".
func (f imageFacts) problem(platform string, oneManifest bool) string {
	switch {
	case f.Index && oneManifest:
		return fmt.Sprintf("it is a list of images and not an image, which Lambda refuses (InvalidParameterValueException, media type). "+
			"Build it without attestations: docker buildx build --platform %s --provenance=false --sbom=false", platform)
	case len(f.Platforms) > 0 && !slices.Contains(f.Platforms, platform):
		return fmt.Sprintf("it runs on %s, and %s is wanted. Build it with --platform %s", strings.Join(f.Platforms, ", "), platform, platform)
	default:
		return ""
	}
}
