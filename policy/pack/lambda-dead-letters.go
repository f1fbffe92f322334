package pack

import "strings"

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
		function, known := functionOf(s, r)
		if !known {
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

// functionOf returns the function whose name or ARN a resource has as its functionName, with or without a version or an
// alias, and whether that can be told. It is nil if the function is of another stack.
func functionOf(s *Stack, r *Resource) (*Resource, bool) {
	const prop = "functionName"
	v := r.Get(prop)
	if f := s.Meant(r, prop, v, tokenFunction); f != nil {
		return f, true
	}
	if alias := s.Meant(r, prop, v, tokenFunctionAlias); alias != nil {
		f := s.Meant(alias, prop, alias.Get(prop), tokenFunction)
		return f, f != nil
	}
	text, known := v.Text()
	if _, after, isARN := strings.Cut(text, ":function:"); isARN {
		text = after
	}
	text, _, _ = strings.Cut(text, ":")
	for _, f := range s.Of(tokenFunction) {
		if own, ok := f.Get("name").Text(); ok && own == text {
			return f, true
		}
	}
	return nil, known
}
