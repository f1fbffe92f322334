package remote

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// keyring reads each key once, however many hosts it is for.
type keyring struct {
	agentSocket string
	mu          sync.Mutex
	files       map[string]ssh.Signer
	agent       []ssh.Signer // once it has been asked
}

// errLocked is what a key with a passphrase is.
var errLocked = errors.New("it has a passphrase: add it to an agent (ssh-add)")

// CheckKey says what is wrong with a file that is named as a private key. One with a passphrase may be an agent's, if there is
// one.
func CheckKey(path, agentSocket string) error {
	_, err := (&keyring{files: map[string]ssh.Signer{}}).file(path)
	if agentSocket != "" && errors.Is(err, errLocked) {
		return nil
	}
	return err
}

// methods are the ways in which a target is authenticated to. A key that is chosen is offered first: servers close a
// connection after a few wrong ones, and an agent may hold many.
func (k *keyring) methods(t Target) ([]ssh.AuthMethod, error) {
	var signers []ssh.Signer
	var problems []error
	for _, file := range t.KeyFiles {
		signer, err := k.file(file)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		signers = append(signers, signer)
	}
	if len(signers) > 0 {
		return []ssh.AuthMethod{ssh.PublicKeys(signers...)}, nil
	}
	if len(problems) > 0 && k.agentSocket == "" {
		return nil, errors.Join(problems...)
	}
	if k.agentSocket == "" {
		return nil, errors.New("there is neither a key file nor an agent")
	}
	return []ssh.AuthMethod{ssh.PublicKeysCallback(k.fromAgent)}, nil
}

// file reads a private key, with the certificate beside it where there is one.
func (k *keyring) file(path string) (ssh.Signer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if signer, known := k.files[path]; known {
		return signer, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading a key: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) {
		return nil, fmt.Errorf("the key %s cannot be read: %w", path, errLocked)
	}
	if err != nil {
		return nil, fmt.Errorf("the key %s cannot be read: %w", path, err)
	}
	if certificate, err := os.ReadFile(path + "-cert.pub"); err == nil {
		if signer, err = certified(signer, certificate); err != nil {
			return nil, fmt.Errorf("the certificate %s-cert.pub cannot be used: %w", path, err)
		}
	}
	k.files[path] = signer
	return signer, nil
}

func certified(signer ssh.Signer, text []byte) (ssh.Signer, error) {
	key, _, _, _, err := ssh.ParseAuthorizedKey(text)
	if err != nil {
		return nil, err
	}
	certificate, is := key.(*ssh.Certificate)
	if !is {
		return nil, errors.New("it is a plain key")
	}
	return ssh.NewCertSigner(certificate, signer)
}

// fromAgent are the agent's keys. It is asked once: its connection is kept, since keys sign over it.
func (k *keyring) fromAgent() ([]ssh.Signer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.agent != nil {
		return k.agent, nil
	}
	conn, err := net.Dial("unix", k.agentSocket)
	if err != nil {
		return nil, fmt.Errorf("asking the agent for keys: %w", err)
	}
	signers, err := agent.NewClient(conn).Signers()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("asking the agent for keys: %w", err), conn.Close())
	}
	k.agent = signers
	return signers, nil
}
