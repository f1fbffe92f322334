package nodeprep

import (
	"context"
	"errors"
	"fmt"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// Revert undoes what a host was given by Apply, by what the host has kept of it, the last first: files get the content
// back that they had, or go; units run, are enabled and are masked as they were; kernel parameters have their former
// values. What somebody has changed since is kept, and so are packages, which others may upgrade again. A node leaves its
// cluster first, and nothing is undone where it cannot.
//
// The results are what became of each, by its name: reverted, kept or failed. A second run undoes what is left. The
// secrets of the profile are in no answer.
func Revert(ctx context.Context, r Runner, p profile.Profile) ([]Result, error) {
	results, err := revert(ctx, r)
	return redacted(p, results), NewRedactor(p).Error(err)
}

func revert(ctx context.Context, r Runner) ([]Result, error) {
	out, err := r.Run(ctx, script.Revert().Script())
	if again, can := r.(Reconnecter); can && outcomeUnknown(err) {
		// It goes on without us, or has ended: a second run says which.
		if err := again.Reconnect(ctx); err != nil {
			return nil, fmt.Errorf("the connection was lost on the way, and no new one comes: %w", err)
		}
		out, err = r.Run(ctx, script.Revert().Script())
	}
	if err != nil {
		return nil, fmt.Errorf("reverting: %w", err)
	}
	ans, err := parseAnswer(out)
	switch {
	case err != nil:
		return nil, err
	case ans.Status == "":
		return ans.Results, facts.ErrIncomplete
	}
	return ans.Results, failure(ans)
}

// outcomeUnknown says whether an error is one after which a script may have run.
func outcomeUnknown(err error) bool {
	var unknown interface{ OutcomeUnknown() bool }
	return errors.As(err, &unknown) && unknown.OutcomeUnknown()
}
