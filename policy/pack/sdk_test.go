package pack_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/gpuyard/gpuyard/policy/pack"
)

// The SDKs are read as source, not imported: importing what the pack looks at would compile a dozen packages of a
// minute each.
const (
	awsModule   = "github.com/pulumi/pulumi-aws/sdk/v6"
	kubeModule  = "github.com/pulumi/pulumi-kubernetes/sdk/v4"
	azureModule = "github.com/pulumi/pulumi-azure-native-sdk/app/v2"
)

func moduleDir(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("finding %s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

// TestTokensAreTheSDKs looks every token of tokens.go up in the source of its SDK. A misspelt one would be a policy that
// inspects nothing and reports success.
func TestTokensAreTheSDKs(t *testing.T) {
	t.Parallel()
	aws, kube, azure := moduleDir(t, awsModule), moduleDir(t, kubeModule), moduleDir(t, azureModule)
	checked := 0
	for name, tok := range tokenConstants(t) {
		parts := strings.Split(tok, ":")
		var dir string
		switch {
		case len(parts) != 3:
			t.Errorf("%s is %q, which is no token", name, tok)
			continue
		case strings.HasPrefix(tok, "aws:"):
			folder, _, _ := strings.Cut(parts[1], "/")
			dir = filepath.Join(aws, "go", "aws", folder)
		case strings.HasPrefix(tok, "kubernetes:") && customResource(parts[1]):
			continue // its CRD is no part of an SDK
		case strings.HasPrefix(tok, "kubernetes:"):
			group, version, _ := strings.Cut(parts[1], "/")
			group, _, _ = strings.Cut(group, ".")
			dir = filepath.Join(kube, "go", "kubernetes", group, version)
		case strings.HasPrefix(tok, "azure-native:app:"):
			dir = azure
		case tok == "pulumi:providers:aws", tok == "gpuyard:gpunodes:Pool", tok == "gpuyard:nodeprep:Host":
			continue // the engine's word, and ours, which the pack may not import
		default:
			t.Errorf("%s is %q: no rule says where that is declared", name, tok)
			continue
		}
		checked++
		file := filepath.Join(dir, lowerFirst(parts[2])+".go")
		src, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(src), strconv.Quote(tok)) {
			t.Errorf("%s is %q, which %s does not register (%v)", name, tok, file, err)
		}
	}
	if checked < 50 {
		t.Errorf("only %d tokens were looked up", checked)
	}
}

func customResource(group string) bool {
	name, _, _ := strings.Cut(group, "/")
	return slices.Contains([]string{"ceph.rook.io", "snapshot.storage.k8s.io", "snapscheduler.backube"}, name)
}

// tokenConstants reads the constants of tokens.go.
func tokenConstants(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "tokens.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]string{}
	for _, decl := range file.Decls {
		for _, spec := range decl.(*ast.GenDecl).Specs {
			v := spec.(*ast.ValueSpec)
			text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			constants[v.Names[0].Name] = text
		}
	}
	return constants
}

func lowerFirst(text string) string { return string(unicode.ToLower(rune(text[0]))) + text[1:] }

// awsPackage is the structs of one package of the SDK: fields by their name in a program, with the name of their type.
type awsPackage map[string]map[string]string

// sdkSource reads packages of the AWS SDK, each once.
type sdkSource struct {
	dir string
	mu  sync.Mutex
	got map[string]awsPackage
}

func (s *sdkSource) read(t *testing.T, folder string) awsPackage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.got[folder] != nil {
		return s.got[folder]
	}
	pkg := awsPackage{}
	paths, err := filepath.Glob(filepath.Join(s.dir, "go", "aws", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				if body, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType); ok {
					pkg[spec.(*ast.TypeSpec).Name.Name] = fieldsOf(body)
				}
			}
		}
	}
	s.got[folder] = pkg
	return pkg
}

func fieldsOf(body *ast.StructType) map[string]string {
	fields := map[string]string{}
	for _, f := range body.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("pulumi"), ",")
		kind := f.Type
		for {
			if p, ok := kind.(*ast.StarExpr); ok {
				kind = p.X
			} else if l, ok := kind.(*ast.ArrayType); ok {
				kind = l.Elt
			} else {
				break
			}
		}
		if id, ok := kind.(*ast.Ident); ok {
			fields[name] = id.Name
		} else {
			fields[name] = ""
		}
	}
	return fields
}

// TestFixturesUseTheSDKsNames holds the properties of every fixture against the argument types of the SDK: a policy
// that reads a misspelt property, with fixtures misspelt alike, would pass all other tests.
func TestFixturesUseTheSDKsNames(t *testing.T) {
	t.Parallel()
	sdk := &sdkSource{dir: moduleDir(t, awsModule), got: map[string]awsPackage{}}
	all := reports(t)
	for _, p := range pack.Policies() {
		all = append(all, fixturesOf(t, p)...)
	}
	checked := 0
	for _, f := range all {
		if f.Kind() == "wrong-kind" || f.Name() == "capacity-block-key" { // they are wrong on purpose
			continue
		}
		for _, r := range f.Resources {
			parts := strings.Split(r.Type, ":")
			if parts[0] != "aws" {
				continue
			}
			folder, _, _ := strings.Cut(parts[1], "/")
			pkg := sdk.read(t, folder)
			names := map[string]string{"id": ""}
			for _, suffix := range []string{"Args", "State"} {
				for name, kind := range pkg[lowerFirst(parts[2])+suffix] {
					names[name] = kind
				}
			}
			if len(names) == 1 {
				t.Errorf("%s: the SDK has no %s", f.Path, r.Type)
			}
			checked++
			for _, problem := range pkg.unknown(names, r.Properties, "") {
				t.Errorf("%s: %s %s: %s", f.Path, r.Type, r.Name, problem)
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d resources were looked at", checked)
	}
}

// unknown returns the properties that a struct does not have.
func (pkg awsPackage) unknown(names map[string]string, m property.Map, path string) []string {
	var problems []string
	for name, v := range m.AllStable {
		kind, ok := names[name]
		if !ok {
			problems = append(problems, fmt.Sprintf("there is no property %s%s", path, name))
			continue
		}
		values := []property.Value{v}
		if v.IsArray() {
			values = v.AsArray().AsSlice()
		}
		for _, e := range values {
			if e.IsMap() && pkg[kind] != nil {
				problems = append(problems, pkg.unknown(pkg[kind], e.AsMap(), path+name+".")...)
			}
		}
	}
	return problems
}
