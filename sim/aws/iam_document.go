package aws

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// policyKind is what a policy document is attached to, which decides what its statements need.
type policyKind string

const (
	trustPolicy    policyKind = "trust"    // who may assume a role: principals, sts actions, no resources
	identityPolicy policyKind = "identity" // what a role may do: resources, no principals
	resourcePolicy policyKind = "resource" // who may use a resource: principals and resources
)

// document is a policy document that parsed.
type document struct {
	Version   string
	Statement []statement
}

// statement is one statement of a policy document, with single values in lists.
type statement struct {
	Sid        string
	Effect     string
	Principals map[string][]string // Service → eks.amazonaws.com; "*" → * for everybody
	Actions    []string
	Resources  []string
	// Conditional says that it has a condition.
	Conditional bool
}

// elements are the keys that a statement may have.
// Source: IAM User Guide, "IAM JSON policy elements reference".
var elements = []string{"Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition"}

var actionShape = regexp.MustCompile(`^(\*|[A-Za-z0-9-]+:[A-Za-z0-9*?]+)$`)

// parseDocument reads a policy document and returns everything that is wrong with it.
func parseDocument(text string, kind policyKind) (document, error) {
	var raw struct {
		Version   string
		ID        string `json:"Id"`
		Statement json.RawMessage
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&raw); err != nil {
		return document{}, fmt.Errorf("the text is not a JSON policy document: %w", err)
	}
	var statements []map[string]json.RawMessage
	if err := json.Unmarshal(raw.Statement, &statements); err != nil {
		var one map[string]json.RawMessage
		if json.Unmarshal(raw.Statement, &one) != nil {
			return document{}, errors.New("the document has no Statement, or one that is neither a statement nor a list of them")
		}
		statements = append(statements, one)
	}

	var errs []error
	if raw.Version != "2012-10-17" && raw.Version != "2008-10-17" {
		errs = append(errs, fmt.Errorf("got Version %q, wanted 2012-10-17", raw.Version))
	}
	if len(statements) == 0 {
		errs = append(errs, errors.New("the document has no statements"))
	}
	doc := document{Version: raw.Version}
	sids := map[string]bool{}
	for i, s := range statements {
		parsed, err := parseStatement(s, kind)
		if err != nil {
			errs = append(errs, fmt.Errorf("statement %d: %w", i, err))
		}
		if parsed.Sid != "" && sids[parsed.Sid] {
			errs = append(errs, fmt.Errorf("statement %d: Sid %q is not unique", i, parsed.Sid))
		}
		sids[parsed.Sid] = true
		doc.Statement = append(doc.Statement, parsed)
	}
	return doc, errors.Join(errs...)
}

func parseStatement(raw map[string]json.RawMessage, kind policyKind) (statement, error) {
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if !slices.Contains(elements, key) {
			errs = append(errs, fmt.Errorf("unknown element %q; wanted %s", key, nearOrAll(key, elements)))
		}
	}
	has := func(key string) bool { return raw[key] != nil || raw["Not"+key] != nil }
	s := statement{Actions: words(raw["Action"]), Resources: words(raw["Resource"]), Conditional: raw["Condition"] != nil}
	_ = json.Unmarshal(raw["Sid"], &s.Sid)
	_ = json.Unmarshal(raw["Effect"], &s.Effect)
	if s.Effect != "Allow" && s.Effect != "Deny" {
		errs = append(errs, fmt.Errorf("got Effect %q, wanted Allow or Deny", s.Effect))
	}
	if !has("Action") {
		errs = append(errs, errors.New("it has no Action"))
	}
	for _, a := range s.Actions {
		if !actionShape.MatchString(a) {
			errs = append(errs, fmt.Errorf("got Action %q, wanted service:Name", a))
		} else if kind == trustPolicy && !strings.HasPrefix(a, "sts:") {
			errs = append(errs, fmt.Errorf("got Action %q, but a role's trust policy can only allow sts: actions", a))
		}
	}
	errs = append(errs, judgeSides(kind, has("Principal"), has("Resource"), s.Resources)...)
	var err error
	if s.Principals, err = principals(raw["Principal"]); err != nil {
		errs = append(errs, err)
	}
	return s, errors.Join(errs...)
}

