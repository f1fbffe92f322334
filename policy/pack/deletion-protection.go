package pack

var deletionProtection = Policy{
	Name: "deletion-protection", Level: Mandatory, Area: Nodes,
	Summary: "What holds state is protected in environments that are protected.",
	Why:     "A renamed resource or a wrong stack is enough to delete a bucket of checkpoints. Protection makes that two steps.",
	Fix:     "Give the resource the option `protect`, or the service's own deletion protection.",
	Tokens:  []string{tokenBucket, tokenBucketV2, tokenLustre, tokenEFS, tokenDatabase, tokenDatabaseCluster, tokenTable, tokenVolume},
	Settings: []Setting{{Name: "required", Kind: FlagSetting, Default: false,
		Doc: "Whether this environment is one that is protected."}},
	Resource: func(r *Resource, c Config) []Finding {
		if !c.flag("required") || r.Protect {
			return nil
		}
		for _, name := range []string{"deletionProtection", "deletionProtectionEnabled"} {
			if on, ok := r.Get(name).FlagOr(false); on || !ok {
				return nil
			}
		}
		return one("It holds state, and nothing keeps it from being deleted: set the option protect.")
	},
}
