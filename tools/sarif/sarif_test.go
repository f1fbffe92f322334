package sarif

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// validate judges a report by the schema, and refuses keys that SARIF does not have.
func validate(text []byte) error {
	var report sarif.Report
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&report); err != nil {
		return err
	}
	return report.Validate()
}

func TestReportsKeepTheSchema(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../policy/check/testdata/*/report.sarif")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no reports: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(text); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestTheSchemaBites changes one thing of a report at a time.
func TestTheSchemaBites(t *testing.T) {
	t.Parallel()
	const sound = `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
		"tool": {"driver": {"name": "gpuyard"}}, "results": [{"ruleId": "a", "level": "error", "message": {"text": "b"}}]}]}`
	if err := validate([]byte(sound)); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`"2.1.0", "runs"`:   `"2.0", "runs"`,
		`"error"`:           `"fatal"`,
		`"name": "gpuyard"`: `"fullName": "gpuyard"`,
		`"ruleId"`:          `"rule"`,
		`{"text": "b"}`:     `"b"`,
	} {
		if err := validate([]byte(strings.Replace(sound, from, to, 1))); err == nil {
			t.Errorf("%s for %s passes", to, from)
		}
	}
}
