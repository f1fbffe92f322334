package pack

var containerJobTimeout = Policy{
	Name: "container-job-timeout", Level: Mandatory, Area: Serverless,
	Summary: "Container jobs state how long they may run.",
	Why:     "Tools fill in 30 minutes where a job says nothing, and a fine-tuning run that takes 31 is killed at its end.",
	Fix:     "Set `configuration.replicaTimeout` to one and a half times of what the run takes.",
	Tokens:  []string{tokenContainerJob},

	Resource: func(r *Resource, _ Config) []Finding {
		timeout := r.Get("configuration", "replicaTimeout")
		if n, ok := timeout.NumberOr(0); ok && n <= 0 && !unreadable(r.Get("configuration")) {
			return one("configuration.replicaTimeout is %s.", timeout.Quote())
		}
		return nil
	},
}

// unreadable says whether a value is there and no object.
func unreadable(v Value) bool {
	_, ok := v.Entries()
	return !ok
}
