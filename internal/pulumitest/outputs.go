package pulumitest

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
)

// Output is what an output came to.
type Output struct {
	// Value is the Go value, and nil when it is not known.
	Value any
	// Known is false for what only an apply would tell.
	Known bool
	// Secret tells that the output is kept encrypted.
	Secret bool
}

// Await waits for an output. Call it when Run has returned.
func Await(t testing.TB, out pulumi.Output) Output {
	t.Helper()
	got, err := internals.UnsafeAwaitOutput(context.Background(), out)
	if err != nil {
		t.Fatalf("awaiting an output: %v", err)
	}
	return Output{Value: got.Value, Known: got.Known, Secret: got.Secret}
}

// Outputs draws the outputs of a component: its exported fields that carry a pulumi tag, sorted.
func Outputs(t testing.TB, component pulumi.ComponentResource) string {
	t.Helper()
	value := reflect.ValueOf(component).Elem()
	var lines []string
	for i := range value.NumField() {
		name := value.Type().Field(i).Tag.Get("pulumi")
		if name == "" {
			continue
		}
		out, ok := value.Field(i).Interface().(pulumi.Output)
		if !ok {
			continue
		}
		lines = append(lines, indent+name+": "+outputText(t, Await(t, out))+"\n")
	}
	slices.Sort(lines)
	return "\noutputs\n" + strings.Join(lines, "")
}

func outputText(t testing.TB, out Output) string {
	t.Helper()
	text := "unknown"
	if out.Known {
		encoded, err := json.Marshal(out.Value)
		if err != nil {
			t.Fatalf("drawing an output: %v", err)
		}
		text = string(encoded)
	}
	if out.Secret {
		return "secret " + text
	}
	return text
}
