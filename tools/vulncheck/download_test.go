package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/dirhash"
)

const version = "v0.0.0-20260102030405-0123456789ab"

func TestDownloadTakesWhatThePinSays(t *testing.T) {
	t.Parallel()
	env, sum := proxy(t)
	src, err := download(pin{version, sum}, env...)
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC); !src.Modified.Equal(want) {
		t.Errorf("the database is of %s, want %s", src.Modified, want)
	}
	if got := read(t, filepath.Join(src.Dir, "GO-0000-0001.json")); got != "{}" {
		t.Errorf("the entry is %q", got)
	}
}

func TestDownloadRefusesAnotherContent(t *testing.T) {
	t.Parallel()
	env, sum := proxy(t)
	_, err := download(pin{version, "h1:other"}, env...)
	if err == nil || !strings.Contains(err.Error(), "has checksum "+sum+" where pin.go says h1:other") {
		t.Errorf("download returns %v", err)
	}
}

func TestDownloadSaysWhyItFails(t *testing.T) {
	t.Parallel()
	env, sum := proxy(t)
	_, err := download(pin{"v0.0.1", sum}, env...)
	if err == nil || !strings.Contains(err.Error(), "downloading golang.org/x/vulndb@v0.0.1: ") ||
		!strings.Contains(err.Error(), "v0.0.1.info") {
		t.Errorf("download returns %v", err)
	}
}

// proxy makes a module proxy in a folder that serves one version of the database, and an empty module cache. It
// returns the environment that makes the go command use them, and the checksum of that version.
func proxy(t *testing.T) (env []string, sum string) {
	t.Helper()
	root := t.TempDir()
	base := filepath.Join(root, filepath.FromSlash(module), "@v", version)
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		t.Fatal(err)
	}
	goMod := "module " + module + "\n"
	for suffix, content := range map[string]string{
		".info": `{"Version": "` + version + `", "Time": "2026-01-02T03:04:05Z"}`,
		".mod":  goMod,
	} {
		if err := os.WriteFile(base+suffix, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	zipModule(t, base+".zip", map[string]string{"go.mod": goMod, "data/osv/GO-0000-0001.json": "{}"})
	sum, err := dirhash.HashZip(base+".zip", dirhash.Hash1)
	if err != nil {
		t.Fatal(err)
	}
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(root),
		"GOMODCACHE=" + t.TempDir(),
		"GOFLAGS=-modcacherw", // or the temporary folder could not be removed
	}, sum
}

// zipModule writes a module's files as a module proxy serves them.
func zipModule(t *testing.T, path string, files map[string]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for name, content := range files {
		entry, err := w.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
