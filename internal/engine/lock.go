package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// How long a run waits for what an earlier one left running, and how often it looks.
const (
	holdFor   = time.Minute
	holdEvery = 50 * time.Millisecond
)

// hold waits until nothing works on a local stack any more, and keeps it until the file is closed.
//
// A run that is killed leaves its executable behind, which finds the cloud gone, writes what it knows into the state, and
// ends. It inherits the file, and with it the lock, so that the next run does not begin before the state is written.
func hold(ctx context.Context, dir string, atMost time.Duration) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "run.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking the local stack: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.Join(fmt.Errorf("locking the local stack: %w", err), file.Close())
		}
		select {
		case <-time.After(holdEvery):
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("the engine of an earlier run still works on %s: wait until it ends, or end it", dir), file.Close())
		}
	}
}
