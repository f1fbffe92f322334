package engine

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
)

// Error is a failed operation with what the user can do about it.
type Error struct {
	// Hint says what to do, in whole sentences. It is empty where nothing is known.
	Hint string
	// Says is what the executable printed of the failure, without its progress.
	Says string
	err  error
}

// Error implements error. It is the hint if there is one: the engine's own diagnostics have been told as events.
func (e *Error) Error() string {
	if e.Hint != "" {
		return e.Hint
	}
	return e.Says
}

// Unwrap returns the error of the Automation API, with the whole output of the executable.
func (e *Error) Unwrap() error { return e.err }

// hints are the failures that people meet, by what the executable says of them. The first that matches is used.
var hints = []struct{ says, hint string }{
	{"no space left on device", "The disk is full. Nothing that was already made is lost: free some space, then run the same command again."},
	{lockedState, "Another run holds the stack's state. Wait for it to end. If it died, `pulumi cancel` removes its lock; run `gpuyard refresh` after that."},
	{"passphrase must be set", "The stack's secrets are encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE."},
	{"incorrect passphrase", "The passphrase is not the one that the stack's secrets were encrypted with. It is what PULUMI_CONFIG_PASSPHRASE says, or, with --local, " +
		"the file .gpuyard/local/ENVIRONMENT/passphrase: put that back, or remove the folder, which holds nothing real."},
	{"PULUMI_ACCESS_TOKEN must be set", "You are not logged in to a Pulumi backend: run `pulumi login` (Pulumi Cloud), `pulumi login s3://BUCKET`, or use --local for the embedded cloud."},
	{"No valid credential sources found", noCredentials},
	{"failed to refresh cached credentials", noCredentials},
	{"NoCredentialProviders", noCredentials},
	{"ExpiredToken", "The AWS credentials have expired: renew them (for example with `aws sso login`), then run the same command again."},
	{"could not find latest version for provider", noPlugin},
	{"no resource plugin", noPlugin},
	{"configured Kubernetes cluster is unreachable", "The Kubernetes API of the cluster cannot be reached from here. It is private unless the blueprint says otherwise: " +
		"run from inside the VPC, or write `cluster_endpoint { public = true, allowed_cidrs = [\"YOUR.ADDRESS/32\"] }` in the network block (one attribute a line)."},
}

// lockedState is what the executable says of a state that another run holds.
const lockedState = "is currently locked by"

const noPlugin = "A provider plugin is missing: run `pulumi install` in the project's folder, or use --local for the embedded cloud."

const noCredentials = "There are no AWS credentials: set AWS_PROFILE, or `pulumi config set aws:profile NAME`, or run `aws sso login`. " +
	"With --local the same environment comes up on the embedded cloud, without any."

// explain turns an error of the Automation API into an *Error. Nil stays nil.
func explain(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if auto.IsConcurrentUpdateError(err) {
		text += lockedState
	}
	for _, h := range hints {
		if strings.Contains(text, h.says) {
			return &Error{Hint: h.hint, Says: errorLines(text), err: err}
		}
	}
	return &Error{Says: errorLines(text), err: err}
}

// errorLines keeps the part of the executable's output that says what went wrong.
func errorLines(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if l := strings.TrimSpace(line); strings.HasPrefix(l, "error:") {
			kept = append(kept, strings.TrimSpace(strings.TrimPrefix(l, "error:")))
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.Join(kept, "\n")
}
