package blueprint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCIDRSubnet(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`cidrsubnet("10.0.0.0/16", 8, 0)`:         "10.0.0.0/24",
		`cidrsubnet("10.0.0.0/16", 8, 255)`:       "10.0.255.0/24",
		`cidrsubnet("10.0.0.0/16", 0, 0)`:         "10.0.0.0/16",
		`cidrsubnet("10.0.3.7/16", 4, 3)`:         "10.0.48.0/20",
		`cidrsubnet("0.0.0.0/0", 32, 4294967295)`: "255.255.255.255/32",
		`cidrsubnet("10.0.0.0/16", 8, 256)`:       "",
		`cidrsubnet("10.0.0.0/16", 17, 0)`:        "",
		`cidrsubnet("10.0.0.0/16", -1, 0)`:        "",
		`cidrsubnet("10.0.0.0/16", 8, -1)`:        "",
		`cidrsubnet("10.0.0.0/16", 1.5, 0)`:       "",
		`cidrsubnet("fd00::/8", 8, 0)`:            "",
		`cidrsubnet("nonsense", 8, 0)`:            "",
	}
	for expr, want := range tests {
		if got := tagOf(t, "test.hcl", expr); got != want {
			t.Errorf("%s = %q, want %q", expr, got, want)
		}
	}
}

// tagOf evaluates an expression, and is empty when it is in error.
func tagOf(t *testing.T, filename, expr string) string {
	t.Helper()
	b, diags := Parse([]byte("environment \"dev\" {\n  region = \"us-west-2\"\n  tags = { it = "+expr+" }\n}\n"), filename, testOptions())
	if diags.HasErrors() {
		return ""
	}
	return b.Environment.Tags["it"]
}

// TestFile reads beside and below the blueprint, and nowhere else.
func TestFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blueprint := filepath.Join(dir, "inside", "blueprint.hcl")
	if err := os.MkdirAll(filepath.Join(dir, "inside", "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("outside", "outside")
	write("inside/beside", "beside")
	write("inside/below/deep", "deep")
	write("inside/binary", "\xff\xfe")
	write("inside/large", strings.Repeat("x", maxFileRead+1))
	if err := os.Symlink(filepath.Join(dir, "outside"), filepath.Join(dir, "inside", "link")); err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"beside": "beside", "below/deep": "deep", "./beside": "beside",
		"../outside": "", "link": "", "below": "", "binary": "", "large": "", "none": "", "": "", "/etc/hostname": "",
	}
	for path, want := range tests {
		if got := tagOf(t, blueprint, `file("`+path+`")`); got != want {
			t.Errorf("file(%q) = %q, want %q", path, got, want)
		}
	}
}
