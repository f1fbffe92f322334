package remote_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

func TestParseTarget(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"host": "@host:22", "ubuntu@host": "ubuntu@host:22", "jump@203.0.113.10:2222": "jump@203.0.113.10:2222", "[2001:db8::1]:2200": "@[2001:db8::1]:2200",
		"root@[2001:db8::1]": "root@[2001:db8::1]:22", "": "", "@host": "", "host:0": "", "host:ssh": "", "a b": "", "u@h@x": "",
	} {
		target, err := remote.ParseTarget(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q is %+v", text, target)
			}
			continue
		}
		if got := target.User + "@" + target.Address(); err != nil || got != want {
			t.Errorf("%q is %s (%v), want %s", text, got, err, want)
		}
	}
}

const configuration = `
Host rack-*
	User ubuntu
	IdentityFile ~/.ssh/rack
	ProxyJump jump@edge,inner
Host rack-7
	HostName 10.200.0.17
	Port 2222
	HostKeyAlias seven
Host edge
	HostName 203.0.113.10
	IdentityFile ~/.ssh/edge
Host inner
	ProxyJump none
Host round
	ProxyJump round
Host odd
	ProxyCommand nc %h %p
`

func TestConfig(t *testing.T) {
	t.Parallel()
	config, err := remote.ReadConfig(strings.NewReader(configuration), "/home/me")
	if err != nil {
		t.Fatal(err)
	}
	seven, err := config.Target("rack-7")
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%s@%s %s %v", seven.User, seven.Address(), seven.Alias, seven.KeyFiles)
	for _, hop := range seven.Bastions {
		got += fmt.Sprintf(" | %s@%s %v", hop.User, hop.Address(), hop.KeyFiles)
	}
	const want = "ubuntu@10.200.0.17:2222 seven [/home/me/.ssh/rack] | jump@203.0.113.10:22 [/home/me/.ssh/edge] | @inner:22 []"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for alias, says := range map[string]string{"round": "in circles", "odd": "ProxyCommand, which is not supported"} {
		if _, err := config.Target(alias); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", alias, err)
		}
	}
	if _, err := remote.ReadConfig(strings.NewReader("Match exec true\n  User x\n"), "/"); err == nil {
		t.Error("a Match block that cannot be judged is read")
	}
}
