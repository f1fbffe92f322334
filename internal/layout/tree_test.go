package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// tree is a repository as the checks see it.
type tree struct {
	files  []string // every file that belongs to it, relative to its root
	gofile []goFile
	read   func(name string) (string, error)
}

// goFile is a Go file outside testdata.
type goFile struct {
	name    string // relative to the root, like sim/aws/vpc.go
	module  string // the folder of the nearest go.mod, "." for ours
	pkg     string // the name in its package clause
	imports []string
	lines   int
	hasDoc  bool // it has a comment on its package clause
	hasInit bool // it has a func init
	written bool // by a person: it does not say that it is generated
}

func (f goFile) dir() string  { return path.Dir(f.name) }
func (f goFile) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// notOurs are folders that builds and runs make; .gitignore has them too.
var notOurs = []string{".git", "bin", ".gpuyard"}

// load reads a repository. It parses and does not build, so it also sees code that does not compile on this system.
func load(fsys fs.FS) (*tree, error) {
	t := &tree{read: func(name string) (string, error) {
		b, err := fs.ReadFile(fsys, name)
		return string(b), err
	}}
	modules := map[string]bool{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(notOurs, name):
			return fs.SkipDir
		case !d.Type().IsRegular(), name == ".git": // in a second work tree, .git is a file
			return nil
		}
		t.files = append(t.files, name)
		if path.Base(name) == "go.mod" {
			modules[path.Dir(name)] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range t.files {
		if !strings.HasSuffix(name, ".go") || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		f, err := t.parse(name)
		if err != nil {
			return nil, err
		}
		for f.module = f.dir(); f.module != "." && !modules[f.module]; {
			f.module = path.Dir(f.module)
		}
		t.gofile = append(t.gofile, f)
	}
	return t, nil
}

func (t *tree) parse(name string) (goFile, error) {
	src, err := t.read(name)
	if err != nil {
		return goFile{}, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return goFile{}, err
	}
	f := goFile{
		name: name, pkg: file.Name.Name, lines: strings.Count(src, "\n"),
		hasDoc: file.Doc != nil, written: !ast.IsGenerated(file),
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return goFile{}, err
		}
		f.imports = append(f.imports, imported)
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			f.hasInit = true
		}
	}
	return f, nil
}
