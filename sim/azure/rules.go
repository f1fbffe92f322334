package azure

import (
	"regexp"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// shape is the rule that an argument matches a pattern. It must be there: Azure Native would make one up.
func shape(path, says, source string, pattern *regexp.Regexp) engine.Rule {
	return engine.Rule{
		Name: "shape-of-" + path, Says: "`" + path + "` is given and " + says, Source: source,
		Judge: func(c *engine.Call) error {
			if !c.In.Has(path) {
				return engine.Invalid(path, "missing: the embedded cloud makes no names up")
			}
			for _, l := range c.In.Leaves(path) {
				if l.Value.IsString() && !pattern.MatchString(l.Value.StringValue()) {
					return engine.Invalid(l.Path, "got %q: it %s", l.Value.StringValue(), says)
				}
			}
			return nil
		},
	}
}
