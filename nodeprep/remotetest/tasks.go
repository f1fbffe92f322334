package remotetest

import "sync"

// tasks counts goroutines that may start others while somebody waits for them, which a sync.WaitGroup does not allow.
type tasks struct {
	mu   sync.Mutex
	none sync.Cond
	n    int
}

// Go runs a function in a goroutine.
func (t *tasks) Go(f func()) {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
	go func() {
		defer func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.n--
			t.none.Broadcast()
		}()
		f()
	}()
}

// Wait waits until none is left.
func (t *tasks) Wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.n > 0 {
		t.none.Wait()
	}
}
