package pool_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// raiseAnother is a function whose name must be found in a stack.
//
//go:noinline
func raiseAnother(value any) int { panic(value) }

// runInJob calls Run in a job, as its worker.
func runInJob(w *pool.Worker, fn func(w *pool.Worker) int) int {
	n, _ := pool.Run(pool.NewContext(background, w), w.Pool(), func(w *pool.Worker, _ int) int { return fn(w) }, 0)
	return n
}

// scopeOf runs fn as the only job of a scope.
func scopeOf(w *pool.Worker, fn func(w *pool.Worker)) {
	w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, fn) })
}

// What a worker does while a panic passes that another one has raised, or after it was
// recovered, and which panic counts. If this fails, the stack is that of another one.
func TestPanicPassing(t *testing.T) {
	first, second := &thrown{"first"}, &thrown{"second"}
	twice := &thrown{"twice"}
	// Of each, the panic of a stolen fork passes when it is called.
	for name, c := range map[string]struct {
		rule   string
		passes *thrown // what the fork panics with
		call   func(w *pool.Worker, s *pool.Scope)
		want   any    // what comes out of the job
		raised string // the function that has raised it
	}{
		"job_that_returns": {"P2", first, func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) {}) }, first, "raiseIt"},
		"job_that_panics":  {"P2", first, func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) { panic(second) }) }, first, "raiseIt"},
		"run":              {"P2", first, func(w *pool.Worker, _ *pool.Scope) { runInJob(w, func(w *pool.Worker) int { return fib(w, 5) }) }, first, "raiseIt"},
		"replaced":         {"P12", first, func(*pool.Worker, *pool.Scope) { raiseAnother(second) }, second, "raiseAnother"},
		"equal_from_job": {"P12", twice, func(w *pool.Worker, _ *pool.Scope) {
			scopeOf(w, func(*pool.Worker) { raiseAnother(twice) })
		}, twice, "raiseAnother"},
		"equal_from_run": {"P12", twice, func(w *pool.Worker, _ *pool.Scope) {
			runInJob(w, func(*pool.Worker) int { return raiseAnother(twice) })
		}, twice, "raiseAnother"},
	} {
		subtest(t, name, c.rule, "Wait returns for a job that ends of the panic of a stolen fork", func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(2))
			for range 5 {
				release := make(chan bool)
				_, err := submitted(t, p, func(w *pool.Worker) int {
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						defer func() {
							// The other worker is busy, so this one runs what is spawned.
							begun := make(chan bool)
							submitted(t, p, func(*pool.Worker) bool { close(begun); return <-release })
							<-begun
							c.call(w, s)
						}()
						stolen(t, w, func(*pool.Worker) int { return raiseIt(c.passes) }).Join(w)
					})
					return 0
				}).Wait(background)
				close(release)
				e, ok := err.(*pool.PanicError)
				check(t, ok && e.Value == c.want, "%s: Wait returned %T (%v), want a PanicError with the value %v", c.rule, err, err, c.want)
				check(t, strings.Contains(string(e.Stack), c.raised+"("), "%s: the Stack of the PanicError does not name %s, which has raised it:\n\n%s", c.rule, c.raised, e.Stack)
			}
			meet(t, p)
		})
	}
}

// raiseIt is a function whose name must be found in a stack.
//
//go:noinline
func raiseIt(value any) int { panic(value) }

// A job recovers a panic of a stolen fork, and raises another.
func TestPanicRaisedAnew(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	first := &thrown{"recovered"}
	during(t, "P2", "Wait returns for a job that recovers a panic and raises another", func() {
		for _, second := range []any{&thrown{"raised anew"}, "raised anew", fmt.Errorf("after: %w", first)} {
			_, err := submitted(t, p, func(w *pool.Worker) int {
				if got := recovered(func() { stolen(t, w, func(*pool.Worker) int { return raiseIt(first) }).Join(w) }); got != any(first) {
					t.Errorf("P2: recovered %v from a stolen fork, want %v", got, first)
				}
				return raiseAnother(second)
			}).Wait(background)
			e, ok := err.(*pool.PanicError)
			check(t, ok && e.Value == second && strings.Contains(string(e.Stack), "raiseAnother("), "P2: Wait returned %T (%v), want a PanicError with the value of the second panic, %v, and its stack", err, err, second)
		}
	})
}

