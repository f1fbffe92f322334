package facts_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
)

// FuzzParse puts any text into any section: a host may say what it likes, and is a host or an error.
func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/hosts/ubuntu-22.04-h100.json")
	if err != nil {
		f.Fatal(err)
	}
	var doc struct {
		Format   int               `json:"format"`
		Sections map[string]string `json:"sections"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		f.Fatal(err)
	}
	for name, section := range doc.Sections {
		f.Add(name, section)
	}
	f.Fuzz(func(t *testing.T, name, section string) {
		sections := map[string]string{}
		for k, v := range doc.Sections {
			sections[k] = v
		}
		sections[name] = section
		document, err := json.Marshal(map[string]any{"format": 1, "sections": sections})
		if err != nil {
			t.Fatal(err)
		}
		h, err := facts.Parse(document)
		if (h == nil) == (err == nil) {
			t.Errorf("a host and an error, or neither: %v", err)
		}
		if h != nil && name != "boot-id" && h.BootID != "0f3f6f6e-5a3a-4a55-9f43-4f3b1c9ed0a1" {
			t.Errorf("section %s changed the boot id to %q", name, h.BootID)
		}
	})
}
