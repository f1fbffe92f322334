package blueprint

import (
	"bytes"
	"strings"
	"testing"
)

// load parses a text with the given configuration and environment.
func load(t *testing.T, src string, configuration, environment map[string]string) (*Blueprint, *Diagnostics) {
	t.Helper()
	opts := testOptions()
	opts.Variables = lookupIn(configuration)
	opts.Environ = lookupIn(environment)
	return Parse([]byte(src), "test.hcl", opts)
}

func lookupIn(m map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := m[name]
		return value, ok
	}
}

const region = "environment \"dev\" {\n  region = \"us-west-2\"\n  tags   = { it = var.it }\n}\n"

func TestVariableSources(t *testing.T) {
	t.Parallel()
	const block = "variable \"it\" { default = \"default\" }\n"
	tests := map[string]struct {
		configuration, environment map[string]string
		want, source               string
	}{
		"configuration first": {map[string]string{"it": "configured"}, map[string]string{"GPUYARD_VAR_it": "environment"}, "configured", "configuration"},
		"then environment":    {nil, map[string]string{"GPUYARD_VAR_it": "environment"}, "environment", "environment"},
		"then default":        {nil, nil, "default", "default"},
		"empty is a value":    {map[string]string{"it": ""}, nil, "", "configuration"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, diags := load(t, block+region, tt.configuration, tt.environment)
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if got := b.Environment.Tags["it"]; got != tt.want {
				t.Errorf("value %q, want %q", got, tt.want)
			}
			if got := b.Variables[0].Source; got != tt.source {
				t.Errorf("source %q, want %q", got, tt.source)
			}
		})
	}
}

func TestVariableTypes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ typ, given, expr, want string }{
		"number":           {"number", "12", "var.it + 1", "13"},
		"bool":             {"bool", "true", "var.it ? 1 : 2", "1"},
		"list as JSON":     {"list(string)", `["a", "b"]`, `join("+", var.it)`, "a+b"},
		"map as HCL":       {"map(number)", `{ a = 1 }`, "var.it.a", "1"},
		"object":           {"object({ a = string })", `{"a": "x"}`, "var.it.a", "x"},
		"string of digits": {"string", "007", "var.it", "007"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := "variable \"it\" { type = " + tt.typ + " }\n" + strings.Replace(region, "var.it", tt.expr, 1)
			b, diags := load(t, src, map[string]string{"it": tt.given}, nil)
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if got := b.Environment.Tags["it"]; got != tt.want {
				t.Errorf("%s = %q, want %q", tt.expr, got, tt.want)
			}
		})
	}
}

func TestVariableIllegal(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ typ, given string }{
		"word for a number":        {"number", "three"},
		"word for a list":          {"list(string)", "a"},
		"expression with names":    {"list(string)", "[var.other]"},
		"expression with function": {"list(string)", `[file("x")]`},
		"deep":                     {"list(any)", strings.Repeat("[", 200) + strings.Repeat("]", 200)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := load(t, "variable \"it\" { type = "+tt.typ+" }\nenvironment \"dev\" { region = \"us-west-2\" }\n", map[string]string{"it": tt.given}, nil)
			if list := diags.List(); len(list) != 1 || list[0].Summary != "Illegal variable value" || list[0].Subject.Start.Line != 1 {
				t.Errorf("got %v, want one Illegal variable value on line 1", list)
			}
		})
	}
}

// TestMissingVariable holds the message to the three ways of giving a value.
func TestMissingVariable(t *testing.T) {
	t.Parallel()
	_, diags := load(t, "variable \"it\" { description = \"Id of the thing\" }\n"+region, nil, nil)
	list := diags.List()
	if len(list) != 1 {
		t.Fatalf("%d diagnostics, want 1: %v", len(list), list)
	}
	for _, want := range []string{"pulumi config set it VALUE", "GPUYARD_VAR_it=VALUE", "default in this block", "Id of the thing."} {
		if !strings.Contains(list[0].Detail, want) {
			t.Errorf("%q does not say %q", list[0].Detail, want)
		}
	}
}

// TestSensitive puts a secret wherever a message might show it: in the value of an argument, in a computed value, in
// the error of a function, in a key, in a rule, in its own default.
func TestSensitive(t *testing.T) {
	t.Parallel()
	const src = `variable "it" {
  sensitive = true
  default   = "Hunter-two"
}
variable "number" {
  type      = number
  sensitive = true
  default   = "Hunter-two too"
}
locals {
  copy = "x-${var.it}"
}
environment "dev" {
  region             = var.it
  kubernetes_version = upper(var.it)
  protect            = var.it
  budget_per_hour    = tonumber(var.it)
  tags               = { "aws:${var.it}" = "x" }
  silence            = [local.copy]
}
network {
  cidr  = var.it
  zones = [var.it, "${var.it}b"]
  nat   = var.it
}
node_pool "gpu" {
  instance_types = [lower(var.it)]
  size           = { min = 0, desired = 0, max = 1, (var.it) = 2 }
  root_volume    = var.it
  labels         = { (upper(var.it)) = 1, "kubernetes.io/x" = upper(var.it), "gpuyard.dev/x" = "${upper(var.it)}!" }
  taints         = [{ key = "!${upper(var.it)}", effect = upper(var.it), (upper(var.it)) = 1 }]
  ami            = local.copy
}
`
	_, diags := load(t, src, nil, nil)
	if diags.Errors() < 12 {
		t.Errorf("only %d errors: the secret does not reach the messages", diags.Errors())
	}
	var drawn bytes.Buffer
	if err := diags.Write(&drawn, 100, false); err != nil {
		t.Fatal(err)
	}
	asJSON, err := diags.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{drawn.String(), string(asJSON)} {
		if i := strings.Index(strings.ToLower(text), "hunter"); i >= 0 {
			t.Errorf("the secret shows: …%s…", text[max(0, i-200):min(len(text), i+80)])
		}
	}
	if !strings.Contains(drawn.String(), redacted) {
		t.Error("nothing was redacted")
	}
}
