package nodeprep_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// joining is a profile with a secret.
func joining(code string) profile.Profile {
	return profile.Profile{Name: "join", Values: map[string]string{
		"cluster.name": "rack", "cluster.region": "us-west-2", "cluster.version": "1.35",
		"cluster.activation_id": "12345678-1234-1234-1234-123456789012", "cluster.activation_code": code,
	}}
}

// FuzzRedaction holds that no text that goes through a redactor has the secret in it, whatever surrounds it.
func FuzzRedaction(f *testing.F) {
	f.Add("S3cretActivationCode", "before ", " after")
	f.Add("aaaaaaaa", "aaa", "aaa")
	f.Add("it's a secret", "'", "'\\''")
	f.Add("[secret]", "[secret", "]")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		if len(secret) < 4 || strings.Contains("[secret]", secret) {
			t.Skip("what is this short is no secret, and the stand-in may be anywhere")
		}
		r := nodeprep.NewRedactor(joining(secret), "another secret")
		if half := len(secret) / 2; len(secret) <= 256 && utf8.ValidString(secret) && utf8.ValidString(secret[:half]) {
			if broken := r.Text(secret[:half] + "\n" + secret[half:]); strings.Contains(strings.ReplaceAll(broken, "\n", ""), secret) && !strings.Contains(secret, "\n") {
				t.Errorf("%q is in %q over two lines", secret, broken)
			}
		}
		got := r.Text(before + secret + after + "another secret")
		if strings.Contains(got, secret) && !strings.Contains(strings.ReplaceAll(got, "[secret]", ""), secret) {
			return // put together from a stand-in and what surrounds it
		}
		if strings.Contains(got, secret) || strings.Contains(got, "another secret") {
			t.Errorf("%q is in %q", secret, got)
		}
	})
}

// TestSecretsInDisguise has a secret come as tools write it.
func TestSecretsInDisguise(t *testing.T) {
	t.Parallel()
	const secret = `it's "a" Secret+/=`
	r := nodeprep.NewRedactor(joining(secret))
	for name, c := range map[string]struct{ text, want string }{
		"as it is":         {"x " + secret + " y", "x [secret] y"},
		"for a shell":      {`x 'it'\''s "a" Secret+/=' y`, "x '[secret]' y"},
		"in JSON":          {`{"x":"it's \"a\" Secret+/="}`, `{"x":"[secret]"}`},
		"packed":           {"x aXQncyAiYSIgU2VjcmV0Ky89 y", "x [secret] y"},
		"over lines":       {"x it's \"a\" Sec\n  ret+/= y", "x [secret] y"},
		"its end":          {`failed: "a" Secret+/= y`, "failed:[secret] y"},
		"its beginning":    {`failed: it's "a" Se`, "failed: [secret]"},
		"a word of it":     {"no Secret here", "no Secret here"},
		"twice":            {secret + secret, "[secret][secret]"},
		"something else":   {"it is a secret", "it is a secret"},
		"nothing":          {"", ""},
		"a very long text": {strings.Repeat("a", 5000) + secret, strings.Repeat("a", 5000) + "[secret]"},
	} {
		if got := r.Text(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestASecretIsInNoOutput looks for the secret in all that a run shows and leaves, on a host where the last step fails
// and says the secret itself.
func TestASecretIsInNoOutput(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Gaudi2())
	p := joining(activation)
	must(t, h.AddCommand("nodeadm"))
	must(t, h.Write("fake/fail-nodeadm", "cannot activate with "+activation+"\n"))
	r, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	if err == nil {
		t.Fatal("it succeeded")
	}
	results, marshal := json.Marshal(r.Results)
	must(t, marshal)
	document, marshal := json.Marshal(r.After)
	must(t, marshal)
	for name, shown := range map[string]string{
		"results": string(results), "text": text(t, r.After), "JSON": string(document), "error": err.Error(),
		"state": h.Read("var/lib/gpuyard/nodeprep/state"),
	} {
		if strings.Contains(shown, activation) {
			t.Errorf("the secret is in the %s: %s", name, shown)
		}
	}
	if !strings.Contains(string(results), "cannot activate with [secret]") {
		t.Errorf("the failure is not named: %s", results)
	}
	// The configuration that has it is for root alone, and facts bring its hash only.
	seen, err := nodeprep.Gather(t.Context(), h, p)
	must(t, err)
	if f := seen.Files["/etc/gpuyard/nodeconfig.yaml"]; f.Mode != "600" || f.Content != "" || f.SHA256 == "" {
		t.Errorf("the file is %+v", f)
	}
}

// leaky is a runner whose error says what it should not.
type leaky struct{}

var errLeaky = errors.New("it ended with code 1: + activate " + activation)

func (leaky) Run(context.Context, string) ([]byte, error) { return nil, errLeaky }

func TestASecretIsInNoError(t *testing.T) {
	t.Parallel()
	_, err := nodeprep.Apply(t.Context(), leaky{}, joining(activation), nodeprep.ApplyOptions{})
	if err == nil || strings.Contains(err.Error(), activation) || !errors.Is(err, errLeaky) {
		t.Errorf("the error is %v", err)
	}
}
