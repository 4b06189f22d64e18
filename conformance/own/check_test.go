package own_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/pulse"
	"github.com/rouse-go/rouse/conformance/internal/cells"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// A pool of three seats, with a Chase-Lev deque each, whose goroutines sleep on
// condition variables.
func Example() {
	p, err := New(3, chaseLev, func(seats int) (api.Sleep, error) { return jec.New(seats) })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	var result int
	done, err := p.Submit(func(w *Worker) { result = fib(w, 20) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(done.Wait(context.Background()), result)
	// Output: <nil> 6765
}

func fib(w *Worker, n int) int {
	if n < 2 {
		return n
	}
	var x, y int
	w.Join2(
		func(w *Worker) { x = fib(w, n-1) },
		func(w *Worker) { y = fib(w, n-2) },
	)
	return x + y
}

func chaseLev() api.Deque[Job] { return deque.NewChaseLev[Job]() }

// The parts of which the pools under test are composed.
var (
	deques = map[string]func() api.Deque[Job]{
		"chaselev":       chaseLev,
		"chaselev_small": func() api.Deque[Job] { return deque.NewChaseLevAt[Job](2, 1<<63-2) }, // it grows, and its indexes wrap
		"locked":         func() api.Deque[Job] { return deque.NewLocked[Job]() },
	}
	atOnce = api.Rounds{Sleepy: 1} // to sleep after the first search in vain
	sleeps = map[string]func(seats int) (api.Sleep, error){
		"jec":      func(n int) (api.Sleep, error) { return jec.New(n) },
		"jec_1bit": func(n int) (api.Sleep, error) { return jec.New(n, jec.WithJobsBits(1), jec.WithRounds(atOnce)) },
		"futex":    func(n int) (api.Sleep, error) { return futex.New(n, futex.WithThreadPark()) },
		"goroutine": func(n int) (api.Sleep, error) {
			return futex.New(n, futex.WithGoroutinePark(), futex.WithRounds(atOnce))
		},
	}
)

// onEach runs a test on pools of every combination of parts, with 1, 2, 3 and 8
// seats. The pool is closed after it, and must leave no goroutine behind.
func onEach(t *testing.T, test func(t *testing.T, p *Pool)) {
	for dequeName, newDeque := range deques {
		for sleepName, newSleep := range sleeps {
			for _, seats := range []int{1, 2, 3, 8} {
				t.Run(fmt.Sprintf("deque=%s/sleep=%s/seats=%d", dequeName, sleepName, seats), func(t *testing.T) {
					before := harness.GoroutinesNow()
					p, err := New(seats, newDeque, newSleep)
					if err != nil {
						t.Fatal(err)
					}
					ends(t, func() { test(t, p) })
					if t.Failed() {
						return
					}
					ends(t, p.Close)
					if inactive, sleeping := p.sleep.Counts(); inactive != 0 || sleeping != 0 {
						t.Errorf("C4: after Close %d seats are counted as inactive and %d as sleeping", inactive, sleeping)
					}
					if err := harness.GoroutinesSince(before); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// ends fails if f does not end: a wake was missed, or a seat was lost. f runs on
// a goroutine of its own.
func ends(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	p := pulse.Pulse{Limit: 20 * time.Second}
	if why := p.Await(done); why != "" {
		stacks := make([]byte, 1<<20)
		t.Fatalf("a hang: %s\n%s", why, stacks[:runtime.Stack(stacks, true)])
	}
}

// run submits a job and waits for it.
func run(t *testing.T, p *Pool, fn func(w *Worker)) {
	done, err := p.Submit(fn)
	if err == nil {
		err = done.Wait(context.Background())
	}
	if err != nil {
		t.Error(err)
	}
}

// A fork is run twice or not at all, or a join returns before it has ended, if a
// result is wrong. Many jobs come from outside at the same time.
func TestManySubmitters(t *testing.T) {
	onEach(t, func(t *testing.T, p *Pool) {
		var submitters sync.WaitGroup
		for seed := range uint64(6) {
			submitters.Go(func() {
				rng := rand.New(rand.NewPCG(seed, 0))
				for range 10 {
					n := rng.IntN(13)
					run(t, p, func(w *Worker) {
						if got, want := fib(w, n), []int{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}[n]; got != want {
							t.Errorf("fib(%d) is %d, want %d", n, got, want)
						}
					})
				}
			})
		}
		submitters.Wait()
	})
}

// As many jobs run at once as there are seats. If this hangs, one seat sleeps
// beside a job, or was lost in a test before.
func TestFullWidth(t *testing.T) {
	onEach(t, func(t *testing.T, p *Pool) {
		for range 30 {
			var begun atomic.Int32
			all := make(chan struct{})
			leaf := func(*Worker) {
				if int(begun.Add(1)) == len(p.seats) {
					close(all)
				}
				<-all
			}
			run(t, p, func(w *Worker) { leaves(w, len(p.seats), leaf) })
		}
	})
}

// leaves calls a function n times, from the leaves of a tree of forks.
func leaves(w *Worker, n int, leaf func(w *Worker)) {
	switch n {
	case 0:
	case 1:
		leaf(w)
	default:
		w.Join2(
			func(w *Worker) { leaves(w, n/2, leaf) },
			func(w *Worker) { leaves(w, n-n/2, leaf) },
		)
	}
}

// A job may hold a lock while it joins: each cell is computed in its sync.Once. If this hangs,
// a job runs on top of one that holds what it waits for, or nobody resumes one that has been set
// aside.
func TestLockHeldAcrossJoin(t *testing.T) {
	onEach(t, func(t *testing.T, p *Pool) {
		for seed := range uint64(20) {
			e := cells.Evaluate(cells.New(seed), func(w *Worker, e *cells.Evaluation[*Worker], _ int, needed []int) {
				var next atomic.Int32
				leaves(w, len(needed), func(w *Worker) { e.Enter(w, needed[next.Add(1)-1]) })
			})
			run(t, p, func(w *Worker) { leaves(w, 8, func(w *Worker) { e.All(w, 0, true) }) })
			if err := e.Check(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A job that recovers from a panic goes on. If a result is wrong, a join has met the
// fork that the panic has passed over.
func TestRecover(t *testing.T) {
	onEach(t, func(t *testing.T, p *Pool) {
		var forked atomic.Int32
		run(t, p, func(w *Worker) {
			for range 50 {
				func() {
					defer func() {
						if recover() == nil {
							t.Error("the panic does not leave Join2")
						}
					}()
					w.Join2(func(*Worker) { panic("on purpose") }, func(*Worker) { forked.Add(1) })
				}()
				if got := fib(w, 6); got != 8 {
					t.Errorf("fib(6) is %d, want 8", got)
				}
			}
		})
		if n := forked.Load(); n != 50 {
			t.Errorf("%d of 50 forks have ended", n)
		}
	})
}

// A pool without work sleeps (S7). If this hangs, a seat goes on looking.
func TestRest(t *testing.T) {
	onEach(t, func(t *testing.T, p *Pool) {
		for range 10 {
			run(t, p, func(w *Worker) { leaves(w, 20, func(*Worker) {}) })
			for sleeping := -1; sleeping != len(p.seats); _, sleeping = p.sleep.Counts() {
				runtime.Gosched()
			}
		}
	})
}
