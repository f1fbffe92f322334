package pack

var fsxEFA = Policy{
	Name: "fsx-efa", Level: Mandatory, Area: Storage,
	Summary: "EFA is asked for on Lustre file systems that have it.",
	Why: "Only PERSISTENT_2 with a metadata configuration has EFA. On other types the wish is dropped or refused, and both can only be " +
		"put right by making the file system anew.",
	Fix:    "Set `deploymentType` to `PERSISTENT_2` and `metadataConfiguration`, or leave `efaEnabled` out.",
	Tokens: []string{tokenLustre},

	// Source: FSx API, CreateFileSystemLustreConfiguration.
	Resource: func(r *Resource, _ Config) []Finding {
		on, ok := r.Get("efaEnabled").FlagOr(false)
		kind := r.Get("deploymentType")
		text, known := kind.TextOr("SCRATCH_1")
		if !ok || !on || !known {
			return nil
		}
		if text != "PERSISTENT_2" {
			return one("efaEnabled is set and deploymentType is %s: only PERSISTENT_2 has EFA.", kind.Quote())
		}
		if r.Get("metadataConfiguration").Absent() {
			return one("efaEnabled is set and metadataConfiguration is left out: it cannot be added later.")
		}
		return nil
	},
}
