package blueprint

import (
	"bytes"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

// A loader takes one source through the stages: parse, collect blocks, variables, locals, bodies, links.
type loader struct {
	opts      Options
	filename  string
	scope     *scope
	decoder   *decoder
	blueprint *Blueprint
	diags     hcl.Diagnostics
}

func newLoader(filename string, opts Options) *loader {
	m := &meter{left: budget}
	s := &scope{
		functions: functions(filepath.Dir(filename), opts.Environ, m),
		names:     map[string]map[string]cty.Value{},
		secrets:   newSecrets(),
		meter:     m,
		near:      map[string][]string{},
		sorted:    map[string][]string{},
	}
	return &loader{
		opts: opts, filename: filename, scope: s,
		decoder:   &decoder{scope: s, schemas: schemas{}},
		blueprint: &Blueprint{},
	}
}

func (l *loader) report(rule RuleName, d *hcl.Diagnostic) {
	l.diags = append(l.diags, named(rule, hcl.Diagnostics{d})...)
}

// collected are the diagnostics of all stages.
func (l *loader) collected() hcl.Diagnostics {
	return slices.Concat(l.diags, l.scope.diags, l.decoder.diags)
}

// parse turns the source into bodies. Nothing is decoded from a source with syntax errors: the parser skips what it
// does not understand, and every gap would be reported a second time as something missing.
func (l *loader) parse(src []byte) (*hcl.File, hcl.Diagnostics) {
	plain := scanPlain(src[:min(len(src), maxFileSize)])
	if diags := checkLimits(src, l.filename, plain); diags.HasErrors() {
		return &hcl.File{Bytes: []byte(printable(strings.ToValidUTF8(string(src), "\uFFFD")))}, diags
	}
	if isJSON(l.filename) {
		file, diags := json.Parse(src, l.filename)
		return file, named(ruleSyntax, firstMistake(diags))
	}
	file, diags := parseNative(src, l.filename, plain.cuts)
	if diags.HasErrors() && bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) {
		diags = diags[:1:1]
		diags[0].Detail += " This looks like JSON, which is read from a file whose name ends in .json, such as NAME.json or NAME.hcl.json."
	}
	if body, ok := file.Body.(*hclsyntax.Body); ok && !diags.HasErrors() {
		if !plain.small || plain.arithmetic {
			l.scope.meter.operators(body)
		}
		if bytes.Contains(src, []byte("for")) {
			l.scope.meter.loops(body)
		}
	}
	return file, named(ruleSyntax, diags)
}

// firstMistake leaves of what is said of a JSON file what was found first: the parser says it again of all that is around it.
func firstMistake(diags hcl.Diagnostics) hcl.Diagnostics {
	const around = "Root value must be object"
	if i := slices.IndexFunc(diags, func(d *hcl.Diagnostic) bool { return d.Summary != around }); i >= 0 {
		return diags[i : i+1]
	}
	return diags
}

// A pending block is known by its header, and its body waits until every name has a meaning.
type pending struct {
	item
	what string
	into any
}

// load fills the blueprint from the root body.
func (l *loader) load(root hcl.Body) {
	found, diags := items(root, rootHeaders())
	l.diags = append(l.diags, diags...)
	blocks := l.collect(found)
	l.variables(blocks)
	l.references()
	var locals []item
	for _, p := range blocks {
		if p.name == "locals" {
			locals = append(locals, p.item)
		}
	}
	l.resolveLocals(l.locals(locals))
	l.scope.complete()
	for _, p := range blocks {
		switch p.into.(type) {
		case nil, *Variable: // locals and variables are done
		default:
			l.body(p)
		}
	}
	l.require(blocks, found)
	l.link()
}

func (l *loader) body(p pending) {
	l.decoder.body(p.block.Body, headerRange(p.block), p.what, reflect.ValueOf(p.into).Elem())
}

func rootHeaders() []hcl.BlockHeaderSchema {
	var out []hcl.BlockHeaderSchema
	for _, t := range blockTypes() {
		out = append(out, hcl.BlockHeaderSchema{Type: t.Name, LabelNames: t.Labels})
	}
	return out
}

// variables decodes the variable blocks and finds their values. They are decoded before any name has a meaning.
func (l *loader) variables(blocks []pending) {
	values := map[string]cty.Value{}
	for _, p := range blocks {
		if v, ok := p.into.(*Variable); ok {
			l.body(p)
			l.resolve(v)
			values[v.Name.Value] = v.value
		}
	}
	l.scope.names["var"] = values
}

// references gives a meaning to the names of blocks. A built-in profile can be referred to like a declared one.
func (l *loader) references() {
	b, names := l.blueprint, l.scope.names
	for _, k := range refKinds() {
		names[k.name] = map[string]cty.Value{}
	}
	for _, p := range builtinProfiles() {
		names["node_profile"][p.Name.Value] = cty.CapsuleVal(profileRef, p)
	}
	for _, p := range b.NodeProfiles {
		names["node_profile"][p.Name.Value] = cty.CapsuleVal(profileRef, p)
	}
	for _, p := range b.NodePools {
		names["node_pool"][p.Name.Value] = cty.CapsuleVal(poolRef, p)
	}
	for _, s := range b.Storage {
		names["storage"][s.Name.Value] = cty.CapsuleVal(storageRef, s)
	}
	for _, c := range b.Caches {
		names["cache"][c.Name.Value] = cty.CapsuleVal(cacheRef, c)
	}
	for _, s := range b.Serverless {
		names["serverless"][s.Name.Value] = cty.CapsuleVal(serverlessRef, s)
	}
}

// require reports blocks that a blueprint cannot do without.
func (l *loader) require(blocks []pending, found []item) {
	if slices.ContainsFunc(found, func(it item) bool { return it.name == "environment" }) {
		return
	}
	at := hcl.Range{Filename: l.filename, Start: hcl.InitialPos, End: hcl.InitialPos}
	if len(blocks) > 0 {
		at = headerRange(blocks[0].block)
	}
	l.report(ruleSchema, errorf(at, "Missing block", `A blueprint needs a block environment "name" { region = "…" }.`))
}

// link resolves what needs the whole blueprint: instance types and the profiles that profiles extend. What cannot be
// resolved stays empty, and the rules report it.
func (l *loader) link() {
	for _, p := range l.blueprint.NodePools {
		for _, name := range p.InstanceTypes {
			if t, err := l.opts.Catalog.Lookup(name.Value); err == nil {
				p.Types = append(p.Types, t)
			}
		}
	}
	linkProfiles(l.blueprint.NodeProfiles)
}
