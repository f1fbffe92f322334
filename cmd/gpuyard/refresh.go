package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/engine"
)

func (a *app) refreshCommand() *cobra.Command {
	var flags targetFlags
	var adopt []string
	var forget bool
	cmd := &cobra.Command{
		Use:   "refresh ENVIRONMENT",
		Short: "Read what exists into the state, and show what differs from it",
		Long: `Read what exists into the state, and show what somebody else changed. Nothing in the cloud is touched; the next
` + "`gpuyard up`" + ` repairs what is shown.

After a run that was killed, AWS alone knows whether what it was creating exists. Look there: --adopt puts one that exists
into the state, and --forget says that the others do not exist. The embedded cloud is asked by itself.`,
		Example: "  gpuyard refresh --local dev\n  gpuyard refresh prod\n" +
			"  gpuyard refresh --adopt 'urn:pulumi:prod::gpuyard::gpuyard:network:VPC$aws:ec2/vpc:Vpc::prod=vpc-0123456789abcdef0' --forget prod",
		Args: exactly(1, "one environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.locateMade(args[0], &flags); err != nil {
				return err
			}
			made, err := adopted(adopt)
			if err != nil {
				return err
			}
			if flags.local && (forget || len(made) > 0) {
				return usageError{errors.New("the embedded cloud says by itself what exists: --adopt and --forget are for AWS")}
			}
			flags.settles = flags.local
			return a.operate(cmd.Context(), args[0], flags, found, func(w *engine.Workspace, watch engine.Watcher) error {
				return w.Refresh(cmd.Context(), watch, made, forget)
			})
		},
	}
	flags.add(cmd, false)
	cmd.Flags().StringArrayVar(&adopt, "adopt", nil, "put a resource into the state whose creation was cut off, as URN=ID")
	cmd.Flags().BoolVar(&forget, "forget", false, "take creations that were cut off, and are not adopted, not to have happened")
	return cmd
}

// adopted reads what creations that were cut off have made, as URN=ID.
func adopted(texts []string) (map[string]string, error) {
	made := map[string]string{}
	for _, text := range texts {
		urn, id, ok := strings.Cut(text, "=")
		if !ok || id == "" || !resource.URN(urn).IsValid() {
			return nil, usageError{fmt.Errorf("%q is not of the form URN=ID, with the URN as `gpuyard up` says it", text)}
		}
		made[urn] = id
	}
	return made, nil
}
