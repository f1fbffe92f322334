package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLocalPassphraseIsMadeOnceAndIsPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, state := filepath.Join(dir, "passphrase"), filepath.Join(dir, "dev.json")
	first, err := localPassphrase(path, state)
	if err != nil || len(first) != 32 {
		t.Fatalf("got %q, %v", first, err)
	}
	if again, err := localPassphrase(path, state); err != nil || again != first {
		t.Fatalf("got %q, %v; want %q", again, err, first)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("got mode %v, %v", info.Mode(), err)
	}
	if err := errors.Join(os.WriteFile(state, []byte("{}"), 0o600), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := localPassphrase(path, state); err == nil || !strings.Contains(err.Error(), "is lost") {
		t.Errorf("another one is made for a state that it cannot read: %v", err)
	}
}

const stackConfig = `encryptionsalt: v1:someone-elses
config:
  gpuyard:capacity_block: cr-0123456789abcdef0
  gpuyard:token:
    secure: v1:ciphertext
  aws:profile: training
`

func project(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "stacks"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "Pulumi.yaml"), []byte("name: gpuyard\nruntime: go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(StackConfigFile(root, "prod"), []byte(stackConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestStackConfigHasOnlyPlainValuesOfTheProject(t *testing.T) {
	t.Parallel()
	values, err := StackConfig(project(t), "prod")
	if err != nil || len(values) != 1 || values["capacity_block"] != "cr-0123456789abcdef0" {
		t.Fatalf("got %v, %v", values, err)
	}
	if values, err := StackConfig(project(t), "none"); err != nil || len(values) != 0 {
		t.Fatalf("without a file: got %v, %v", values, err)
	}
}

func TestCopyStackConfigLeavesSecretsAndSaltBehind(t *testing.T) {
	t.Parallel()
	root, work := project(t), t.TempDir()
	path := filepath.Join(work, "Pulumi.prod.yaml")
	if err := os.WriteFile(path, []byte("encryptionsalt: v1:local\nconfig:\n  gpuyard:gone: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyStackConfig(root, work, "prod"); err != nil {
		t.Fatal(err)
	}
	settings, err := loadSettings(path)
	if err != nil {
		t.Fatal(err)
	}
	if settings.EncryptionSalt != "v1:local" || len(settings.Config) != 2 || settings.Config.HasSecureValue() {
		t.Errorf("got salt %q and %v", settings.EncryptionSalt, settings.Config)
	}
}
