package pool

import (
	"context"
	"runtime"
	"testing"
)

// If this fails, what is queued waits for the end of a loop, once some of its looks at the
// queue have found nothing.
func TestYieldInVain(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	queue := func() *Handle[int] {
		h, err := Submit(p, func(*Worker) int { return 1 })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		return h
	}
	_, err = Run(context.Background(), p, func(w *Worker, _ int) int { // the only seat is taken
		for range 3 {
			if !queue().Cancel() {
				t.Error("P24: a job that waits in the queue cannot be canceled")
			}
			if p.injector.Empty() {
				t.Error("P31: what was canceled does not lie in the queue, so the looks there are not in vain")
			}
			LoopsOf(w).Yield()
			if n := p.beside.Load(); n != 0 {
				t.Errorf("P31: Yield has found nothing to begin, and %d jobs count as begun by it", n)
			}
		}
		h := queue()
		if LoopsOf(w).Yield(); !p.injector.Empty() {
			t.Error("P31: after looks at the queue that were in vain, Yield begins no job of it")
		}
		n, _ := h.Join(w)
		return n
	}, 0)
	if err != nil {
		t.Errorf("P1: Run returned the error %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("P6: Close returned the error %v", err)
	}
}

// If this fails, a job that goes on without a seat, and waits now and then, keeps one that others
// need: a stream does so.
func TestBlockHereTakesNoSeat(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	_, err = Run(context.Background(), p, func(w *Worker, _ int) int {
		w.release()
		w.goSeatless()
		for sleeping := 0; sleeping == 0; _, sleeping = p.sleep.Counts() {
			runtime.Gosched()
		}
		if BlockHere(func() {}); w.seat != nil {
			t.Error("P31: a job without a seat has one after BlockHere")
		}
		if w.Block(func() {}); w.seat == nil {
			t.Error("P19: a job without a seat takes none after Block, and one sleeps")
		}
		return 0
	}, 0)
	if err != nil {
		t.Errorf("P1: Run returned the error %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("P6: Close returned the error %v", err)
	}
}

// If this fails, more jobs run beside others than there are workers, once those have waited in
// BlockHere.
func TestBlockHereBeside(t *testing.T) {
	p := onlyWorker(t, func(p *Pool, w *Worker) {
		h, err := Submit(p, func(w *Worker) int {
			if w.origin != fromQueue || w.seat != nil {
				t.Error("P31: a job that Yield has begun does not run beside others")
			}
			BlockHere(func() {
				if n := p.beside.Load(); n != 0 {
					t.Errorf("P31: of the jobs that were begun beside others one runs, which is in BlockHere, and %d count", n)
				}
			})
			if n := p.beside.Load(); n != 1 {
				t.Errorf("P31: a job that was begun beside others goes on after BlockHere, and %d count", n)
			}
			return 0
		})
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		LoopsOf(w).Yield()
		h.Join(w)
	})
	if n := p.beside.Load(); n != 0 {
		t.Errorf("P31: all jobs have ended, and %d count as begun beside others", n)
	}
}
