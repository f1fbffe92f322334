package blueprint

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

const twoProblems = `environment "dev" {
  region             = "us-wset-2"
  kubernetes_version = "1.33"
}
`

func TestJSON(t *testing.T) {
	t.Parallel()
	_, diags := Parse([]byte(twoProblems), "dev.hcl", testOptions())
	text, err := diags.JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/diagnostics.json", string(text))

	_, none := Parse([]byte(`environment "dev" { region = "us-west-2" }`), "dev.hcl", testOptions())
	if text, err := none.JSON(); err != nil || string(text) != "[]\n" {
		t.Errorf("no diagnostics are %q, %v", text, err)
	}
	var empty *Diagnostics
	if text, err := empty.JSON(); err != nil || !json.Valid(text) {
		t.Errorf("nil diagnostics are %q, %v", text, err)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	_, diags := Parse([]byte(twoProblems), "dev.hcl", testOptions())
	if diags.Errors() != 1 || diags.Warnings() != 1 || !diags.HasErrors() {
		t.Fatalf("%d errors and %d warnings", diags.Errors(), diags.Warnings())
	}
	draw := func(width int, color bool) string {
		var out bytes.Buffer
		if err := diags.Write(&out, width, color); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	plain := draw(60, false)
	for _, line := range strings.Split(plain, "\n") {
		if len(line) > 60 {
			t.Errorf("longer than 60: %q", line)
		}
	}
	if strings.Contains(plain, "\x1b") || !strings.Contains(draw(60, true), "\x1b[31mError") {
		t.Error("colour does not follow the parameter")
	}
	if !strings.Contains(plain, "dev.hcl line 2") || !strings.Contains(plain, `"us-wset-2"`) {
		t.Errorf("the source is not drawn:\n%s", plain)
	}
}

func TestErr(t *testing.T) {
	t.Parallel()
	_, diags := Parse([]byte(twoProblems), "dev.hcl", testOptions())
	if err := diags.Err(); err == nil || !strings.Contains(err.Error(), "Unknown region") || !strings.Contains(err.Error(), "extended support") {
		t.Errorf("got %v", err)
	}
	_, warned := Parse([]byte(strings.Replace(twoProblems, "wset", "west", 1)), "dev.hcl", testOptions())
	if err := warned.Err(); err != nil {
		t.Errorf("warnings are no error: %v", err)
	}
}

// TestSilence leaves out a warning by its rule's name.
func TestSilence(t *testing.T) {
	t.Parallel()
	src := strings.Replace(strings.Replace(twoProblems, "wset", "west", 1), "}", "  silence = [\"kubernetes-version\"]\n}", 1)
	_, diags := Parse([]byte(src), "dev.hcl", testOptions())
	if len(diags.List()) != 0 {
		t.Errorf("got %v", diags.List())
	}
}

// TestSupportDates moves the clock over the dates of a version.
func TestSupportDates(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"2026-07-29": "", // the last day of standard support
		"2026-07-30": "Kubernetes version in extended support",
		"2027-07-29": "Kubernetes version in extended support",
		"2027-07-30": "Kubernetes version out of support",
	}
	for day, want := range tests {
		opts := testOptions()
		now, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		opts.Now = func() time.Time { return now.Add(13 * time.Hour) }
		_, diags := Parse([]byte(strings.Replace(twoProblems, "wset", "west", 1)), "dev.hcl", opts)
		got := ""
		for _, d := range diags.List() {
			got += d.Summary
		}
		if got != want {
			t.Errorf("on %s: %q, want %q", day, got, want)
		}
	}
}

// TestDefaultVersion holds the default Kubernetes version to the table of supported ones.
func TestDefaultVersion(t *testing.T) {
	t.Parallel()
	b, diags := Parse([]byte(`environment "dev" { region = "us-west-2" }`), "dev.hcl", testOptions())
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	for _, r := range kubernetesReleases() {
		if r.version == b.Environment.KubernetesVersion.Value && !r.tooNew {
			return
		}
	}
	t.Errorf("the default, %s, is not supported", b.Environment.KubernetesVersion.Value)
}
