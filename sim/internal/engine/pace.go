package engine

import (
	"context"
	"errors"
	"time"

	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// errRehearsed ends a rehearsal that went well, so that the store undoes it.
var errRehearsed = errors.New("rehearsed")

// errEnded is the answer to what was under way when the engine asked to end.
var errEnded = errors.New("it was cancelled before it was done, and nothing was changed")

// takes returns how long an operation takes.
func (s *Server) takes(op *operation) time.Duration {
	if s.opts.Takes == nil {
		return 0
	}
	return s.opts.Takes(op.verb, op.token)
}

// rehearse does work and undoes it, for what it refuses: the real cloud refuses a request at once, and only then takes
// its time.
func (s *Server) rehearse(work func(*store.Tx) error) error {
	err := s.store.Update(func(tx *store.Tx) error {
		if err := work(tx); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}

// sleep waits for as long as an operation takes, or until its caller or the run ends.
func (s *Server) sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	ended, dead := s.ended, s.dead
	s.mu.Unlock()
	if dead != nil {
		return dead
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-ended:
		if err := s.death(); err != nil {
			return err
		}
		return errEnded
	}
}

// end ends what is under way. The caller holds s.mu.
func (s *Server) end() {
	close(s.ended)
	s.ended = make(chan struct{})
}
