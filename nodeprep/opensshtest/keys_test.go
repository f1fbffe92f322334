//go:build realhosts

package opensshtest_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// known writes a file of known_hosts with some lines and nothing else, and has a dialer read it.
func known(t *testing.T, lines ...string) func(*remote.Options) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "known_hosts")
	must(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return func(o *remote.Options) { o.KnownHosts = []string{path} }
}

func TestHostKeys(t *testing.T) {
	t.Parallel()
	h := start(t, opensshtest.Options{SSHD: "HostKey /etc/ssh/ssh_host_ecdsa_key", Prepare: "ssh-keygen -q -t ecdsa -N '' -f /etc/ssh/ssh_host_ecdsa_key"})
	ecdsa := h.Address + " " + strings.Join(strings.Fields(shell(t, h, "cat /etc/ssh/ssh_host_ecdsa_key.pub"))[:2], " ")

	_, err := runner(t, h.Target("root"), known(t)).Run(t.Context(), "echo x")
	var unknown *remote.UnknownHostKeyError
	if !errors.As(err, &unknown) || !strings.HasPrefix(unknown.Fingerprint, "SHA256:") {
		t.Errorf("a key that nobody recorded: %v", err)
	}
	// A server with two keys shows the one that is recorded, whichever it is.
	for name, line := range map[string]string{"ed25519": h.KnownHosts(), "ecdsa": ecdsa} {
		if _, err := runner(t, h.Target("root"), known(t, line)).Run(t.Context(), "echo x"); err != nil {
			t.Errorf("only the %s key is recorded: %v", name, err)
		}
	}
	r := runner(t, h.Target("root"), known(t, h.KnownHosts()))
	_, err = r.Run(t.Context(), "echo x")
	must(t, err)
	must(t, h.ChangeKey())
	// A connection that stands has seen the key; a new one sees another.
	var changed *remote.ChangedHostKeyError
	if err := r.Reconnect(t.Context()); !errors.As(err, &changed) || !strings.HasSuffix(changed.Recorded, "known_hosts:1") {
		t.Errorf("a key that has changed: %v", err)
	}
}

// authority makes a key that signs certificates.
func authority(t *testing.T) ssh.Signer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca")
	_, err := remotetest.NewKey(path)
	must(t, err)
	text, err := os.ReadFile(path)
	must(t, err)
	signer, err := ssh.ParsePrivateKey(text)
	must(t, err)
	return signer
}

func sign(t *testing.T, ca ssh.Signer, c ssh.Certificate) string {
	t.Helper()
	must(t, c.SignCert(rand.Reader, ca))
	return string(ssh.MarshalAuthorizedKey(&c))
}

// TestCertificates has a host that knows no key, only who signs them, and a client that knows no host's key either.
func TestCertificates(t *testing.T) {
	t.Parallel()
	ca := authority(t)
	trusted := string(ssh.MarshalAuthorizedKey(ca.PublicKey()))
	h := start(t, opensshtest.Options{
		SSHD:    "TrustedUserCAKeys /etc/ssh/ca.pub\nHostCertificate /etc/ssh/ssh_host_ed25519_key-cert.pub",
		Prepare: "rm -r /etc/ssh/authorized_keys\ncat >/etc/ssh/ca.pub <<'END'\n" + trusted + "END\n",
	})
	_, _, hostKey, _, _, err := ssh.ParseKnownHosts([]byte(h.KnownHosts()))
	must(t, err)
	cert := sign(t, ca, ssh.Certificate{Key: hostKey, CertType: ssh.HostCert, KeyId: h.Name, ValidPrincipals: []string{h.Address}, ValidBefore: ssh.CertTimeInfinity})
	shell(t, h, "rm /run/sshd.pid\ncat >/etc/ssh/ssh_host_ed25519_key-cert.pub <<'END'\n"+cert+"END\nkill -HUP 1\nuntil [ -e /run/sshd.pid ]; do sleep 0.05; done")

	target := h.Target(opensshtest.Admin)
	target.KeyFiles = []string{filepath.Join(t.TempDir(), "id")}
	public, err := remotetest.NewKey(target.KeyFiles[0])
	must(t, err)
	trust := known(t, "@cert-authority 10.77.* "+trusted)
	try := func(principal string, before time.Time) error {
		c := ssh.Certificate{Key: public, CertType: ssh.UserCert, KeyId: "me", ValidPrincipals: []string{principal}, ValidBefore: uint64(before.Unix())}
		must(t, os.WriteFile(target.KeyFiles[0]+"-cert.pub", []byte(sign(t, ca, c)), 0o600))
		_, err := runner(t, target, trust).Run(t.Context(), "echo x")
		return err
	}
	hour := time.Now().Add(time.Hour)
	if err := try(opensshtest.Admin, hour); err != nil {
		t.Errorf("a certificate for the user is refused: %v", err)
	}
	var typed *remote.Error
	if err := try("somebody", hour); !errors.As(err, &typed) || typed.Kind != remote.Authentication {
		t.Errorf("a certificate for somebody else: %v", err)
	}
	if err := try(opensshtest.Admin, time.Now().Add(-time.Hour)); !errors.As(err, &typed) || typed.Kind != remote.Authentication {
		t.Errorf("a certificate that has expired: %v", err)
	}
}

// TestWhoIsNotLetIn looks at what a person is told about a host that cannot be reached or will not obey.
func TestWhoIsNotLetIn(t *testing.T) {
	t.Parallel()
	h := start(t, opensshtest.Options{})
	bare := start(t, opensshtest.Options{Prepare: "rm /usr/bin/sudo"})
	stranger, refused, nowhere := h.Target("root"), h.Target("root"), h.Target("root")
	stranger.KeyFiles = []string{filepath.Join(t.TempDir(), "id")}
	_, err := remotetest.NewKey(stranger.KeyFiles[0])
	must(t, err)
	refused.Port, refused.Alias = 2222, h.Address
	nowhere.Host = "10.77.200.200"
	for name, c := range map[string]struct {
		target remote.Target
		kind   remote.Kind
		says   string
	}{
		"another key":            {stranger, remote.Authentication, "unable to authenticate"},
		"nobody listens":         {refused, remote.Transient, "connection refused"},
		"no such host":           {nowhere, remote.Transient, "no route to host"},
		"sudo wants a password":  {h.Target(opensshtest.Guest), remote.Permanent, "sudo asks for a password: give the user NOPASSWD in sudoers"},
		"sudo is not there":      {bare.Target(opensshtest.Admin), remote.Permanent, "sudo is not installed"},
		"root does not need any": {bare.Target("root"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := runner(t, c.target, func(o *remote.Options) { o.Attempts = 2 }).Run(t.Context(), "echo x")
			var typed *remote.Error
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (!errors.As(err, &typed) || typed.Kind != c.kind || !strings.Contains(err.Error(), c.says)):
				t.Errorf("got %v, want %s: %s", err, c.kind, c.says)
			}
		})
	}
}
