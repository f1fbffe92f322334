package pack

var lambdaConcurrency = Policy{
	Name: "lambda-concurrency", Level: Advisory, Area: Serverless,
	Summary: "Functions reserve concurrency.",
	Why: "An account's functions share one pool of concurrency. One that is called in a loop takes it all, and the others answer 429; " +
		"its bill has no limit either.",
	Fix:    "Set `reservedConcurrentExecutions`.",
	Tokens: []string{tokenFunction},

	Resource: func(r *Resource, _ Config) []Finding {
		if n, ok := r.Get("reservedConcurrentExecutions").NumberOr(-1); ok && n < 0 {
			return one("reservedConcurrentExecutions is %s: the function may take the whole account's.", r.Get("reservedConcurrentExecutions").Quote())
		}
		return nil
	},
}
