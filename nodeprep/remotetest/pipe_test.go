package remotetest_test

import (
	"errors"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

func TestPipeTakesItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := remotetest.Pipe(30 * time.Millisecond)
		start := time.Now()
		for _, word := range []string{"one", "two"} { // written at once: writing waits for nobody
			if _, err := near.Write([]byte(word)); err != nil {
				t.Fatal(err)
			}
		}
		if err := near.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(far)
		if err != nil || string(got) != "onetwo" {
			t.Errorf("got %q, %v", got, err)
		}
		if took := time.Since(start); took != 30*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		if _, err := far.Write([]byte("x")); err == nil {
			t.Error("nobody reads, and writing succeeds")
		}
	})
}

func TestPipeDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := remotetest.Pipe(0)
		defer near.Close() //nolint:errcheck // the deadline is looked at
		if err := far.SetDeadline(time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := far.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := far.SetDeadline(time.Time{}); err != nil {
			t.Fatal(err)
		}
		if _, err := near.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if n, err := far.Read(make([]byte, 9)); n != 1 || err != nil {
			t.Errorf("%d bytes, %v, after the deadline was taken off", n, err)
		}
	})
}
