package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHoldOutlivesARunThatIsKilled: the executable of a run inherits the lock, and the next run waits for its end.
func TestHoldOutlivesARunThatIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	held, err := hold(t.Context(), dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	started, end := filepath.Join(dir, "started"), filepath.Join(dir, "end")
	cli, err := newCLI(t.Context(), script(t, "v3.999.0", `: > "$2"; while [ ! -e "$3" ]; do sleep 0.05; done`))
	if err != nil {
		t.Fatal(err)
	}
	cli.inherit = []*os.File{held}
	done := make(chan error, 1)
	go func() {
		_, _, _, err := cli.Run(t.Context(), dir, nil, nil, nil, nil, started, end)
		done <- err
	}()
	for !exists(started) {
		time.Sleep(10 * time.Millisecond)
	}
	_ = held.Close() // as the end of the process does
	if _, err := hold(t.Context(), dir, 200*time.Millisecond); err == nil || !strings.Contains(err.Error(), "still works on") {
		t.Fatalf("got %v", err)
	}
	if err := os.WriteFile(end, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	again, err := hold(t.Context(), dir, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}
