package pool

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// If this fails, numbers are lost, or given out twice, or not the smallest first.
func TestNumbers(t *testing.T) {
	var n idHeap
	rng := rand.New(rand.NewPCG(1, 2))
	in := make(map[uint32]bool)
	for i := range 2000 {
		if len(in) > 0 && rng.IntN(3) == 0 {
			smallest := uint32(1 << 31)
			for k := range in {
				smallest = min(smallest, k)
			}
			if got := n.take(); got != smallest {
				t.Fatalf("P4: take returned %d after %d steps, want %d", got, i, smallest)
			}
			delete(in, smallest)
		} else if k := uint32(rng.IntN(1 << 20)); !in[k] {
			in[k] = true
			n.add(k)
		}
	}
	for len(in) > 0 {
		delete(in, n.take())
	}
	if len(n) > 0 {
		t.Errorf("P4: %d numbers are left of none", len(n))
	}
}

// If this fails, a profiler that is on by default keeps a stack for each job that ever was
// in Block.
func TestNumbersAreGivenOutAgain(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	_, err = Run(t.Context(), p, func(*Worker, int) int {
		var numbers []uint32
		for range 200 { // each without a seat, as a worker of its own
			done := make(chan uint32)
			go func() {
				n, _ := RunHere(p, func(w *Worker, _ int) uint32 { return w.number }, 0)
				done <- n
			}()
			if n := <-done; !slices.Contains(numbers, n) {
				numbers = append(numbers, n)
			}
		}
		if len(numbers) > 4 {
			t.Errorf("P8: 200 jobs, one after the other, have spelt %d numbers on their stacks, want at most 4", len(numbers))
		}
		return 0
	}, 0)
	if err != nil {
		t.Errorf("P1: Run returned the error %v", err)
	}
}

// If this fails, a deferred call above a Run that has panicked passes for a job of
// somebody else's: the stack spells the number until the panic is recovered and the
// deferred call has returned.
func TestNumberOfPanicIsNotGivenOutAgain(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	q, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer q.Close()
	var spells []uint32
	defer func() {
		if recover() == nil {
			t.Error("P2: Run returned after a panic")
		}
		for _, of := range []*Pool{p, q} { // by the workers that have panicked
			_, _ = Run(t.Context(), of, func(*Worker, int) int { return 0 }, 0)
		}
		collect(t) // not what the stack refers to
		for range 100 {
			newWorker(p)
		}
		for _, number := range spells {
			if workerIDs.get(number) != nil {
				t.Errorf("P4: number %d stands for a worker while a stack of a Run that has panicked spells it", number)
			}
		}
		if len(spells) != 3 {
			t.Errorf("P4: the stack spells %d numbers, want 3", len(spells))
		}
	}()
	_, _ = Run(t.Context(), p, func(*Worker, int) int {
		n, _ := Run(t.Context(), q, func(*Worker, int) int {
			n, _ := Run(t.Context(), p, func(*Worker, int) int { // as the worker of the first
				spells = slices.Collect(spelt)
				panic("passes through three calls of Run")
			}, 0)
			return n
		}, 0)
		return n
	}, 0)
}

// collect returns when cleanups of what was garbage have been called, those of the register
// among them.
func collect(t *testing.T) {
	t.Helper()
	for range 3 {
		cleaned := make(chan bool)
		func() { prim.AddCleanup(new([64]byte), func(c chan bool) { close(c) }, cleaned) }()
		for done := false; !done; {
			runtime.GC()
			select {
			case <-cleaned:
				done = true
			case <-t.Context().Done():
				return
			default:
			}
		}
	}
}

// If this fails, each Run that panics takes a number with it: the register grows, and a profiler
// that is on by default keeps a stack for each.
func TestNumberOfPanicComesBack(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	spelling := func(end func()) (numbers []uint32) {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() { _ = recover() }()
			_, _ = Run(t.Context(), p, func(*Worker, int) int {
				numbers = slices.Collect(spelt)
				end()
				return 0
			}, 0)
		}()
		<-done
		return numbers
	}
	var all []uint32
	for range 30 {
		for _, end := range []func(){func() { panic("recovered") }, runtime.Goexit} {
			for _, n := range spelling(end) {
				if !slices.Contains(all, n) {
					all = append(all, n)
				}
			}
		}
		collect(t)
	}
	if len(all) > 20 {
		t.Errorf("P8: 60 calls of Run that did not return have spelt %d numbers on their stacks, want some few", len(all))
	}
}
