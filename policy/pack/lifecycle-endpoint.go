package pack

import "regexp"

var lifecycleEndpoint = Policy{
	Name: "lifecycle-endpoint", Level: Advisory, Area: Storage,
	Summary: "Lifecycle rules of AWS are for buckets of AWS.",
	Why: "Ceph's gateway for objects answers with lifecycle rules in another form than they were written in, so the resource never comes " +
		"to rest: each update waits for what never arrives, and fails.",
	Fix:    "Write the rules of such a bucket with the tools of its store, such as `radosgw-admin lc` or the CephObjectStore's own.",
	Tokens: []string{tokenBucketLifecycle},

	Resource: judgeLifecycleEndpoint,
}

// ofAWS matches what says that requests for S3 go to AWS, or to an emulator of it on this machine.
var ofAWS = regexp.MustCompile(`amazonaws\.com|//(localhost|127\.|\[::1\])|localstack`)

// s3Endpoint matches a setting of S3's address among a provider's endpoints, which the engine keeps as JSON or as values.
var s3Endpoint = regexp.MustCompile(`"s3"\s*:\s*"([^"]+)"`)

// Source: terraform-provider-aws, pull request 49021.
func judgeLifecycleEndpoint(r *Resource, _ Config) []Finding {
	set, ok := r.Provider.GetOk("endpoints")
	if !ok {
		return nil
	}
	endpoints := read(set, false)
	address, known := endpoints.Text()
	if match := s3Endpoint.FindStringSubmatch(address); known && match != nil {
		address = match[1]
	} else {
		address = ""
	}
	list, _ := endpoints.List()
	for _, e := range list {
		if text, ok := e.Get("s3").Text(); ok {
			address = text
		}
	}
	if address == "" || ofAWS.MatchString(address) {
		return nil
	}
	return one("The provider's S3 (endpoints) is not AWS's: lifecycle rules may never come to rest there.")
}
