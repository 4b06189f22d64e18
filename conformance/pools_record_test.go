package conformance_test

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/record"
	"github.com/rouse-go/rouse/sleep/futex"
)

// forked forks at every call, and its leaves are in Block.
func forked(w *pool.Worker, n int) int {
	if n == 0 {
		w.Block(func() {})
		return 1
	}
	f := pool.Fork(w, forked, n-1)
	return forked(w, n-1) + f.Join(w)
}

// If this fails, a recording of a pool with that backend has jobs or workers whose end it does not
// tell, so that a picture shows them at work for too long.
func TestRecording(t *testing.T) {
	composed(t)
	threads := pool.WithSleep(func(n int) (api.Sleep, error) { return futex.New(n, futex.WithThreadPark()) })
	for _, c := range append(virtual, struct {
		name string
		opts []pool.Option
	}{"sleep=futex", []pool.Option{threads}}) {
		t.Run(c.name, func(t *testing.T) {
			p, err := pool.New(append(c.opts, pool.WithWorkers(3))...)
			if err != nil {
				t.Fatal(err)
			}
			stop, err := p.Record(0)
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				if n, err := pool.Run(t.Context(), p, forked, 5); n != 32 || err != nil {
					t.Errorf("Run returned %d, %v", n, err)
				}
			}
			for p.Stats().Sleeping < 3 { // or Close may come before a worker has looked for work
				time.Sleep(time.Millisecond)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			open, state := map[int]bool{}, map[int]record.EventKind{}
			slept := false
			for _, e := range stop().Events {
				switch e.Kind {
				case record.EventBegin:
					open[e.Job] = true
				case record.EventEnd:
					delete(open, e.Job)
				case record.EventSleep, record.EventWake, record.EventClose:
					state[e.Worker] = e.Kind
					slept = slept || e.Kind == record.EventSleep
					continue
				}
				if e.Worker >= 0 && state[e.Worker] == record.EventClose {
					t.Errorf("worker %d has ended, and then comes %+v", e.Worker, e)
				}
			}
			if len(open) > 0 || !slept {
				t.Errorf("%d jobs have no end, and a worker slept: %t", len(open), slept)
			}
			for n := range 3 {
				if state[n] != record.EventClose {
					t.Errorf("the pool is closed, and the last of worker %d is: %v", n, state[n])
				}
			}
		})
	}
}
