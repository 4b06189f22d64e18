package pool

import (
	"context"
	"testing"
)

// If this fails, a group with a limit whose context has ended keeps what is spawned for as long
// as a job runs that does not ask its context.
func TestEndedGroupKeepsNothing(t *testing.T) {
	p, err := New(WithWorkers(2))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err = RunGroup(ctx, p, func(_ context.Context, w *Worker, g *Group) error {
		g.SetLimit(1)
		in, stop := make(chan bool), make(chan bool)
		g.Spawn(w, func(context.Context, *Worker) error { close(in); <-stop; return nil })
		w.Block(func() { <-in })
		cancel()
		for range 100 {
			g.Spawn(w, func(context.Context, *Worker) error { return nil })
		}
		if l := g.limit.Load(); l.first != nil {
			t.Error("P24: the context of a group has ended, and what is spawned is kept")
		}
		close(stop)
		return nil
	})
	if err != context.Canceled {
		t.Errorf("P24: a group has skipped jobs as its context ended, and returned %v", err)
	}
}
