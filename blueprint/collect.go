package blueprint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// collect reads the headers of all blocks and makes their models, so that every name is known before any body is read.
func (l *loader) collect(found []item) []pending {
	types := map[string]blockType{}
	var names []string
	for _, t := range blockTypes() {
		types[t.Name] = t
		names = append(names, t.Name)
	}
	first := map[string]hcl.Range{}
	var out []pending
	for _, it := range found {
		t, known := types[it.name]
		switch {
		case !known && it.block == nil:
			l.report(ruleSchema, errorf(it.at, "Unknown argument", "A blueprint holds blocks only, and %q is none.%s Legal blocks: %s.",
				it.name, l.scope.didYouMean("", it.name, names), list(names)))
		case !known:
			l.report(ruleSchema, errorf(it.at, "Unknown block", "There is no block %q.%s Legal blocks: %s.",
				it.name, l.scope.didYouMean("", it.name, names), list(names)))
		case it.block == nil:
			l.report(ruleSchema, errorf(it.at, "Block expected", `%q is a block: write %s { … } without "=".`, it.name, strings.Join(append([]string{it.name}, quotedLabels(t)...), " ")))
		default:
			if p, ok := l.open(t, it, first); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

func quotedLabels(t blockType) []string {
	out := make([]string, len(t.Labels))
	for i, label := range t.Labels {
		out[i] = fmt.Sprintf("%q", label)
	}
	return out
}

// open judges a block's labels and makes its model.
func (l *loader) open(t blockType, it item, first map[string]hcl.Range) (pending, bool) {
	b := it.block
	if len(b.Labels) != len(t.Labels) {
		want := "no label"
		if len(t.Labels) > 0 {
			want = "the labels " + strings.Join(quotedLabels(t), " ")
		}
		l.report(ruleSchema, errorf(headerRange(b), "Wrong labels", "A %s block has %s, and this one has %d.", t.Name, want, len(b.Labels)))
		return pending{}, false
	}
	if t.add == nil {
		return pending{item: it}, true // locals, which may be repeated
	}
	h := header{at: headerRange(b)}
	if n := len(b.Labels); n > 0 {
		h.name = Value[string]{Value: b.Labels[n-1], Range: b.LabelRanges[n-1]}
	}
	if !l.unique(t, h, first) {
		return pending{}, false
	}
	what := t.Name
	if t.Kinds == nil {
		return pending{item: it, what: what, into: t.add(l.blueprint, h)}, true
	}
	h.kind = Value[string]{Value: b.Labels[0], Range: b.LabelRanges[0]}
	kind, ok := l.kindOf(t, h)
	if !ok {
		return pending{}, false
	}
	return pending{item: it, what: fmt.Sprintf("%s %q", t.Name, kind.Name), into: kind.body(t.add(l.blueprint, h))}, true
}

func (l *loader) kindOf(t blockType, h header) (blockKind, bool) {
	var names []string
	for _, k := range t.Kinds {
		if k.Name == h.kind.Value {
			return k, true
		}
		names = append(names, k.Name)
	}
	l.report(ruleSchema, errorf(h.kind.Range, "Unknown kind", "There is no %s of kind %q.%s Legal kinds: %s.",
		t.Name, h.kind.Value, l.scope.didYouMean("", h.kind.Value, names), list(names)))
	return blockKind{}, false
}

// unique reports a block that is there already, naming both places.
func (l *loader) unique(t blockType, h header, first map[string]hcl.Range) bool {
	key := t.Name
	if !t.Once {
		key += " " + h.name.Value
	}
	before, twice := first[key]
	if !twice {
		first[key] = h.at
		return true
	}
	if t.Once {
		l.report(ruleSchema, errorf(h.at, "Duplicate block", "A blueprint has one %s block, and the first is at %s.", t.Name, position(before)))
	} else {
		l.report(ruleSchema, errorf(h.at, "Duplicate name", "The name %q is taken by the %s at %s.", h.name.Value, t.Name, position(before)))
	}
	return false
}

// headerRange is the type of a block with its labels.
func headerRange(b *hcl.Block) hcl.Range {
	at := b.TypeRange
	if n := len(b.LabelRanges); n > 0 && !slices.ContainsFunc(b.LabelRanges, func(r hcl.Range) bool { return r.Start.Line != at.Start.Line }) {
		at = hcl.RangeBetween(at, b.LabelRanges[n-1])
	}
	return at
}
