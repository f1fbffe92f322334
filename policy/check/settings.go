package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/policy/pack"
)

// Settings are the levels, configuration and exceptions of a file for `--policy-pack-config`. The zero value has none.
type Settings struct {
	levels     map[string]pack.Level
	configs    map[string]pack.Config
	exceptions []exception
}

// exception lets one finding be, for a reason.
type exception struct {
	id, reason string
	match      []match
}

type match struct {
	Policies []string `json:"policies"`
	Targets  []string `json:"targets"`
}

// SettingsError says what is wrong with a configuration file, all at once.
type SettingsError struct {
	// Problems has one sentence for each mistake.
	Problems []string
}

// Error implements error.
func (e *SettingsError) Error() string {
	return "the configuration of the policy pack is wrong:\n  - " + strings.Join(e.Problems, "\n  - ")
}

// ReadSettings reads a configuration file in either of the two forms that the engine takes. It returns a *SettingsError
// that names each wrong key and what would be legal. An empty file has no settings.
func ReadSettings(src []byte) (*Settings, error) {
	s := &Settings{levels: map[string]pack.Level{}, configs: map[string]pack.Config{}}
	if len(bytes.TrimSpace(src)) == 0 {
		return s, nil
	}
	var top map[string]any
	if err := json.Unmarshal(src, &top); err != nil {
		return nil, &SettingsError{[]string{fmt.Sprintf("It is no JSON object: %v.", err)}}
	}
	policies, problems := top, []string(nil)
	if version, ok := top["version"].(float64); ok {
		if version != 2 {
			problems = append(problems, fmt.Sprintf("\"version\" is %v, and 2 is the only one.", version))
		}
		policies = nil
		for _, key := range slices.Sorted(maps.Keys(top)) {
			switch key {
			case "version", "environments":
			case "policies":
				object, ok := top[key].(map[string]any)
				if !ok {
					problems = append(problems, `"policies" takes an object of policies.`)
				}
				policies = object
			case "exceptions":
				problems = append(problems, s.readExceptions(top[key])...)
			default:
				problems = append(problems, fmt.Sprintf("There is no key %q. The keys are version, policies, exceptions, environments.", key))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(policies)) {
		problems = append(problems, s.readPolicy(name, policies[name])...)
	}
	if len(problems) > 0 {
		return nil, &SettingsError{problems}
	}
	return s, nil
}

func (s *Settings) readPolicy(name string, v any) []string {
	if name == "environments" {
		return nil // Pulumi's own; it is for the engine
	}
	p := policyNamed(name)
	if p == nil && name != "all" {
		return []string{fmt.Sprintf("There is no policy %q.%s", name, didYouMean(name))}
	}
	if level, ok := v.(string); ok {
		return s.readLevel(name, level)
	}
	object, ok := v.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s takes a level or an object of settings.", name)}
	}
	var problems []string
	config := pack.Config{}
	for key, setting := range object {
		if key != "enforcementLevel" {
			config[key] = setting
			continue
		}
		level, ok := setting.(string)
		if !ok {
			problems = append(problems, fmt.Sprintf("%s: \"enforcementLevel\" takes a string.", name))
			continue
		}
		problems = append(problems, s.readLevel(name, level)...)
	}
	if p == nil {
		if len(config) > 0 {
			problems = append(problems, "all takes a level only.")
		}
		return problems
	}
	s.configs[name] = config
	return append(problems, p.CheckConfig(config)...)
}

func (s *Settings) readLevel(name, text string) []string {
	levels := []pack.Level{pack.Advisory, pack.Mandatory, pack.Remediate, pack.Disabled}
	if !slices.Contains(levels, pack.Level(text)) {
		return []string{fmt.Sprintf("%s has the level %q. The levels are advisory, mandatory, remediate, disabled.", name, text)}
	}
	s.levels[name] = pack.Level(text)
	return nil
}

func (s *Settings) readExceptions(v any) []string {
	entries, ok := v.(map[string]any)
	if !ok {
		return []string{`"exceptions" takes an object of exceptions by id.`}
	}
	var problems []string
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		raw, err := json.Marshal(entries[id])
		if err != nil {
			panic(err) // it was read from JSON
		}
		var e struct {
			Reason string  `json:"reason"`
			Match  []match `json:"match"`
		}
		say := func(format string, args ...any) {
			problems = append(problems, fmt.Sprintf("The exception %s ", id)+fmt.Sprintf(format, args...))
		}
		if err := json.Unmarshal(raw, &e); err != nil {
			say("takes a reason and a list of matches: %v.", err)
			continue
		}
		if strings.TrimSpace(e.Reason) == "" {
			say("has no reason.")
		}
		if len(e.Match) == 0 {
			say("matches nothing: list policies and targets in \"match\".")
		}
		for _, m := range e.Match {
			if len(m.Policies) == 0 || len(m.Targets) == 0 {
				say("has a match without policies or without targets.")
			}
			for _, name := range m.Policies {
				if policyNamed(name) == nil {
					say("names the policy %q, which there is not.%s", name, didYouMean(name))
				}
			}
			for _, urn := range m.Targets {
				if !strings.HasPrefix(urn, "urn:pulumi:") {
					say("has the target %q, which is no URN.", urn)
				}
			}
		}
		s.exceptions = append(s.exceptions, exception{id: id, reason: e.Reason, match: e.Match})
	}
	return problems
}

// level is the level of a policy: the file's, else the file's for all, else its own.
func (s *Settings) level(p *pack.Policy) pack.Level {
	for _, name := range []string{p.Name, "all"} {
		if level, ok := s.levels[name]; ok && level != pack.Remediate || ok && p.Remedy != nil {
			return level
		} else if ok {
			return pack.Mandatory // the engine takes remediate for mandatory on policies that only judge
		}
	}
	return p.Level
}

// config is the configuration of a policy, or of the one whose settings it reads.
func (s *Settings) config(p *pack.Policy) pack.Config {
	if p.SettingsOf != "" {
		p = policyNamed(p.SettingsOf)
	}
	return p.WithDefaults(s.configs[p.Name])
}

// excuse returns the first exception for a finding.
func (s *Settings) excuse(policy, urn string) *Exception {
	for _, e := range s.exceptions {
		for _, m := range e.match {
			if slices.Contains(m.Policies, policy) && slices.Contains(m.Targets, urn) {
				return &Exception{ID: e.id, Reason: e.reason}
			}
		}
	}
	return nil
}

func policyNamed(name string) *pack.Policy {
	all := pack.Policies()
	if i := slices.IndexFunc(all, func(p *pack.Policy) bool { return p.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

func didYouMean(name string) string {
	var names []string
	for _, p := range pack.Policies() {
		names = append(names, p.Name)
	}
	if near := catalog.Near(name, names); len(near) > 0 {
		return " Did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}
