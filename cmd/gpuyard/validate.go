package main

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/blueprint"
)

func (a *app) validateCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate ENVIRONMENT|FILE",
		Short: "Judge a blueprint without asking any cloud",
		Long: `Judge a blueprint without asking any cloud. All errors and warnings are shown at once, each with its place.
The exit code is 1 if there are errors and 0 if there are only warnings.`,
		Example: "  gpuyard validate dev\n  gpuyard validate --json stacks/prod.hcl",
		Args:    exactly(1, "one environment or one blueprint file"),
		RunE: func(_ *cobra.Command, args []string) error {
			_, diags, err := a.draft(args[0])
			if err != nil {
				return err
			}
			for _, d := range diags.List() {
				if blueprint.RuleOf(d) == string(blueprint.RuleUnbuilt) { // the blueprint is valid, whatever this version can make of it
					d.Severity = hcl.DiagWarning
				}
			}
			if asJSON {
				return a.writeJSON(diags)
			}
			if err := a.write(diags); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s is valid%s.\n", args[0], count(diags.Warnings(), ", with one warning", ", with %d warnings"))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the diagnostics as JSON")
	return cmd
}

func (a *app) writeJSON(diags *blueprint.Diagnostics) error {
	text, err := diags.JSON()
	if err != nil {
		return fmt.Errorf("encoding diagnostics: %w", err)
	}
	if _, err := fmt.Fprintf(a.out, "%s\n", text); err != nil {
		return fmt.Errorf("writing diagnostics: %w", err)
	}
	if diags.HasErrors() {
		return blueprintError{errors.New("the blueprint is wrong")}
	}
	return nil
}

// count words a number: "" for none, one for 1, and many with the number otherwise.
func count(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return one
	default:
		return fmt.Sprintf(many, n)
	}
}
