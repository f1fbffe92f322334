package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/policy/pack"
)

// The part of SARIF 2.1.0 that is written.
// Source: OASIS, Static Analysis Results Interchange Format 2.1.0; GitHub, "SARIF support for code scanning".
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		SemanticVersion string      `json:"semanticVersion"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string          `json:"id"`
		ShortDescription sarifText       `json:"shortDescription"`
		FullDescription  sarifText       `json:"fullDescription"`
		Help             sarifHelp       `json:"help"`
		Configuration    sarifLevel      `json:"defaultConfiguration"`
		Properties       sarifProperties `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Tags []string `json:"tags"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name               string `json:"name"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

// SARIF writes the report for code scanning. A finding is shown where the program made the resource if the plan knows
// that, else at the first line of file, a path within the repository such as stacks/prod.hcl.
func (r *Report) SARIF(w io.Writer, file string) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "gpuyard policy check", SemanticVersion: pack.Version, Rules: []sarifRule{}}
	index := map[string]int{}
	for _, f := range r.Findings {
		i, known := index[f.Policy.Name]
		if !known {
			i = len(run.Tool.Driver.Rules)
			index[f.Policy.Name] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, ruleOf(f.Policy))
		}
		run.Results = append(run.Results, r.resultOf(f, i, file))
	}
	return encode(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func ruleOf(p *pack.Policy) sarifRule {
	return sarifRule{
		ID: p.Name, ShortDescription: sarifText{p.Summary}, FullDescription: sarifText{p.Why},
		Help: sarifHelp{
			Text:     p.Why + "\n\n" + p.Fix,
			Markdown: fmt.Sprintf("**Why**\n\n%s\n\n**How to fix**\n\n%s", p.Why, p.Fix),
		},
		Configuration: sarifLevel{severity(p.Level)}, Properties: sarifProperties{Tags: []string{string(p.Area)}},
	}
}

func (r *Report) resultOf(f Finding, rule int, file string) sarifResult {
	line := 1
	if path, at, ok := position(r.Plan.positions[f.URN]); ok {
		file, line = path, at
	}
	location := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{file}, Region: sarifRegion{line}}}
	if f.Name != "" {
		location.Logical = []sarifLogical{{Name: f.Name, FullyQualifiedName: f.URN, Kind: "resource"}}
	}
	sum := sha256.Sum256([]byte(f.Policy.Name + "\x00" + f.URN + "\x00" + f.Message))
	result := sarifResult{
		RuleID: f.Policy.Name, RuleIndex: rule, Level: severity(f.Level), Message: sarifText{f.subject() + ": " + f.Message},
		Locations: []sarifLocation{location}, Fingerprints: map[string]string{"finding/v1": hex.EncodeToString(sum[:16])},
	}
	if f.Exception != nil {
		result.Suppressions = []sarifSuppression{{Kind: "external", Justification: f.Exception.ID + ": " + f.Exception.Reason}}
	}
	return result
}

// severity is a level in SARIF's words.
func severity(level pack.Level) string {
	if level == pack.Mandatory {
		return "error"
	}
	return "warning"
}

// position reads a source position of the engine: project:///main.go#12 or project:///main.go#12,3.
func position(text string) (path string, line int, ok bool) {
	path, at, found := strings.Cut(strings.TrimPrefix(text, "project:///"), "#")
	if !found || !strings.HasPrefix(text, "project:///") {
		return "", 0, false
	}
	at, _, _ = strings.Cut(at, ",")
	line, err := strconv.Atoi(at)
	return path, line, err == nil && line > 0
}
