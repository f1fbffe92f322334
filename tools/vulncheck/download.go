package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// source is the database as its module holds it.
type source struct {
	Dir      string    // holds one <id>.json an entry
	Modified time.Time // when the module's commit was made
}

// download brings a pinned version of the module into the module cache and checks what came.
//
// It runs outside any module, so that it neither reads nor changes a go.mod or go.sum. The checksum database is
// not asked: the pin says more than it could. env is added to the environment of the go command.
func download(p pin, env ...string) (source, error) {
	outside, err := os.MkdirTemp("", "vulndb")
	if err != nil {
		return source{}, err
	}
	defer os.RemoveAll(outside)

	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+p.Version)
	cmd.Dir = outside
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GONOSUMDB="+module), env...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.Output()

	var got struct{ Dir, Info, Sum, Error string }
	if jsonErr := json.NewDecoder(bytes.NewReader(stdout)).Decode(&got); jsonErr == nil && got.Error != "" {
		return source{}, fmt.Errorf("downloading %s@%s: %s", module, p.Version, got.Error)
	} else if err == nil {
		err = jsonErr
	}
	if err != nil {
		return source{}, fmt.Errorf("downloading %s@%s: %w", module, p.Version, err)
	}
	if got.Sum != p.Sum {
		return source{}, fmt.Errorf("%s@%s has checksum %s where pin.go says %s", module, p.Version, got.Sum, p.Sum)
	}

	modified, err := commitTime(got.Info)
	if err != nil {
		return source{}, err
	}
	return source{Dir: filepath.Join(got.Dir, "data", "osv"), Modified: modified}, nil
}

// commitTime reads when a module version was made from the .info file beside it in the module cache.
func commitTime(info string) (time.Time, error) {
	b, err := os.ReadFile(info)
	if err != nil {
		return time.Time{}, err
	}
	var v struct{ Time time.Time }
	if err := json.Unmarshal(b, &v); err != nil {
		return time.Time{}, fmt.Errorf("reading %s: %w", info, err)
	}
	return v.Time, nil
}
