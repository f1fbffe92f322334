package store

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestRecordsSurviveTheProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := &Record{
		Provider: "aws", Token: "aws:ec2/vpc:Vpc", ID: "vpc-1", URN: "urn", Region: "us-west-2", Owner: "someone",
		Inputs: resource.PropertyMap{"a": resource.MakeSecret(resource.NewProperty("hidden"))},
		Outputs: resource.PropertyMap{"list": resource.NewProperty([]resource.PropertyValue{
			resource.NewProperty(1.0), resource.NewProperty(true)})},
	}
	s := open(t, dir)
	if err := s.Update(func(tx *Tx) error { return tx.Put(want) }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	err := open(t, dir).View(func(tx *Tx) error {
		got, ok := tx.Get(want.Token, want.ID)
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if tokens := tx.Tokens(); !reflect.DeepEqual(tokens, []string{want.Token}) {
			t.Errorf("tokens: got %v", tokens)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSecondOpenerIsToldWhy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open(t, dir)
	_, err := Open(dir)
	if !errors.Is(err, ErrBusy) {
		t.Fatalf("got %v, want ErrBusy", err)
	}
	if !strings.Contains(err.Error(), dir) {
		t.Errorf("the error does not name the directory: %v", err)
	}
}

func TestRefusedUpdateLeavesNoTrace(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	refused := errors.New("refused")
	err := s.Update(func(tx *Tx) error {
		if err := tx.Put(&Record{Token: "t", ID: "x"}); err != nil {
			return err
		}
		if _, err := tx.Next("scope"); err != nil {
			return err
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatalf("got %v", err)
	}
	err = s.Update(func(tx *Tx) error {
		if _, ok := tx.Get("t", "x"); ok {
			t.Error("the record is still there")
		}
		if n, err := tx.Next("scope"); n != 1 || err != nil {
			t.Errorf("Next: got %d, %v; want 1", n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAllIsSortedAndDeleteForgets(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	err := s.Update(func(tx *Tx) error {
		for _, id := range []string{"c", "a", "b"} {
			if err := tx.Put(&Record{Token: "t", ID: id}); err != nil {
				return err
			}
		}
		if err := tx.Delete("t", "b"); err != nil {
			return err
		}
		return tx.Delete("other", "never there")
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(func(tx *Tx) error {
		var ids []string
		for _, r := range tx.All("t") {
			ids = append(ids, r.ID)
		}
		if !reflect.DeepEqual(ids, []string{"a", "c"}) {
			t.Errorf("got %v", ids)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOpenCutOff keeps a cloud that lost its data from passing for an empty one.
func TestOpenCutOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, fileName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "its data was cut off") {
		t.Errorf("got %v", err)
	}
}

// TestOpenLeavesOnlyTheStore holds the making of a store to the one file.
func TestOpenLeavesOnlyTheStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != fileName {
		t.Errorf("%v, %v", entries, err)
	}
}
