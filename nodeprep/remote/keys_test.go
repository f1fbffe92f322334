package remote_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

// TestCertificateIsOffered has a server that lets the certificate in, and not the plain key.
func TestCertificateIsOffered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 0)
		_, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		authority, err := ssh.NewSignerFromKey(private)
		if err != nil {
			t.Fatal(err)
		}
		certificate := &ssh.Certificate{Key: w.client, CertType: ssh.UserCert, KeyId: "test", ValidPrincipals: []string{"root"}, ValidBefore: ssh.CertTimeInfinity}
		if err := certificate.SignCert(rand.Reader, authority); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(w.key()+"-cert.pub", ssh.MarshalAuthorizedKey(certificate), 0o600); err != nil {
			t.Fatal(err)
		}
		w.client = certificate
		w.add("10.0.0.1:22", nil).Answer = echo
		d := w.dialer(nil)
		r := d.Runner(w.target("10.0.0.1"))
		if _, err := r.Run(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		w.end(r, d)
	})
}

func TestLockedKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	w.add("10.0.0.1:22", nil)
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte("passphrase"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.key(), pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	d := w.dialer(nil)
	if _, err := d.Runner(w.target("10.0.0.1")).Run(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "has a passphrase: add it to an agent") {
		t.Errorf("got %v", err)
	}
}

func TestNoKnownHosts(t *testing.T) {
	t.Parallel()
	if _, err := remote.NewDialer(remote.Options{KnownHosts: []string{t.TempDir() + "/none"}}); err == nil {
		t.Error("a file that is not there was read")
	}
}
