package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/inventory"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// renderFlags say what a profile is rendered as.
type renderFlags struct {
	profile   profileFlags
	as        string
	output    string
	reboot    bool
	daemonSet script.DaemonSetOptions
	selector  []string
}

func (a *app) nodeprepRenderCommand() *cobra.Command {
	var flags renderFlags
	cmd := &cobra.Command{
		Use:   "render",
		Short: "Print a profile as a script, as user data, or as a DaemonSet",
		Long: `Print a profile as a script, as user data for EC2, or as a DaemonSet. The body is the same in all of them, and the same
that goes over SSH; it looks for itself what a host needs. What a running node stands on (drivers, the kernel command
line) is left alone by a DaemonSet.

A secret of the profile, such as cluster.activation_code, is in what is printed: keep it as one.`,
		Example: `  gpuyard nodeprep render --profile training | ssh root@10.0.0.11 sh
  gpuyard nodeprep render --as user-data --blueprint prod --profile training -o user-data
  gpuyard nodeprep render --as daemonset --profile data-loading --image ghcr.io/example/tools:1 | kubectl apply -f -`,
		Args: exactly(0, "no argument"),
		RunE: func(*cobra.Command, []string) error { return a.nodeprepRender(&flags) },
	}
	flags.profile.add(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.as, "as", "script", "script, user-data or daemonset")
	f.StringVarP(&flags.output, "output", "o", "", "write to this file, which only you can read, instead of the standard output")
	f.BoolVar(&flags.reboot, "reboot", false, "user-data: let the host reboot itself where it must; nothing for a node that joins a cluster at first boot")
	f.StringVar(&flags.daemonSet.Image, "image", "", "daemonset: an image with sh and nsenter; it runs as root on every node")
	f.StringVar(&flags.daemonSet.Name, "name", "", "daemonset: its name (default gpuyard-nodeprep)")
	f.StringVar(&flags.daemonSet.Namespace, "namespace", "", "daemonset: its namespace (default kube-system)")
	f.StringArrayVar(&flags.selector, "node-selector", nil, "daemonset: only nodes with this label, as KEY=VALUE; may be repeated")
	return cmd
}

func (a *app) nodeprepRender(flags *renderFlags) error {
	// A profile without a host is judged as that of a host without a name.
	one := []inventory.Host{{Name: "the host"}}
	if err := a.giveProfiles(one, flags.profile, true); err != nil {
		return err
	}
	body, err := nodeprep.Render(one[0].Profile)
	if err != nil {
		return usageError{err}
	}
	text, err := flags.wrap(body)
	if err != nil {
		return usageError{err}
	}
	return a.writeTo(flags.output, 0o600, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// wrap is a body in the form that the flags choose.
func (f *renderFlags) wrap(body script.Body) (string, error) {
	if f.as != "daemonset" && (f.daemonSet.Image != "" || f.daemonSet.Name != "" || f.daemonSet.Namespace != "" || len(f.selector) > 0) {
		return "", errors.New("--image, --name, --namespace and --node-selector are for --as daemonset")
	}
	if f.as != "user-data" && f.reboot {
		return "", errors.New("--reboot is for --as user-data")
	}
	switch f.as {
	case "script":
		return body.Script(), nil
	case "user-data":
		return body.UserData(script.UserDataOptions{Reboot: f.reboot})
	case "daemonset":
		f.daemonSet.NodeSelector = map[string]string{}
		for _, text := range f.selector {
			key, value, found := strings.Cut(text, "=")
			if !found || key == "" {
				return "", fmt.Errorf("--node-selector %s: write KEY=VALUE", text)
			}
			f.daemonSet.NodeSelector[key] = value
		}
		if f.daemonSet.Image == "" {
			return "", errors.New("--as daemonset needs --image: an image with sh and nsenter, which runs as root on every node")
		}
		return body.DaemonSet(f.daemonSet)
	}
	return "", fmt.Errorf("--as %q: there are script, user-data and daemonset", f.as)
}
