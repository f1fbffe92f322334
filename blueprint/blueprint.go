package blueprint

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// Blueprint is what a blueprint file says, resolved: expressions are evaluated, references are pointers, defaults are
// filled in. Blocks stand in the order of the source. It is immutable once loaded.
type Blueprint struct {
	// Environment is always there in a blueprint without errors.
	Environment Environment
	// Network is nil where there is no cluster.
	Network *Network
	// NodePools, NodeProfiles, Storage, Caches and Serverless are the labelled blocks.
	NodePools    []*NodePool
	NodeProfiles []*NodeProfile
	Storage      []*Storage
	Caches       []*Cache
	Serverless   []*Serverless
	// Platform is nil where nothing is installed on the cluster.
	Platform *Platform
	// Variables are the declared variables with their values.
	Variables []*Variable

	// files and secrets are what further diagnostics are drawn from, and kept out of.
	files   map[string]*hcl.File
	secrets *secrets
}

// Diagnostics wraps what a later stage found wrong with the blueprint, so that it is drawn with its source as well.
func (b *Blueprint) Diagnostics(list hcl.Diagnostics) *Diagnostics {
	named(rulePlan, list)
	if b.secrets == nil {
		return newDiagnostics(list, b.files, newSecrets())
	}
	return newDiagnostics(list, b.files, b.secrets)
}

// Options are what a blueprint depends on besides its text. The zero value is for a plain command line.
type Options struct {
	// Name is what the environment should be called; empty for any name.
	Name string
	// Variables looks up values of variables first, which the stack's configuration gives; nil for none.
	Variables func(name string) (string, bool)
	// Secret says that the configuration keeps a variable's value encrypted: it is then sensitive, whatever its block
	// says; nil means that it keeps none so.
	Secret func(name string) bool
	// Environ reads the environment, for GPUYARD_VAR_name and the function env; nil means os.LookupEnv.
	Environ func(name string) (string, bool)
	// Catalog is what the hardware is; nil means catalog.Default.
	Catalog *catalog.Catalog
	// Now is the clock that support dates are compared with; nil means time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Variables == nil {
		o.Variables = func(string) (string, bool) { return "", false }
	}
	if o.Secret == nil {
		o.Secret = func(string) bool { return false }
	}
	if o.Environ == nil {
		o.Environ = os.LookupEnv
	}
	if o.Catalog == nil {
		o.Catalog = catalog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Load reads, parses, decodes and checks a blueprint file: HCL's native syntax, or its JSON syntax in a file whose
// name ends in ".json". The blueprint is partial when the diagnostics hold errors, and never nil.
func Load(path string, opts Options) (*Blueprint, *Diagnostics) {
	src, err := readBlueprint(path)
	if err != nil {
		at := hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos}
		diags := named(ruleSyntax, hcl.Diagnostics{errorf(at, "Cannot read blueprint", "%v.", err)})
		return &Blueprint{}, newDiagnostics(diags, nil, newSecrets())
	}
	return Parse(src, path, opts)
}

// readBlueprint reads one byte more than a blueprint may have, so that Parse refuses a larger file.
func readBlueprint(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return src, nil
}

// Parse is Load for a text that is at hand. The filename stands in the diagnostics, and the function file reads beside it.
func Parse(src []byte, filename string, opts Options) (*Blueprint, *Diagnostics) {
	l := newLoader(filename, opts.withDefaults())
	file, diags := l.parse(src)
	files := map[string]*hcl.File{}
	if file != nil {
		files[filename] = file
	}
	if diags.HasErrors() {
		return &Blueprint{}, newDiagnostics(diags, files, l.scope.secrets)
	}
	l.blueprint.files, l.blueprint.secrets = files, l.scope.secrets
	l.load(file.Body)
	diags = append(diags, l.collected()...)
	diags = append(diags, runChecks(l.blueprint, known{l.opts.Catalog, l.opts.Now(), l.opts.Name})...)
	if !diags.HasErrors() {
		diags = append(diags, emptyLists(l.blueprint)...)
	}
	diags = silenced(diags, l.blueprint.Environment.Silence)
	return l.blueprint, newDiagnostics(diags, files, l.scope.secrets)
}

func isJSON(filename string) bool { return strings.EqualFold(filepath.Ext(filename), ".json") }
