package pack

var lambdaQueue = Policy{
	Name: "lambda-queue", Level: Advisory, Area: Serverless,
	Summary: "A queue that calls a function hides a message long enough, and gives up in the end.",
	Why: "A message that is shown again while it is handled is handled twice: two fine-tuning runs, two bills. One that always fails comes " +
		"back until it expires, four days later.",
	Fix: "Set the queue's `visibilityTimeoutSeconds` to six times the function's `timeout`, and a `redrivePolicy` to a queue of failures. " +
		"See the Lambda Developer Guide, \"Creating and configuring an Amazon SQS event source mapping\".",
	Stack: judgeLambdaQueue,
}

// What SQS and Lambda take where nothing is said. Sources: SQS API, CreateQueue; Lambda API, CreateFunction.
const (
	defaultVisibility = 30
	defaultTimeout    = 3
	longestVisibility = 43200
	visibleTimeouts   = 6
)

func judgeLambdaQueue(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, source := range s.Of(tokenEventSource) {
		queue := s.Meant(source, "eventSourceArn", source.Get("eventSourceArn"), tokenQueue)
		if queue == nil {
			continue
		}
		if queue.Get("redrivePolicy").Absent() {
			findings = append(findings, at(queue, "A message that always fails is never put aside: there is no redrivePolicy."))
		}
		function, _ := functionOf(s, source)
		if function == nil {
			continue
		}
		visibility, timeout := queue.Get("visibilityTimeoutSeconds"), function.Get("timeout")
		hidden, ok := visibility.NumberOr(defaultVisibility)
		runs, known := timeout.NumberOr(defaultTimeout)
		if ok && known && hidden < min(runs*visibleTimeouts, longestVisibility) {
			findings = append(findings, at(queue, "visibilityTimeoutSeconds is %s, and the timeout of the function that reads it is %s: it should be six times as long.",
				visibility.Quote(), timeout.Quote()))
		}
	}
	return findings
}
