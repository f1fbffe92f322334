package pack

var lambdaDeadLetters = Policy{
	Name: "lambda-dead-letters", Level: Advisory, Area: Serverless,
	Summary: "What a function fails on is kept.",
	Why:     "An asynchronous call that fails is tried twice more and then dropped. The request for a fine-tuning run is then just gone.",
	Fix: "Set `deadLetterConfig`, or an `aws.lambda.FunctionEventInvokeConfig` with a destination on failure. A function that reads a queue " +
		"has the queue's own redrive policy instead.",
	Stack: judgeLambdaDeadLetters,
}

func judgeLambdaDeadLetters(s *Stack, _ Config) []Finding {
	kept := map[*Resource]bool{}
	for _, r := range s.Of(tokenFunctionInvoke, tokenEventSource) {
		name := r.Get("functionName")
		function := s.Meant(r, "functionName", name, tokenFunction)
		if _, known := name.Text(); function == nil && !known {
			return nil
		}
		if r.Type == tokenEventSource || !r.Get("destinationConfig", "onFailure").Absent() {
			kept[function] = true
		}
	}
	var findings []Finding
	for _, f := range s.Of(tokenFunction) {
		if !kept[f] && f.Get("deadLetterConfig").Absent() {
			findings = append(findings, at(f, "Calls that fail are dropped: there is no dead-letter queue and no destination on failure."))
		}
	}
	return findings
}
