package pack

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
)

// SettingKind is what a setting holds.
type SettingKind string

// The kinds of settings.
const (
	NumberSetting SettingKind = "number"
	FlagSetting   SettingKind = "bool"
	TextsSetting  SettingKind = "list of strings"
	PairsSetting  SettingKind = "object of strings"
	TimesSetting  SettingKind = "object of times"
)

// Setting is one key of a policy's configuration.
type Setting struct {
	Name string
	Kind SettingKind
	// Doc is a sentence of the policy's page.
	Doc string
	// Default is a float64, bool or []string. Without one the key is unset.
	Default any
	// Legal lists the strings that a list may hold. None: any.
	Legal []string
}

// schema is the setting as JSON Schema, of the kinds that structpb takes: a list is []any.
func (s Setting) schema() map[string]any {
	out := map[string]any{"description": s.Doc}
	switch s.Kind {
	case NumberSetting:
		out["type"], out["minimum"] = "number", 0.0
	case FlagSetting:
		out["type"] = "boolean"
	case TextsSetting:
		items := map[string]any{"type": "string", "minLength": 1.0}
		if len(s.Legal) > 0 {
			items["enum"] = list(s.Legal)
		}
		out["type"], out["items"] = "array", items
	case PairsSetting:
		out["type"] = "object"
		out["additionalProperties"] = map[string]any{"type": "string"}
	case TimesSetting:
		out["type"] = "object"
		out["additionalProperties"] = map[string]any{"type": "string", "format": "date-time"}
	}
	switch d := s.Default.(type) {
	case []string:
		out["default"] = list(d)
	case nil:
	default:
		out["default"] = d
	}
	return out
}

func list(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}

// problem says what is wrong with a value of the setting, or nothing.
func (s Setting) problem(value any) string {
	switch s.Kind {
	case NumberSetting:
		if n, ok := value.(float64); !ok || n < 0 {
			return "takes a number that is not negative"
		}
	case FlagSetting:
		if _, ok := value.(bool); !ok {
			return "takes true or false"
		}
	case TextsSetting:
		return s.listProblem(value)
	case PairsSetting:
		entries, ok := value.(map[string]any)
		for _, e := range entries {
			_, isText := e.(string)
			ok = ok && isText
		}
		if !ok {
			return "takes an object whose values are strings"
		}
	case TimesSetting:
		entries, ok := value.(map[string]any)
		for _, e := range entries {
			text, _ := e.(string)
			_, err := time.Parse(time.RFC3339, text)
			ok = ok && err == nil
		}
		if !ok {
			return `takes an object whose values are times such as "2026-12-01T11:30:00Z"`
		}
	}
	return ""
}

func (s Setting) listProblem(value any) string {
	values, ok := value.([]any)
	if !ok {
		return "takes a list of strings"
	}
	for _, e := range values {
		text, ok := e.(string)
		switch {
		case !ok || text == "":
			return "takes a list of strings that are not empty"
		case len(s.Legal) > 0 && !slices.Contains(s.Legal, text):
			return fmt.Sprintf("has %q, and may have %s", text, strings.Join(s.Legal, ", "))
		}
	}
	return ""
}

// Config is the configuration of one policy, as a configuration file has it: numbers are float64, lists []any.
type Config map[string]any

// CheckConfig returns what is wrong with a policy's configuration, one sentence for each key, sorted by key.
func (p *Policy) CheckConfig(c Config) []string {
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(c)) {
		i := slices.IndexFunc(p.Settings, func(s Setting) bool { return s.Name == key })
		if i < 0 {
			problems = append(problems, fmt.Sprintf("%s has no setting %q. %s", p.Name, key, p.legalKeys(key)))
			continue
		}
		if problem := p.Settings[i].problem(c[key]); problem != "" {
			problems = append(problems, fmt.Sprintf("%s: %q %s.", p.Name, key, problem))
		}
	}
	return problems
}

func (p *Policy) legalKeys(key string) string {
	if len(p.Settings) == 0 {
		return "It has none but enforcementLevel."
	}
	var names []string
	for _, s := range p.Settings {
		names = append(names, s.Name)
	}
	if near := catalog.Near(key, names); len(near) > 0 {
		return fmt.Sprintf("Did you mean %s?", strings.Join(near, " or "))
	}
	return fmt.Sprintf("Its settings are enforcementLevel, %s.", strings.Join(names, ", "))
}

// WithDefaults returns a configuration with the defaults of a policy's settings for what it leaves out.
func (p *Policy) WithDefaults(c Config) Config {
	full := Config{}
	for _, s := range p.Settings {
		switch d := s.Default.(type) {
		case nil:
		case []string:
			full[s.Name] = list(d)
		default:
			full[s.Name] = d
		}
	}
	maps.Copy(full, c)
	return full
}

// number returns a number, and whether it is set.
func (c Config) number(name string) (float64, bool) {
	n, ok := c[name].(float64)
	return n, ok
}

// flag returns a flag; one that is not set is false.
func (c Config) flag(name string) bool {
	on, _ := c[name].(bool)
	return on
}

// texts returns a list of strings.
func (c Config) texts(name string) []string {
	values, _ := c[name].([]any)
	var texts []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// pairs returns an object of strings.
func (c Config) pairs(name string) map[string]string {
	entries, _ := c[name].(map[string]any)
	pairs := make(map[string]string, len(entries))
	for key, e := range entries {
		if text, ok := e.(string); ok {
			pairs[key] = text
		}
	}
	return pairs
}

// time returns an entry of an object of times.
func (c Config) time(name, key string) (time.Time, bool) {
	entries, _ := c[name].(map[string]any)
	text, _ := entries[key].(string)
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// dollars shows an amount with as many digits as it takes.
func dollars(amount float64) string { return strconv.FormatFloat(amount, 'f', 2, 64) }
