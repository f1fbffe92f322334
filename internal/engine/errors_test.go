package engine

import (
	"errors"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"full disk":      {"error: write /x: no space left on device", "disk is full"},
		"locked state":   {"error: the stack is currently locked by 1 lock(s)", "Another run holds"},
		"no credentials": {"provider: No valid credential sources found", "There are no AWS credentials"},
		"not logged in":  {"error: PULUMI_ACCESS_TOKEN must be set", "pulumi login"},
		"no passphrase":  {"error: passphrase must be set with", "PULUMI_CONFIG_PASSPHRASE"},
		"unknown":        {"progress\nprogress\nerror: it broke\n", "it broke"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cause := errors.New(c.text)
			err := explain(cause)
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "progress") {
				t.Errorf("got %q, want it to say %q and no progress", err, c.want)
			}
			if !errors.Is(err, cause) {
				t.Error("the cause is lost")
			}
		})
	}
	if explain(nil) != nil {
		t.Error("no error became one")
	}
}
