package tags_test

import (
	"maps"
	"reflect"
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	base := map[string]string{"team": "vision", "Name": "everything"}
	got := tags.Merge(base, "net-igw")
	want := pulumi.StringMap{"team": pulumi.String("vision"), "Name": pulumi.String("net-igw")}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if base["Name"] != "everything" {
		t.Error("the base tags were changed")
	}
}

func TestMergeOfNothing(t *testing.T) {
	t.Parallel()
	if got, want := tags.Merge(nil, "x"), (pulumi.StringMap{"Name": pulumi.String("x")}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOverLetsTheLaterWin(t *testing.T) {
	t.Parallel()
	got := tags.Over(map[string]string{"a": "1", "b": "1"}, nil, map[string]string{"b": "2"})
	if want := map[string]string{"a": "1", "b": "2"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
