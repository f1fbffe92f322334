package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/engine"
)

func (a *app) destroyCommand() *cobra.Command {
	var flags targetFlags
	cmd := &cobra.Command{
		Use:     "destroy ENVIRONMENT",
		Short:   "Remove everything in an environment",
		Long:    "Remove everything in an environment. It refuses while the blueprint says `protect = true`, and while a store that holds data does not say `allow_data_loss = true`.",
		Example: "  gpuyard destroy --local dev\n  gpuyard destroy --yes burst",
		Args:    exactly(1, "one environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.destroy(cmd.Context(), args[0], flags)
		},
	}
	flags.add(cmd, true)
	return cmd
}

func (a *app) destroy(ctx context.Context, stack string, flags targetFlags) error {
	if err := a.locateMade(stack, &flags); err != nil {
		return err
	}
	if flags.undescribed == nil {
		if err := a.refuseDescribed(stack); err != nil {
			return err
		}
	} else {
		a.say("warning: %s has no blueprint any more: what its state holds is removed, but for what it marks as protected\n", stack)
	}
	if !flags.yes && !flags.local {
		if err := a.confirm(fmt.Sprintf("Remove everything in %s?", stack)); err != nil {
			return err
		}
	}
	flags.settles = true
	return a.operate(ctx, stack, flags, did, func(w *engine.Workspace, watch engine.Watcher) error {
		protected, err := w.Protected(ctx)
		if err != nil {
			return err
		}
		if err := refuseProtected(protected); err != nil {
			return err
		}
		return w.Destroy(ctx, watch)
	})
}

// refuseDescribed refuses to remove an environment whose blueprint protects it or what it stores.
func (a *app) refuseDescribed(stack string) error {
	b, diags, err := a.load(stack)
	if err != nil {
		return err
	}
	// A blueprint that is wrong today must not keep anybody from removing what it once made.
	if !diags.HasErrors() && b.Environment.Protect.Value {
		return a.write(b.Diagnostics(hcl.Diagnostics{{
			Severity: hcl.DiagError, Summary: "Environment is protected",
			Detail:  "The environment is not destroyed while this says true. Write `protect = false`, run `gpuyard up`, and destroy it then.",
			Subject: b.Environment.Protect.Range.Ptr(),
		}}))
	}
	if !diags.HasErrors() {
		if held := storesWithData(b); len(held) > 0 {
			return a.write(b.Diagnostics(held))
		}
	}
	return nil
}
