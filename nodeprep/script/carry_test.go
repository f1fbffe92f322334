package script

import (
	"crypto/sha256"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// long is a body that is too long for user data even when it is packed.
func long() Body {
	var b strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&b, "echo %x\n", sha256.Sum256([]byte{byte(n), byte(n >> 8)}))
	}
	return Of(b.String())
}

func TestUserDataFits(t *testing.T) {
	t.Parallel()
	short := Of("echo ready\n")
	plain, err := short.UserData(UserDataOptions{})
	if err != nil || !strings.Contains(plain, "echo ready") {
		t.Errorf("%v: %s", err, plain)
	}
	packed, err := short.UserData(UserDataOptions{Limit: len(plain) - 1})
	if err == nil && len(packed) >= len(plain) {
		t.Error("packed user data is above the limit")
	}
	middle := Of(strings.Repeat("# a line that says the same again and again\n", 1000) + "echo ready\n")
	packed, err = middle.UserData(UserDataOptions{})
	if err != nil || len(packed) > MaxUserData || strings.Contains(packed, "echo ready") {
		t.Errorf("%v, %d bytes", err, len(packed))
	}
	for n, text := range []string{plain, packed} {
		out, err := exec.Command("sh", "-c", text).Output()
		if err != nil || string(out) != "ready\n" {
			t.Errorf("script %d said %q (%v)", n, out, err)
		}
	}
	if _, err := long().UserData(UserDataOptions{}); err == nil || !strings.Contains(err.Error(), "where 16384 are allowed") {
		t.Errorf("error %v", err)
	}
}

// TestPackedUserDataCutOff gives a shell the beginning of packed user data.
func TestPackedUserDataCutOff(t *testing.T) {
	t.Parallel()
	body := Of(strings.Repeat("# a line that says the same again and again\n", 1000) + "echo ready\n")
	packed, err := body.UserData(UserDataOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(packed)-len("nodeprep_unpack\n"); n += 11 {
		cmd := exec.Command("sh")
		cmd.Stdin = strings.NewReader(packed[:n])
		if out, _ := cmd.Output(); len(out) > 0 { // it fails, and says nothing on its output
			t.Fatalf("%d bytes said %q", n, out)
		}
	}
}

func TestOneBodyThreeCarriers(t *testing.T) {
	t.Parallel()
	body := Of("echo one\necho two\n")
	data, err := body.UserData(UserDataOptions{Reboot: true})
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := body.DaemonSet(DaemonSetOptions{Image: "example.com/tools:1", NodeSelector: map[string]string{"accelerator": "h100"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, carried := range map[string]string{"script": body.Script(), "user data": data, "DaemonSet": manifest} {
		if !strings.Contains(carried, body.Hash()) {
			t.Errorf("%s carries another body", name)
		}
	}
	for _, want := range []string{`"accelerator": "h100"`, "hostPID: true", "privileged: true", `image: "example.com/tools:1"`} {
		if !strings.Contains(manifest, want) {
			t.Errorf("the manifest lacks %s", want)
		}
	}
}

func TestDaemonSetRefuses(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]DaemonSetOptions{
		"needs an image":        {},
		"is no name for":        {Image: "x", Name: "a\nb"},
		`"k: v" is no name for`: {Image: "x", NodeSelector: map[string]string{"k: v": "1"}},
	} {
		if _, err := Of("echo").DaemonSet(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", o, err)
		}
	}
}
