package blueprint

import (
	"reflect"
	"testing"
)

func TestScanPlain(t *testing.T) {
	t.Parallel()
	small, arithmetic, unsure := plainScan{small: true}, plainScan{small: true, arithmetic: true}, plainScan{}
	tests := map[string]plainScan{
		"":                            small,
		"a = 1 # + \" ${":             small,
		"a = \"x - \\\" + y\" // -":   small,
		"a = node_pool.gpu-1-b":       small,
		"a = [1, 2]\nb { c = true }":  small,
		"a = 1 - 2":                   arithmetic,
		"a = 1-2":                     arithmetic,
		"a = -1":                      arithmetic,
		"a = var.b -1":                arithmetic,
		"a = b.1-2":                   arithmetic,
		"a = 1 + 2":                   arithmetic,
		"a = b / c":                   arithmetic,
		"a = \"${b}\"":                unsure,
		"a = \"%{ if b }%{ endif }\"": unsure,
		"a = <<EOT\nEOT\n":            unsure,
		"/* # */ a = 1":               unsure,
		"a = \"open\nb = \"c\"":       unsure,
		"a = 1e5":                     unsure,
	}
	for src, want := range tests {
		if got := scanPlain([]byte(src)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", src, got, want)
		}
	}
}
