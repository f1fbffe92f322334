package blueprint

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestPiecesAreTheWhole parses long sources in pieces and as a whole: the same bodies and diagnostics, byte for byte.
func TestPiecesAreTheWhole(t *testing.T) {
	t.Parallel()
	many := string(manyPools(100))
	tests := map[string]struct {
		src    string
		joined bool // the source is taken in pieces
	}{
		"blocks":                {many, true},
		"letters beyond ASCII":  {strings.ReplaceAll(many, "vm.swappiness", "größe"), true},
		"an error at the end":   {many + "node_pool {", false},
		"an error in a piece":   {strings.Replace(many, "= node_profile.profile-50", "= = node_profile", 1), false},
		"an attribute":          {many + "region = 1\n" + many + "region = 2\n", false},
		"an object at the root": {"locals = {\n}\n" + many, false},
		"too many ends":         {"}\n" + many, false},
		"too few ends":          {"network {\n" + many, false},
		"short":                 {string(manyPools(1)), false},
		"a heredoc":             {many + "locals {\n  a = <<EOT\n}\nEOT\n}\n", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := []byte(test.src)
			want, wantDiags := hclsyntax.ParseConfig(src, "many.hcl", hcl.InitialPos)
			got, gotDiags := parseNative(src, "many.hcl", scanPlain(src).cuts)
			if _, joined := got.Nav.(navigation); joined != test.joined {
				t.Fatalf("taken in pieces: %v, want %v", joined, test.joined)
			}
			if !reflect.DeepEqual(gotDiags, wantDiags) {
				t.Errorf("diagnostics:\n%v\nwant:\n%v", gotDiags, wantDiags)
			}
			if !reflect.DeepEqual(got.Body, want.Body) {
				t.Errorf("the bodies differ")
			}
			context := func(f *hcl.File, at int) string {
				return f.Nav.(interface{ ContextString(int) string }).ContextString(at)
			}
			for at := 0; at < len(src); at += 100 {
				if g, w := context(got, at), context(want, at); g != w {
					t.Fatalf("byte %d is in %q, want %q", at, g, w)
				}
			}
		})
	}
}

// FuzzPieces makes a long source of a short one, again and again, and wants the same of it in pieces and as a whole.
func FuzzPieces(f *testing.F) {
	for _, src := range []string{string(manyPools(1)), "a {\n}\n", "a \"b\" {\n  c = \"}\"\n}\n# }\n", "a = {\n}\n", "}\n", "a {\n", "a {}", "a { b = [\n]\n}\nc {\n}"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) == 0 || len(src) > pieceSize {
			return
		}
		long := bytes.Repeat(append(bytes.Clone(src), '\n'), 1+3*pieceSize/(len(src)+1))
		scan := scanPlain(long)
		if len(scan.cuts) == 0 {
			return
		}
		want, wantDiags := hclsyntax.ParseConfig(long, "long.hcl", hcl.InitialPos)
		got, gotDiags := parseNative(long, "long.hcl", scan.cuts)
		if !reflect.DeepEqual(gotDiags, wantDiags) || !reflect.DeepEqual(got.Body, want.Body) {
			t.Errorf("in pieces it is another file, or has other diagnostics: %v, want %v", gotDiags, wantDiags)
		}
	})
}
