package futex

import (
	"runtime"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// The rest of the module trusts the platform's two functions with this: a wait
// for a value that the word no longer has returns, and a wake releases the goroutine
// that waits.

// within fails with a message if f does not end.
func within(t *testing.T, message string, f func()) {
	t.Helper()
	ended := make(chan struct{})
	prim.Go(func() {
		defer close(ended)
		f()
	})
	for range 60_000 { // that each sleep returns shows that the process gets processors
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal(message)
}

func TestWaitReturnsIfValueIsAnother(t *testing.T) {
	if !hasFutex {
		t.Skip("places are parked by the Go runtime")
	}
	var word prim.Uint32
	word.Store(2)
	within(t, "S1: the word: a wait for a value that it does not have blocks", func() { futexWait(&word, 1) })
}

// Two goroutines wait for each other in turn, which none can do without being
// woken. One that is blocked must hold up neither a collection nor, on a single
// processor, the other; and it must block indeed: a call that fails at once
// would do the same by polling.
func TestWakeReleasesWaiter(t *testing.T) {
	if !hasFutex {
		t.Skip("places are parked by the Go runtime")
	}
	const turns = 1000
	var words [2]prim.Uint32
	words[0].Store(1)
	words[1].Store(1)
	var waits prim.Uint64
	wait := func(word *prim.Uint32) {
		for word.Load() == 1 {
			waits.Add(1)
			futexWait(word, 1)
		}
		word.Store(1)
	}
	wake := func(word *prim.Uint32) {
		word.Store(0)
		futexWake(word)
	}
	prim.Go(func() {
		for range turns {
			wait(&words[0])
			wake(&words[1])
		}
	})
	within(t, "S1: the word: one that waits was not released by a wake", func() {
		for i := range turns {
			if i%100 == 0 {
				runtime.GC() // for some time the other is not woken
			}
			wake(&words[0])
			wait(&words[1])
		}
	})
	// At most one a turn for each, and as many that a late wake or a signal ends;
	// a poll has hundreds a turn.
	if n := waits.Load(); n > 10*turns {
		t.Errorf("S8: the word: %d waits for %d wakes: a wait does not block", n, 2*turns)
	}
}
