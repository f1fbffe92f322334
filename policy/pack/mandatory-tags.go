package pack

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

var mandatoryTags = Policy{
	Name: "mandatory-tags", Level: Mandatory, Area: Spending,
	Summary: "Resources that cost money carry the tags that the configuration asks for.",
	Why:     "A bill is split by tags. What carries none is paid for by nobody and removed by nobody.",
	Fix:     "Add the tags, or set them in the provider's `defaultTags`. The remediation `add-mandatory-tags` adds those whose value it knows.",
	Tokens:  tagged,
	Settings: []Setting{{Name: "tags", Kind: TextsSetting,
		Doc: "The keys that every resource has. Left out: none."}},
	Resource: func(r *Resource, c Config) []Finding {
		missing, ok := missingTags(r, c.texts("tags"))
		if !ok || len(missing) == 0 {
			return nil
		}
		return one("Tags are missing: %s.", strings.Join(missing, ", "))
	},
}

// tagged are the types that policies about tags look at: what costs money or holds data.
var tagged = []string{tokenInstance, tokenLaunchTemplate, tokenNodeGroup, tokenCluster, tokenBucket, tokenBucketV2, tokenLustre, tokenEFS,
	tokenVolume, tokenDatabase, tokenDatabaseCluster, tokenTable, tokenFunction, tokenKey}

// missingTags returns which of the tags a resource has neither itself nor from its provider. It is not ok where that
// cannot be told.
func missingTags(r *Resource, want []string) ([]string, bool) {
	have, ok := r.Get("tags").Entries()
	defaults, okDefaults := defaultTags(r)
	var missing []string
	for _, key := range want {
		if _, here := have[key]; !here && !slices.Contains(defaults, key) {
			missing = append(missing, key)
		}
	}
	return missing, ok && okDefaults
}

// defaultTags returns the keys of the tags that the provider adds. They arrive as JSON, as provider inputs do.
func defaultTags(r *Resource) (keys []string, ok bool) {
	v, _ := r.Provider.GetOk("defaultTags")
	tags := read(v, false)
	if text, isText := tags.Text(); isText {
		var parsed struct {
			Tags map[string]any `json:"tags"`
		}
		err := json.Unmarshal([]byte(text), &parsed)
		return slices.Sorted(maps.Keys(parsed.Tags)), err == nil
	}
	entries, ok := tags.Get("tags").Entries()
	return slices.Sorted(maps.Keys(entries)), ok
}
