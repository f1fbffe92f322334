package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/policy/check"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// TestReports judges each folder's plan.json with its config.json, if it has one, and holds all four renderings.
func TestReports(t *testing.T) {
	t.Parallel()
	plans, err := filepath.Glob("testdata/*/plan.json")
	if err != nil || len(plans) == 0 {
		t.Fatalf("there are no plans: %v", err)
	}
	for _, path := range plans {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			report := judge(t, dir)
			for name, write := range map[string]func(io.Writer) error{
				"report.txt": report.Text, "report.json": report.JSON, "report.md": report.Markdown,
				"report.sarif": func(w io.Writer) error { return report.SARIF(w, "stacks/train.hcl") },
			} {
				var got bytes.Buffer
				if err := write(&got); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join(dir, name), got.Bytes())
			}
		})
	}
}

func judge(t *testing.T, dir string) *check.Report {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	settings, err := check.ReadSettings(config)
	if err != nil {
		t.Fatal(err)
	}
	return check.Judge(plan, settings, now)
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nand should be\n%s", path, got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"nothing":          {" \n", "The plan is empty."},
		"text":             {"Previewing update (dev)", "The plan is no JSON (line 1: "},
		"broken JSON":      {"{\n\"steps\": [\n}", "The plan is no JSON (line 3: "},
		"a list":           {"[]", "The plan is no JSON object."},
		"a Terraform":      {`{"terraform_version":"1.9.0","planned_values":{}}`, "This is a Terraform plan."},
		"CloudFormation":   {`{"AWSTemplateFormatVersion":"2010-09-09","Resources":{}}`, "This is a CloudFormation template."},
		"an update plan":   {`{"manifest":{},"resourcePlans":{}}`, "This is an update plan"},
		"an event":         {`{"sequence":1,"timestamp":2}`, "This is an event log"},
		"anything":         {`{"kind":"Pod"}`, "This JSON is neither a Pulumi preview nor a stack export."},
		"steps as text":    {`{"steps":"none"}`, "The preview cannot be read: "},
		"a wrong export":   {`{"version":3,"deployment":{"resources":{}}}`, "The deployment of the stack export cannot be read: "},
		"no new state":     {`{"steps":[{"op":"create"}]}`, `Step 1 of the preview, "create", has no newState. So it cannot be judged.`},
		"no steps":         {`{"steps":[]}`, "The preview has no steps."},
		"no type":          {`{"steps":[{"op":"create","newState":{"urn":"x"}}]}`, `Resource 1 of the preview has the type "" and the URN "x"`},
		"another type":     {`{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:a::b::c:d:E::f","type":"c:d:F"}]}}`, `Resource 1 of the stack export has the type "c:d:F"`},
		"another version":  {`{"version":99,"deployment":{"resources":null}}`, "The version of the stack export is 99, and those from 3 to 4 are known."},
		"no version":       {`{"deployment":{"resources":[]}}`, "The version of the stack export is missing,"},
		"no resources":     {`{"version":3,"deployment":{"resources":null}}`, "The deployment of the stack export has no resources."},
		"a bottomless one": {strings.Repeat(`{"steps":`, 20000), "The plan is no JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := check.Read([]byte(c.src))
			var plan *check.PlanError
			if !errors.As(err, &plan) || !strings.HasPrefix(plan.Reason, c.want) || !strings.Contains(plan.Reason, "pulumi stack export") {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		})
	}
}

func TestSettingsRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"text":              {"levels:", "It is no JSON object: "},
		"a version":         {`{"version":3}`, `"version" is 3, and 2 is the only one.`},
		"a key":             {`{"version":2,"polices":{}}`, `There is no key "polices". The keys are version, policies, exceptions, environments.`},
		"a policy":          {`{"public-shh":"mandatory"}`, `There is no policy "public-shh". Did you mean public-ssh?`},
		"a level":           {`{"public-ssh":"strict"}`, `public-ssh has the level "strict". The levels are advisory, mandatory, remediate, disabled.`},
		"a level's kind":    {`{"public-ssh":{"enforcementLevel":1}}`, `public-ssh: "enforcementLevel" takes a string.`},
		"a kind":            {`{"public-ssh":true}`, `public-ssh takes a level or an object of settings.`},
		"a setting":         {`{"public-ssh":{"ports":[22]}}`, `public-ssh has no setting "ports". It has none but enforcementLevel.`},
		"a setting's name":  {`{"mandatory-tags":{"tag":["team"]}}`, `mandatory-tags has no setting "tag". Did you mean tags?`},
		"a far name":        {`{"mandatory-tags":{"everything":1}}`, `mandatory-tags has no setting "everything". Its settings are enforcementLevel, tags.`},
		"a number":          {`{"pool-hourly-price":{"maxPerPool":"20"}}`, `pool-hourly-price: "maxPerPool" takes a number that is not negative.`},
		"a negative number": {`{"pool-hourly-price":{"maxPerPool":-1}}`, `pool-hourly-price: "maxPerPool" takes a number that is not negative.`},
		"a flag":            {`{"deletion-protection":{"required":"yes"}}`, `deletion-protection: "required" takes true or false.`},
		"a list":            {`{"allowed-regions":{"regions":"us-east-2"}}`, `allowed-regions: "regions" takes a list of strings.`},
		"an empty string":   {`{"allowed-regions":{"regions":[""]}}`, `allowed-regions: "regions" takes a list of strings that are not empty.`},
		"an illegal string": {`{"cluster-logs":{"types":["audits"]}}`, `cluster-logs: "types" has "audits", and may have api, audit, authenticator, controllerManager, scheduler.`},
		"times":             {`{"capacity-block-target":{"starts":{"cr-1":"soon"}}}`, `capacity-block-target: "starts" takes an object whose values are times`},
		"pairs":             {`{"add-mandatory-tags":{"values":{"team":7}}}`, `add-mandatory-tags: "values" takes an object whose values are strings.`},
		"settings of all":   {`{"all":{"max":1}}`, `all takes a level only.`},
		"no reason":         {`{"version":2,"exceptions":{"E-1":{"match":[{"policies":["public-ssh"],"targets":["urn:pulumi:a::b::c::d"]}]}}}`, `The exception E-1 has no reason.`},
		"no match":          {`{"version":2,"exceptions":{"E-1":{"reason":"r"}}}`, `The exception E-1 matches nothing`},
		"a wrong target":    {`{"version":2,"exceptions":{"E-1":{"reason":"r","match":[{"policies":["public-ss"],"targets":["h100"]}]}}}`, `The exception E-1 names the policy "public-ss", which there is not. Did you mean public-ssh?`},
		"exceptions":        {`{"version":2,"exceptions":[]}`, `"exceptions" takes an object of exceptions by id.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := check.ReadSettings([]byte(c.src))
			var settings *check.SettingsError
			if !errors.As(err, &settings) || !strings.HasPrefix(settings.Problems[0], c.want) {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		})
	}
}

// TestAllProblemsAtOnce: a file with several mistakes names them all.
func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := check.ReadSettings([]byte(`{"public-ssh":"strict","nothing":"mandatory","deletion-protection":{"required":1}}`))
	var settings *check.SettingsError
	if !errors.As(err, &settings) || len(settings.Problems) != 3 {
		t.Errorf("the error is %v, and three things are wrong", err)
	}
}

// TestReadyFiles reads the configuration files that come with the pack.
func TestReadyFiles(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../config/*.json")
	if err != nil || len(paths) != 3 {
		t.Fatalf("%v, %v: dev, staging and prod are wanted", paths, err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := check.ReadSettings(src); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestMarkdownFitsAComment renders many findings.
func TestMarkdownFitsAComment(t *testing.T) {
	t.Parallel()
	var resources []map[string]any
	for i := range 3000 {
		urn := "urn:pulumi:a::b::aws:iam/accessKey:AccessKey::key-" + strings.Repeat("x", 40) + string(rune('a'+i%26))
		resources = append(resources, map[string]any{"urn": urn, "type": "aws:iam/accessKey:AccessKey", "custom": true, "inputs": map[string]any{"user": "ci"}})
	}
	src, err := json.Marshal(map[string]any{"version": 3, "deployment": map[string]any{"resources": resources}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := check.Judge(plan, nil, now).Markdown(&got); err != nil {
		t.Fatal(err)
	}
	if got.Len() > 65536 || !strings.Contains(got.String(), "more, which do not fit into a comment") {
		t.Errorf("the comment has %d characters", got.Len())
	}
}
