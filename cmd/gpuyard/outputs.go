package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/catalog"
)

func (a *app) outputsCommand() *cobra.Command {
	var flags targetFlags
	var secrets bool
	cmd := &cobra.Command{
		Use:   "outputs ENVIRONMENT [NAME]",
		Short: "Print the outputs of an environment, or one of them",
		Long: `Print the outputs of an environment as JSON, or one of them: a text as it is, everything else as JSON.
Secrets are printed only with --show-secrets.`,
		Example: "  gpuyard outputs --local dev\n  gpuyard outputs --show-secrets prod kubeconfig > ~/.kube/prod",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return exactly(1, "one environment and at most one output")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.locateMade(args[0], &flags); err != nil {
				return err
			}
			outputs, err := a.outputsOf(cmd.Context(), args[0], flags)
			if err != nil {
				return err
			}
			return a.writeOutputs(outputs, args[1:], secrets)
		},
	}
	flags.add(cmd, false)
	cmd.Flags().BoolVar(&secrets, "show-secrets", false, "print secrets as they are")
	return cmd
}

// outputsOf returns what an environment put out when it was last brought up.
func (a *app) outputsOf(ctx context.Context, stack string, target targetFlags) (auto.OutputMap, error) {
	w, closeAll, err := a.open(ctx, stack, target, unjudged)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	return w.Outputs(ctx)
}

// writeOutputs writes all outputs, or the one that is named.
func (a *app) writeOutputs(outputs auto.OutputMap, name []string, secrets bool) error {
	values := map[string]any{}
	for key, o := range outputs {
		if values[key] = o.Value; o.Secret && !secrets {
			values[key] = "[secret]"
		}
	}
	var chosen any = values
	if len(name) == 1 {
		var ok bool
		if chosen, ok = values[name[0]]; !ok {
			return usageError{noOutput(name[0], slices.Sorted(maps.Keys(values)))}
		}
	}
	if len(name) == 1 && outputs[name[0]].Secret && !secrets {
		return usageError{fmt.Errorf("the output %s is a secret: add --show-secrets to print it", name[0])}
	}
	if text, ok := chosen.(string); ok {
		_, err := fmt.Fprintln(a.out, text)
		return err
	}
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	return enc.Encode(chosen)
}

// noOutput says which outputs there are instead of a name.
func noOutput(name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("there is no output %q: the environment has none, since it is not up", name)
	}
	return fmt.Errorf("there is no output %q%s", name, catalog.Instead(name, known))
}
