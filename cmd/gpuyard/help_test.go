package main

import (
	"io"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagHelp wants the value of every flag called by one word: backquotes in a flag's help say which.
func TestFlagHelp(t *testing.T) {
	t.Parallel()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); strings.ContainsAny(name, " `") {
				t.Errorf("%s --%s %s", cmd.CommandPath(), f.Name, name)
			}
		})
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	a := &app{out: io.Discard, err: io.Discard, width: 80}
	walk(a.command())
}

func TestHostChanges(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		`items["sysctl.vm.swappiness"]`: "sysctl.vm.swappiness",
		`profile["habana.links"]`:       `profile["habana.links"]`,
		"address":                       "address",
	} {
		if got := hostChanges(apitype.StepEventMetadata{DetailedDiff: map[string]apitype.PropertyDiff{path: {}}}); got != want {
			t.Errorf("%s is told as %s, want %s", path, got, want)
		}
	}
}
