package remote

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	plain "golang.org/x/crypto/ssh/knownhosts"
)

// hostKeys are the recorded keys of hosts.
type hostKeys struct {
	files    []string
	trustNew bool
	mu       sync.Mutex
	db       *knownhosts.HostKeyDB
}

func newHostKeys(files []string, trustNew bool) (*hostKeys, error) {
	if len(files) == 0 {
		return nil, errors.New("no file of known host keys is named")
	}
	if trustNew {
		f, err := os.OpenFile(files[0], os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return nil, fmt.Errorf("opening the known host keys: %w", err)
		}
		if err := f.Close(); err != nil {
			return nil, fmt.Errorf("opening the known host keys: %w", err)
		}
	}
	db, err := knownhosts.NewDB(files...)
	if err != nil {
		return nil, fmt.Errorf("reading the known host keys: %w", err)
	}
	return &hostKeys{files: files, trustNew: trustNew, db: db}, nil
}

// algorithms are what is asked of a host: only those of its recorded keys, or a host with several would show one that is
// not recorded, and be taken for another.
func (k *hostKeys) algorithms(name string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.db.HostKeyAlgorithms(name)
}

// verify compares the key that a host shows with the recorded ones.
func (k *hostKeys) verify(name string) ssh.HostKeyCallback {
	return func(_ string, remote net.Addr, key ssh.PublicKey) error {
		k.mu.Lock()
		defer k.mu.Unlock()
		err := k.db.HostKeyCallback()(name, remote, key)
		var mismatch *plain.KeyError
		switch {
		case err == nil:
			return nil
		case knownhosts.IsHostKeyChanged(err) && errors.As(err, &mismatch):
			recorded := mismatch.Want[0]
			return &ChangedHostKeyError{Host: name, Fingerprint: ssh.FingerprintSHA256(key), Recorded: fmt.Sprintf("%s:%d", recorded.Filename, recorded.Line)}
		case knownhosts.IsHostUnknown(err) && k.trustNew:
			return k.record(name, remote, key)
		case knownhosts.IsHostUnknown(err):
			return &UnknownHostKeyError{Host: name, Fingerprint: ssh.FingerprintSHA256(key), Files: k.files}
		}
		return &Error{Host: name, Op: "verifying the host's key", Kind: Permanent, Err: err}
	}
}

// record adds a key that was not known, and knows it from now on.
func (k *hostKeys) record(name string, remote net.Addr, key ssh.PublicKey) error {
	f, err := os.OpenFile(k.files[0], os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("recording the key of %s: %w", name, err)
	}
	if err := errors.Join(knownhosts.WriteKnownHost(f, name, remote, key), f.Close()); err != nil {
		return fmt.Errorf("recording the key of %s: %w", name, err)
	}
	db, err := knownhosts.NewDB(k.files...)
	if err != nil {
		return fmt.Errorf("reading the known host keys: %w", err)
	}
	k.db = db
	return nil
}
