package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mendCheckpoint puts the state of a local stack, the file at path, right after a write that was cut off, as by a full disk: the engine
// then leaves a file that is not JSON, and refuses to go on. Beside it is the state before that write, which is taken.
// Without one, nothing had been made yet, and the stack begins anew.
func mendCheckpoint(path string) error {
	whole, err := isJSON(path)
	if err != nil || whole {
		return err
	}
	before, err := isJSON(path + ".bak")
	switch {
	case err != nil:
		return err
	case before && exists(path+".bak"):
		err = os.Rename(path+".bak", path)
	default:
		err = os.Remove(path)
	}
	if err != nil {
		return fmt.Errorf("mending the local state, whose last write was cut off: %w", err)
	}
	return nil
}

// mendAttributes removes the files of a backend on disk that hold the attributes of others and were cut off, as by the end
// of the engine. Unlike the state itself they are not written in one step, and what belongs to half of one is not read. A
// file without attributes is.
func mendAttributes(state string) error {
	err := filepath.WalkDir(state, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".attrs" {
			return err
		}
		whole, err := isJSON(path)
		if err != nil || whole {
			return err
		}
		return os.Remove(path)
	})
	if err != nil {
		return fmt.Errorf("mending the local state: %w", err)
	}
	return nil
}

// isJSON tells whether a file is whole. One that is not there is.
func isJSON(path string) (bool, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the local state: %w", err)
	}
	return json.Valid(text), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
