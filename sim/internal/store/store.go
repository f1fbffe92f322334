package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// ErrBusy is what Open returns, wrapped, while another process or another Cloud holds the directory.
var ErrBusy = errors.New("the embedded cloud is in use")

const (
	fileName = "cloud.db"
	lockWait = 250 * time.Millisecond
)

var (
	resourcesBucket = []byte("resources") // one bucket a token, id → Record
	countersBucket  = []byte("counters")  // scope → how many identifiers were drawn
)

// Store is an open cloud on disk. It is safe for concurrent use.
type Store struct{ db *bbolt.DB }

// Open opens the store in dir, making both as needed, and locks it.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the embedded cloud's directory: %w", err)
	}
	path := filepath.Join(dir, fileName)
	if err := prepare(path); err != nil {
		return nil, err
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%w: another process has %s open; wait until it ends, or use another directory", ErrBusy, path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the embedded cloud %s: %w", path, err)
	}
	return &Store{db}, nil
}

// prepare makes an empty store where there is none: under another name first, so that a store that is there is whole.
// A file of no bytes was cut off by something else, and to open it would pass for a cloud in which there is nothing.
func prepare(path string) error {
	if info, err := os.Stat(path); err == nil {
		if info.Size() == 0 {
			return fmt.Errorf("the embedded cloud %s is empty: its data was cut off. Put the file back, or remove the directory %s, with the stack's state in it, to begin anew",
				path, filepath.Dir(filepath.Dir(path)))
		}
		return nil
	}
	fresh, err := os.CreateTemp(filepath.Dir(path), fileName+".*")
	if err != nil {
		return fmt.Errorf("making the embedded cloud: %w", err)
	}
	defer os.Remove(fresh.Name()) // it has its own name by then
	if err := errors.Join(fresh.Close(), fill(fresh.Name())); err != nil {
		return fmt.Errorf("making the embedded cloud %s: %w", path, err)
	}
	// A link, unlike a rename, does not replace what another process made meanwhile.
	if err := os.Link(fresh.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the embedded cloud: %w", err)
	}
	return nil
}

// fill makes the buckets of a new store.
func fill(path string) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{resourcesBucket, countersBucket} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, db.Close())
}

// Close releases the directory.
func (s *Store) Close() error { return s.db.Close() }

// Update runs f in a transaction that is kept when f returns nil, and undone otherwise.
func (s *Store) Update(f func(*Tx) error) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return f(&Tx{tx}) })
}

// View runs f in a transaction that cannot write.
func (s *Store) View(f func(*Tx) error) error {
	return s.db.View(func(tx *bbolt.Tx) error { return f(&Tx{tx}) })
}

// Tx is one look at the cloud, consistent in itself. Broken records are bugs or a damaged file: they panic.
type Tx struct{ tx *bbolt.Tx }

// Get returns the record of a resource, or false when there is none.
func (t *Tx) Get(token, id string) (*Record, bool) {
	b := t.bucket(token)
	if b == nil {
		return nil, false
	}
	data := b.Get([]byte(id))
	if data == nil {
		return nil, false
	}
	return must(decode(data)), true
}

// All returns every record of a token, sorted by id.
func (t *Tx) All(token string) []*Record {
	b := t.bucket(token)
	if b == nil {
		return nil
	}
	var records []*Record
	for c, k, v := cursor(b); k != nil; k, v = c.Next() {
		records = append(records, must(decode(v)))
	}
	return records
}

// Tokens returns the tokens of which the cloud has or had resources, sorted.
func (t *Tx) Tokens() []string {
	var tokens []string
	for c, k, _ := cursor(t.tx.Bucket(resourcesBucket)); k != nil; k, _ = c.Next() {
		tokens = append(tokens, string(k))
	}
	return tokens
}

// Put writes a record, in place of the one with its token and id.
func (t *Tx) Put(r *Record) error {
	if r.Token == "" || r.ID == "" {
		panic(fmt.Sprintf("store: a record without token or id: %+v", r))
	}
	data, err := encode(r)
	if err != nil {
		return err
	}
	b, err := t.tx.Bucket(resourcesBucket).CreateBucketIfNotExists([]byte(r.Token))
	if err != nil {
		return err
	}
	return b.Put([]byte(r.ID), data)
}

// Delete removes a record. Removing one that is not there is no error.
func (t *Tx) Delete(token, id string) error {
	b := t.bucket(token)
	if b == nil {
		return nil
	}
	return b.Delete([]byte(id))
}

// Next returns 1, 2, 3 … for a scope; the count survives the process.
func (t *Tx) Next(scope string) (uint64, error) {
	n := t.Count(scope) + 1
	return n, t.tx.Bucket(countersBucket).Put([]byte(scope), binary.BigEndian.AppendUint64(nil, n))
}

// Count returns how often Next was called for a scope.
func (t *Tx) Count(scope string) uint64 {
	if data := t.tx.Bucket(countersBucket).Get([]byte(scope)); data != nil {
		return binary.BigEndian.Uint64(data)
	}
	return 0
}

func (t *Tx) bucket(token string) *bbolt.Bucket {
	return t.tx.Bucket(resourcesBucket).Bucket([]byte(token))
}

func cursor(b *bbolt.Bucket) (*bbolt.Cursor, []byte, []byte) {
	c := b.Cursor()
	k, v := c.First()
	return c, k, v
}

func must(r *Record, err error) *Record {
	if err != nil {
		panic(fmt.Sprintf("store: a damaged record: %v", err))
	}
	return r
}