// judgeSides says whether a statement has the sides that its kind needs.
func judgeSides(kind policyKind, hasPrincipal, hasResource bool, resources []string) []error {
	var errs []error
	if wants := kind != identityPolicy; wants != hasPrincipal {
		errs = append(errs, fmt.Errorf("the statements of a policy of kind %s %s a Principal", kind, needOrMustNot(wants)))
	}
	switch {
	case kind == trustPolicy && hasResource:
		errs = append(errs, errors.New("a role's trust policy has no Resource"))
	case kind != trustPolicy && !hasResource:
		errs = append(errs, errors.New("it has no Resource"))
	}
	for _, r := range resources {
		if r != "*" && !strings.HasPrefix(r, "arn:") {
			errs = append(errs, fmt.Errorf("the Resource %q must be in ARN format or \"*\"", r))
		}
	}
	return errs
}

func needOrMustNot(need bool) string {
	if need {
		return "need"
	}
	return "must not have"
}

// principals reads a Principal: "*", or a map of kinds.
func principals(raw json.RawMessage) (map[string][]string, error) {
	if raw == nil {
		return nil, nil
	}
	var star string
	if json.Unmarshal(raw, &star) == nil {
		if star != "*" {
			return nil, fmt.Errorf("got Principal %q, wanted \"*\" or a map such as {\"Service\": \"ec2.amazonaws.com\"}", star)
		}
		return map[string][]string{"*": {"*"}}, nil
	}
	var kinds map[string]json.RawMessage
	if err := json.Unmarshal(raw, &kinds); err != nil || len(kinds) == 0 {
		return nil, errors.New("its Principal is neither \"*\" nor a map such as {\"Service\": \"ec2.amazonaws.com\"}")
	}
	all := map[string][]string{}
	for kind, values := range kinds {
		if !slices.Contains([]string{"AWS", "Service", "Federated", "CanonicalUser"}, kind) {
			return nil, fmt.Errorf("got a Principal of kind %q, wanted AWS, Service, Federated or CanonicalUser", kind)
		}
		all[kind] = words(values)
	}
	return all, nil
}

// words reads one string or a list of them.
func words(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	_ = json.Unmarshal(raw, &many)
	return many
}

// everybody says whether a statement is for everybody: a principal * and no condition.
func (s statement) everybody() bool {
	all := len(s.Principals["*"]) > 0 || slices.Contains(s.Principals["AWS"], "*")
	return all && !s.Conditional
}

// allows says whether the document allows an action to a principal, by statements alone: conditions are not weighed.
func (d document) allows(kind, principal, action string) bool {
	return slices.ContainsFunc(d.Statement, func(s statement) bool {
		if s.Effect != "Allow" {
			return false
		}
		named := slices.Contains(s.Principals[kind], principal) || len(s.Principals["*"]) > 0
		return named && slices.ContainsFunc(s.Actions, func(pattern string) bool { return matches(pattern, action) })
	})
}

// matches says whether an action matches a pattern with * and ?.
func matches(pattern, action string) bool {
	quoted := regexp.QuoteMeta(pattern)
	expr := "(?i)^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(quoted) + "$"
	return regexp.MustCompile(expr).MatchString(action)
}

// policyDocument is the rule that an argument is a policy document of a kind.
func policyDocument(path string, kind policyKind) engine.Rule {
	return engine.Rule{
		Name: "document-" + kebab(path), Source: "IAM User Guide, \"IAM JSON policy elements reference\"",
		Says: "`" + path + "` is a " + string(kind) + " policy document: version, statements, effect, actions, principals or resources",
		Judge: func(c *engine.Call) error {
			var errs []error
			for _, l := range c.In.Leaves(path) {
				switch {
				case l.Value.ContainsUnknowns():
				case !l.Value.IsString():
					errs = append(errs, engine.Invalid(l.Path, "got a %s, wanted the document as JSON text", l.Value.TypeString()))
				default:
					if _, err := parseDocument(l.Value.StringValue(), kind); err != nil {
						errs = append(errs, &engine.Error{Path: l.Path, Code: "MalformedPolicyDocument", Message: err.Error()})
					}
				}
			}
			return errors.Join(errs...)
		},
	}
}

// sized is the rule that text without white space has a limited length, as IAM counts it.
func sized(path string, limit int) engine.Rule {
	return engine.Rule{
		Name: "size-of-" + kebab(path), Says: fmt.Sprintf("`%s` has at most %d characters, white space aside", path, limit),
		Source: "IAM User Guide, \"IAM and AWS STS quotas\"",
		Judge: func(c *engine.Call) error {
			if n := len(strings.Join(strings.Fields(c.In.Str(path)), "")); n > limit {
				return &engine.Error{Path: path, Code: "LimitExceeded", Message: fmt.Sprintf("got %d characters, at most %d are allowed", n, limit)}
			}
			return nil
		},
	}
}
