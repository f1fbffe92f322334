package pack

import (
	"encoding/json"
	"strings"
)

// statement is one statement of an IAM policy document, as far as policies look at it.
type statement struct {
	Effect    string          `json:"Effect"`
	Action    oneOrMore       `json:"Action"`
	Resource  oneOrMore       `json:"Resource"`
	Principal json.RawMessage `json:"Principal"`
	Condition json.RawMessage `json:"Condition"`
}

// oneOrMore is a string or a list of strings, as IAM has them.
type oneOrMore []string

// UnmarshalJSON implements json.Unmarshaler. Elements of other kinds are passed over: IAM refuses them.
func (o *oneOrMore) UnmarshalJSON(src []byte) error {
	var text string
	if json.Unmarshal(src, &text) == nil {
		*o = oneOrMore{text}
		return nil
	}
	var list []any
	if json.Unmarshal(src, &list) != nil {
		return nil
	}
	for _, e := range list {
		if text, ok := e.(string); ok {
			*o = append(*o, text)
		}
	}
	return nil
}

func (o oneOrMore) has(want string) bool {
	for _, text := range o {
		if text == want {
			return true
		}
	}
	return false
}

// statements reads a policy document, whose statements may be one or a list. A document that is not known, or that does
// not parse, has none: IAM refuses the latter.
func statements(document Value) []statement {
	text, ok := document.Text()
	if !ok {
		return nil
	}
	var doc struct {
		Statement json.RawMessage `json:"Statement"`
	}
	if json.Unmarshal([]byte(text), &doc) != nil {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(doc.Statement, &list) != nil {
		list = []json.RawMessage{doc.Statement}
	}
	var found []statement
	for _, raw := range list {
		var s statement
		if json.Unmarshal(raw, &s) == nil {
			found = append(found, s)
		}
	}
	return found
}

// anyone says whether the principal is everybody: "*", or {"AWS": "*"}.
func (s statement) anyone() bool {
	var text string
	if json.Unmarshal(s.Principal, &text) == nil {
		return text == "*"
	}
	var kinds map[string]oneOrMore
	if json.Unmarshal(s.Principal, &kinds) != nil {
		return false
	}
	for _, ids := range kinds {
		if ids.has("*") {
			return true
		}
	}
	return false
}

// conditional says whether the statement holds under conditions only.
func (s statement) conditional() bool {
	text := strings.TrimSpace(string(s.Condition))
	return text != "" && text != "null" && text != "{}"
}
