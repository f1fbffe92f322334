package fleet_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

func verified(t *testing.T) *fleet.Report {
	t.Helper()
	return fleet.Run(t.Context(), []fleet.Host{
		{Name: "differs", Runner: recorded(t, "ubuntu-22.04-h100"), Profile: profile.Profile{Values: map[string]string{"thp.enabled": "never"}}},
		{Name: "unreachable", Runner: broken{}, Profile: thp},
		{Name: "right", Runner: recorded(t, "ubuntu-22.04-h100"), Profile: profile.Profile{Values: map[string]string{"tuned": "off", "habana.links": "up"}}},
	}, fleet.Options{})
}

func TestVerification(t *testing.T) {
	t.Parallel()
	v := verified(t).Verification(false)
	var text, document, junit strings.Builder
	for _, err := range []error{v.WriteText(&text), v.WriteJSON(&document), v.WriteJUnit(&junit)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"differs: 0 right, 1 wrong, 0 not applicable\n  wrong           thp.enabled: live always, on disk -, wanted never\n",
		"unreachable: failed: asking the host for its facts: connecting: no route to a host with [secret]\n",
		"right: 0 right, 0 wrong, 2 not applicable\n", "  not applicable  habana", "3 hosts, 1 failed, 1 not as they should be: 1 of ",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String()+document.String()+junit.String(), secret) {
		t.Error("a secret is in a report")
	}
	var parsed struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Failures int    `xml:"failures,attr"`
			Skipped  int    `xml:"skipped,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(junit.String()), &parsed); err != nil {
		t.Fatal(err)
	}
	if s := parsed.Suites; len(s) != 3 || s[0].Failures != 1 || s[1].Failures != 1 || s[2].Failures != 0 || s[2].Skipped == 0 {
		t.Errorf("the suites are %+v", parsed.Suites)
	}
}

func TestStrictTakesNothingForGranted(t *testing.T) {
	t.Parallel()
	report := verified(t)
	report.Hosts = report.Hosts[2:]
	if code := report.Verification(false).ExitCode(); code != fleet.ExitRight {
		t.Errorf("exit code %d", code)
	}
	if code := report.Verification(true).ExitCode(); code != fleet.ExitDiffers {
		t.Errorf("strict: exit code %d", code)
	}
	report.Hosts = verified(t).Hosts
	if code := report.Verification(false).ExitCode(); code != fleet.ExitFailed {
		t.Errorf("with a host that failed: exit code %d", code)
	}
}
