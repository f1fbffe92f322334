package nodeprep_test

import (
	"bytes"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

func TestTry(t *testing.T) {
	h, err := hosttest.New(t.TempDir(), hosttest.Ubuntu("22.04"), hosttest.H100())
	if err != nil {
		t.Fatal(err)
	}
	p, _ := profile.BuiltIn("training")
	r, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	if r.Before != nil {
		var b bytes.Buffer
		r.Before.WriteText(&b, true)
		t.Log(b.String())
	}
	for _, x := range r.Results {
		t.Log(x)
	}
	if r.After != nil {
		var b bytes.Buffer
		r.After.WriteText(&b, false)
		t.Log(b.String())
	}
	t.Log(h.Complaints())
	t.Log(err)
}