// A panic of what was begun after some forks is recovered. These are none of it, whether others
// can see them or not.
func TestPanicLeavesOlderForks(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	value := &thrown{"newer than the forks"}
	raises := func(*pool.Worker) int { panic(value) }
	nothing := func(*pool.Worker) int { return 0 }
	body := func(*pool.Worker, *pool.Scope) { panic(value) }
	for name, call := range map[string]func(w *pool.Worker){
		"Scope":              func(w *pool.Worker) { w.Scope(body) },
		"the first of Both":  func(w *pool.Worker) { pool.Both(w, raises, nothing) },
		"the second of Both": func(w *pool.Worker) { pool.Both(w, nothing, raises) },
		"the first of Invoke": func(w *pool.Worker) {
			pool.Invoke(w, func(w *pool.Worker, _ int) int { return raises(w) }, 0, fib, 3)
		},
		"the Join of a fork": func(w *pool.Worker) { fork(w, raises).Join(w) },
		"a Run inside a job": func(w *pool.Worker) { runInJob(w, raises) },
		"a Scope in a Scope": func(w *pool.Worker) { w.Scope(func(w *pool.Worker, _ *pool.Scope) { w.Scope(body) }) },
		"Block":              func(w *pool.Worker) { w.Block(func() { panic(value) }) },
		"a job of a Scope":   func(w *pool.Worker) { scopeOf(w, func(*pool.Worker) { panic(value) }) },
	} {
		subtest(t, name, "P1", "forks are joined after a panic of what was begun later", func(t *testing.T) {
			for range 5 {
				var ran atomic.Int32
				job := func(_ *pool.Worker, n int) int { ran.Add(1); return n }
				enter(t, p, func(w *pool.Worker) int {
					older := []pool.Forked[int, int]{pool.Fork(w, job, 1), pool.Fork(w, job, 2)}
					w.Block(func() {}) // others can see these from here on
					older = append(older, pool.Fork(w, job, 3))
					if got := recovered(func() { call(w) }); got != any(value) {
						t.Errorf("P2: %s panicked with %v, want %v", name, got, value)
					}
					for i, f := range slices.Backward(older) {
						n := -1
						if got := recovered(func() { n = f.Join(w) }); got != nil || n != i+1 {
							t.Errorf("P1: %s has panicked; Join of a fork from before, number %d, panics with %v, or returns %d, want %d", name, i+1, got, n, i+1)
							break
						}
					}
					return 0
				})
				if n := ran.Load(); n != 3 {
					t.Errorf("P1: of 3 forks from before a panic of %s, which were joined after it, %d have run", name, n)
				}
			}
			meet(t, p)
		})
	}
}

// A Run that panics has no worker when the handler is called, and is no job any more when it
// has been: on a seat, and after it was queued.
func TestAfterPanicHandler(t *testing.T) {
	first, second := &thrown{"of the job"}, &thrown{"of the handler"}
	for name, call := range map[string]func(){
		"returns": func() {}, "panics": func() { panic(second) }, "exits": runtime.Goexit,
	} {
		subtest(t, name, "P5", "Run ends whose function panics", func(t *testing.T) {
			calls := 0
			p := newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) {
				if e.Value != any(first) {
					t.Errorf("P2: the handler of panics got %v, want %v", e.Value, first)
				}
				calls++
				call()
			}))
			raise := func() { pool.Run(background, p, func(*pool.Worker, int) int { return raiseIt(first) }, 0) }
			for round := range 3 {
				endOf(raise)
				free := hold(t, p, 1)
				done := queued(t, p, func() { endOf(raise) })
				free()
				<-done
				check(t, calls == 2*round+2, "P2: %d calls of Run have panicked, and the handler of panics was called %d times", 2*round+2, calls)
				meet(t, p)
			}
			var closed error
			during(t, "P6", "Close returns that is called while a panic passes which Run has raised", func() {
				endOf(func() {
					defer func() { closed = p.Close() }()
					raise()
				})
			})
			check(t, closed == nil, "P6: Close returned %v, called by one that is no job any more", closed)
		})
	}
}

// A Run panics of a pool without a handler, in a job of a pool that has one: on a seat, and after
// it was queued.
func TestPanicHandlerOfOuterPool(t *testing.T) {
	value, called := &thrown{"of a pool without a handler"}, 0
	p := newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) {
		if called++; e.Value != any(value) {
			t.Errorf("P2: the handler of panics got %v, want %v", e.Value, value)
		}
	}))
	q := newPool(t, pool.WithWorkers(1))
	raise := func() {
		recovered(func() {
			pool.Run(background, p, func(*pool.Worker, int) int {
				n, _ := pool.Run(background, q, func(*pool.Worker, int) int { return raiseIt(value) }, 0)
				return n
			}, 0)
		})
	}
	during(t, "P2", "Run ends in which a Run of another pool panics", func() {
		for round := range 3 {
			raise()
			check(t, called == 2*round+1, "P2: %d panics have left a Run of a pool with a handler, which was called %d times", 2*round+1, called)
			free := hold(t, q, 1)
			done := queued(t, q, raise)
			free()
			<-done
			check(t, called == 2*round+2, "P2: %d panics have left a Run of a pool with a handler, which was called %d times", 2*round+2, called)
		}
	})
}
