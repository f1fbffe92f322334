package blueprint

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// A local is one argument of a locals block: a name for an expression.
type local struct {
	name string
	at   hcl.Range
	expr hcl.Expression
	uses []string // other locals
}

// localsBlock has no model: its arguments are named by the author.
func localsBlock() blockType {
	return blockType{Name: "locals", Doc: "Names for values: every argument is one, used as local.name."}
}

// locals collects the arguments of all locals blocks.
func (l *loader) locals(blocks []item) []*local {
	var out []*local
	first := map[string]hcl.Range{}
	for _, b := range blocks {
		found, diags := items(b.block.Body, nil)
		l.diags = append(l.diags, diags...)
		for _, it := range found {
			if it.block != nil {
				l.report(ruleSchema, errorf(it.at, "Unknown block", "A locals block holds arguments only: write %s = …", it.name))
				continue
			}
			if before, twice := first[it.name]; twice {
				l.report(ruleSchema, errorf(it.at, "Duplicate local", "local.%s is already set at %s.", it.name, position(before)))
				continue
			}
			first[it.name] = it.at
			out = append(out, &local{name: it.name, at: it.at, expr: it.expr})
		}
	}
	return out
}

// resolveLocals evaluates locals in the order of their dependencies, without recursion, and reports cycles.
func (l *loader) resolveLocals(all []*local) {
	values := map[string]cty.Value{}
	for _, v := range all {
		values[v.name] = cty.DynamicVal // known by name, so that its users are not in error as well
	}
	l.scope.names["local"] = values
	usedBy := map[string][]*local{}
	waiting := map[*local]int{}
	var ready []*local
	for _, v := range all {
		v.uses = usesOf(v.expr, values)
		for _, name := range v.uses {
			usedBy[name] = append(usedBy[name], v)
		}
		if waiting[v] = len(v.uses); waiting[v] == 0 {
			ready = append(ready, v)
		}
	}
	done := 0
	for ; len(ready) > 0; done++ {
		v := ready[0]
		ready = ready[1:]
		if value, ok := l.scope.eval(v.expr); ok {
			values[v.name] = value
		}
		for _, user := range usedBy[v.name] {
			if waiting[user]--; waiting[user] == 0 {
				ready = append(ready, user)
			}
		}
	}
	if done < len(all) {
		l.reportCycles(all, waiting)
	}
}

// usesOf lists the other locals that an expression names, each once.
func usesOf(expr hcl.Expression, all map[string]cty.Value) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range expr.Variables() {
		root, name := address(t)
		if _, exists := all[name]; root == "local" && exists && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

// reportCycles finds each cycle among the locals that never became ready, and reports it once, where it begins.
func (l *loader) reportCycles(all []*local, waiting map[*local]int) {
	byName := map[string]*local{}
	for _, v := range all {
		byName[v.name] = v
	}
	visited := map[string]bool{}
	for _, start := range all {
		if waiting[start] == 0 || visited[start.name] {
			continue
		}
		// Everything that waits leads into a cycle: follow what each waits for until a name comes again.
		position := map[string]int{}
		var path []string
		v := start
		for !visited[v.name] {
			visited[v.name] = true
			position[v.name] = len(path)
			path = append(path, "local."+v.name)
			v = byName[v.uses[slices.IndexFunc(v.uses, func(name string) bool { return waiting[byName[name]] > 0 })]]
		}
		if at, ours := position[v.name]; ours {
			cycle := append(path[at:], "local."+v.name)
			if len(cycle) > 10 {
				cycle = append(append(cycle[:5:5], "…"), cycle[len(cycle)-4:]...)
			}
			l.report(ruleReference, errorf(v.at, "Locals in a cycle", "local.%s depends on itself: %s.", v.name, strings.Join(cycle, " → ")))
		}
	}
}
