package check

import (
	"encoding/json"
	"io"
)

// JSON writes the report for programs. The form is stable: keys are added and none is changed.
func (r *Report) JSON(w io.Writer) error {
	type exceptionJSON struct {
		ID     string `json:"id"`
		Reason string `json:"reason"`
	}
	type findingJSON struct {
		Policy    string         `json:"policy"`
		Area      string         `json:"area"`
		Level     string         `json:"level"`
		URN       string         `json:"urn,omitempty"`
		Type      string         `json:"type,omitempty"`
		Name      string         `json:"name,omitempty"`
		Summary   string         `json:"summary"`
		Message   string         `json:"message"`
		Stops     bool           `json:"stops"`
		Exception *exceptionJSON `json:"exception,omitempty"`
	}
	type remedyJSON struct {
		Policy string `json:"policy"`
		URN    string `json:"urn"`
		Type   string `json:"type"`
		Name   string `json:"name"`
	}
	type countJSON struct {
		Mandatory int `json:"mandatory"`
		Advisory  int `json:"advisory"`
		Excepted  int `json:"excepted"`
	}
	document := struct {
		Version    int           `json:"version"`
		Source     string        `json:"source"`
		Passed     bool          `json:"passed"`
		Policies   int           `json:"policies"`
		Resources  int           `json:"resources"`
		Count      countJSON     `json:"count"`
		Findings   []findingJSON `json:"findings"`
		Remediated []remedyJSON  `json:"remediated"`
		Notes      []string      `json:"notes"`
	}{
		Version: 1, Source: r.Plan.Source, Passed: !r.Failed(), Policies: r.Policies, Resources: r.Resources,
		Findings: []findingJSON{}, Remediated: []remedyJSON{}, Notes: append([]string{}, r.Plan.Notes...),
	}
	document.Count.Mandatory, document.Count.Advisory, document.Count.Excepted = r.Count()
	for _, f := range r.Findings {
		out := findingJSON{
			Policy: f.Policy.Name, Area: string(f.Policy.Area), Level: string(f.Level), URN: f.URN, Type: f.Type, Name: f.Name,
			Summary: f.Policy.Summary, Message: f.Message, Stops: f.Stops(),
		}
		if f.Exception != nil {
			out.Exception = &exceptionJSON{f.Exception.ID, f.Exception.Reason}
		}
		document.Findings = append(document.Findings, out)
	}
	for _, m := range r.Remedies {
		document.Remediated = append(document.Remediated, remedyJSON{m.Policy.Name, m.URN, m.Type, m.Name})
	}
	return encode(w, document)
}

func encode(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
