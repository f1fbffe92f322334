package engine

import (
	"context"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	unknown := resource.MakeComputed(resource.NewProperty(""))
	old := map[string]any{"name": "n", "size": 2, "box": map[string]any{"fixed": "a", "free": "b"}}
	for name, c := range map[string]struct {
		token    string
		old, new map[string]any
		want     map[string]pulumirpc.PropertyDiff_Kind
		first    bool
	}{
		"same":            {token: thing, old: old, new: old},
		"secret of same":  {token: thing, old: old, new: map[string]any{"name": resource.MakeSecret(resource.NewProperty("n")), "size": 2, "box": old["box"]}},
		"in place":        {token: thing, old: old, new: map[string]any{"name": "n", "size": 4, "box": old["box"]}, want: map[string]pulumirpc.PropertyDiff_Kind{"size": pulumirpc.PropertyDiff_UPDATE}},
		"unknown":         {token: thing, old: old, new: map[string]any{"name": unknown, "size": unknown, "box": old["box"]}, want: map[string]pulumirpc.PropertyDiff_Kind{"name": pulumirpc.PropertyDiff_UPDATE_REPLACE, "size": pulumirpc.PropertyDiff_UPDATE}},
		"nested":          {token: thing, old: old, new: map[string]any{"name": "n", "size": 2, "box": map[string]any{"fixed": "a", "free": "c"}}, want: map[string]pulumirpc.PropertyDiff_Kind{"box.free": pulumirpc.PropertyDiff_UPDATE}},
		"nested replaces": {token: thing, old: old, new: map[string]any{"name": "n", "size": 2, "box": map[string]any{"fixed": "c", "free": "b"}}, want: map[string]pulumirpc.PropertyDiff_Kind{"box.fixed": pulumirpc.PropertyDiff_UPDATE_REPLACE}, first: true},
		"whole block":     {token: thing, old: old, new: map[string]any{"name": "n", "size": 2}, want: map[string]pulumirpc.PropertyDiff_Kind{"box": pulumirpc.PropertyDiff_DELETE_REPLACE}, first: true},
		"name chosen before": {token: thing, old: map[string]any{"name": "n", "size": 2, "box": old["box"], "__defaults": []any{"name"}},
			new: map[string]any{"name": "n", "size": 2, "__defaults": []any{"name"}}, want: map[string]pulumirpc.PropertyDiff_Kind{"box": pulumirpc.PropertyDiff_DELETE_REPLACE}},
		"delete first": {token: part, old: map[string]any{"thing": "a"}, new: map[string]any{"thing": "b"}, want: map[string]pulumirpc.PropertyDiff_Kind{"thing": pulumirpc.PropertyDiff_UPDATE_REPLACE}, first: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, err := b.Diff(context.Background(), &pulumirpc.DiffRequest{Urn: urnOf(c.token), OldInputs: b.props(c.old), News: b.props(c.new)})
			if err != nil {
				t.Fatal(err)
			}
			if len(resp.GetDetailedDiff()) != len(c.want) || resp.GetDeleteBeforeReplace() != c.first {
				t.Errorf("got %v, want %v, delete first %v", resp, c.want, c.first)
			}
			for path, kind := range c.want {
				if got := resp.GetDetailedDiff()[path]; got.GetKind() != kind {
					t.Errorf("%s: got %v, want %v", path, got, kind)
				}
			}
			if (resp.GetChanges() == pulumirpc.DiffResponse_DIFF_SOME) != (len(c.want) > 0) {
				t.Errorf("changes: %v", resp.GetChanges())
			}
		})
	}
}
