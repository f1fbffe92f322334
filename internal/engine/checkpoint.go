package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mendCheckpoint puts the state of a local stack, the file at path, right after a write that was cut off, as by a full disk: the engine
// then leaves a file that is not JSON, and refuses to go on. Beside it is the state before that write, which is taken. If that
// was cut off as well, since the engine went on trying, what is whole in the longer of the two is. Without anything, the stack
// begins anew.
func mendCheckpoint(path string) error {
	whole, err := isJSON(path)
	if err != nil || whole {
		return err
	}
	before, err := isJSON(path + ".bak")
	if err != nil {
		return err
	}
	if before && exists(path+".bak") {
		err = os.Rename(path+".bak", path)
	} else {
		err = salvageFiles(path)
	}
	if err != nil {
		return fmt.Errorf("mending the local state, whose last write was cut off: %w", err)
	}
	return nil
}

// salvageFiles puts what is left of a state that was cut off, and of the one before it, in its place.
func salvageFiles(path string) error {
	var most []byte
	for _, cut := range []string{path, path + ".bak"} {
		text, err := os.ReadFile(cut)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if rest := salvage(text); len(rest) > len(most) {
			most = rest
		}
	}
	if most == nil {
		return os.Remove(path)
	}
	next := path + ".next" // in one step: the disk may still be full
	if err := os.WriteFile(next, most, 0o600); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return os.Rename(next, path)
}

// salvage returns the state that a file which was cut off begins with: its resources up to the last that is whole. What a
// resource depends on stands before it, so that nothing in them is missing. Without a whole resource there is none.
func salvage(text []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	for _, key := range []string{"checkpoint", "latest", "resources"} {
		if !enter(d, key) {
			return nil
		}
	}
	if _, err := d.Token(); err != nil { // the bracket
		return nil
	}
	end := int64(0)
	for d.More() {
		var resource json.RawMessage
		if d.Decode(&resource) != nil {
			break
		}
		end = d.InputOffset()
	}
	if end == 0 {
		return nil
	}
	return append(bytes.Clone(text[:end]), "]}}}"...)
}

// enter reads an object up to the value of a key, and reports false where it ends before.
func enter(d *json.Decoder, key string) bool {
	if brace, err := d.Token(); err != nil || brace != json.Delim('{') {
		return false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return false
		}
		if name == key {
			return true
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
	}
	return false
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
