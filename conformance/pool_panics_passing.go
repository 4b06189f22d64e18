package conformance

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// What a worker does while a panic passes that another one has raised, or after it
// was recovered; and which panic counts, of several.
var poolPanicsPassing = []poolCase{
	{"Panic/nil", "P2", 2, panicWithNil},
	{"Panic/passes_job_that_returns", "P2", 2, func(r *run, p *pool.Pool) {
		panicPassing(r, p, spawnedMeanwhile(func(*pool.Worker) {}))
	}},
	{"Panic/passes_job_that_panics", "P2", 2, func(r *run, p *pool.Pool) {
		panicPassing(r, p, spawnedMeanwhile(func(*pool.Worker) { panic(&thrown{"meanwhile"}) }))
	}},
	{"Panic/passes_run", "P2", 2, func(r *run, p *pool.Pool) {
		panicPassing(r, p, func(w *pool.Worker, _ *pool.Scope) {
			pool.Run(pool.NewContext(background, w), p, fib, 5)
		})
	}},
	{"Panic/raised_anew", "P2", 2, panicRaisedAnew},
	{"Panic/equal_from_job", "P12", 2, func(r *run, p *pool.Pool) {
		panicEqual(r, p, func(w *pool.Worker, value any) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				s.Spawn(w, func(*pool.Worker) { raiseAnother(value) })
			})
		})
	}},
	{"Panic/equal_from_run", "P12", 2, func(r *run, p *pool.Pool) {
		panicEqual(r, p, func(w *pool.Worker, value any) {
			pool.Run(pool.NewContext(background, w), p, func(*pool.Worker, int) int { return raiseAnother(value) }, 0)
		})
	}},
	{"Scope/first_failure", "P2", 1, firstFailure},
	{"Panic/leaves_older_forks", "P2", 2, leavesOlderForks},
}

// spawnedMeanwhile spawns what the owner of the scope runs when its body has
// panicked.
func spawnedMeanwhile(fn func(*pool.Worker)) func(*pool.Worker, *pool.Scope) {
	return func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, fn) }
}

// panicPassing has the panic of a fork that another worker has taken pass through
// the body of a scope, in which meanwhile is called. The other worker is busy by
// then, so that this one runs what is spawned.
func panicPassing(r *run, p *pool.Pool, meanwhile func(*pool.Worker, *pool.Scope)) {
	for range 5 {
		value := &thrown{"passing"}
		free := func() {}
		h := submit(r, p, func(w *pool.Worker) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				defer func() {
					free = keepBusy(r, p)
					meanwhile(w, s)
				}()
				apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { raiseIt(value) })
			})
			return 0
		})
		r.During("P2", "Wait returns for a job that ends of the panic of a fork, which another worker has raised")
		_, err := h.Wait(background)
		free()
		failed(r, "Wait for a job whose panic has passed other jobs on its way", err, value)
	}
	fullWidth(r, p)
}

// keepBusy has another worker begin a job, from a job, that ends when free is
// called.
func keepBusy(r *run, p *pool.Pool) (free func()) {
	begun, gate := make(chan struct{}), make(chan struct{})
	submitted := submitInside(r, p, 1, func() int {
		close(begun)
		r.Receive(gate)
		return 0
	})
	if submitted == nil {
		return func() {}
	}
	r.Receive(begun)
	return func() { close(gate) }
}

// panicRaisedAnew recovers the panic of another worker's fork, and raises another
// one, of the same type and of another.
func panicRaisedAnew(r *run, p *pool.Pool) {
	first := &thrown{"recovered"}
	for _, second := range []any{&thrown{"raised anew"}, "raised anew", fmt.Errorf("after: %w", first)} {
		h := submit(r, p, func(w *pool.Worker) int {
			got := caught(func() { apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { raiseIt(first) }) })
			if got != any(first) {
				r.Report("P2", "recovered %v from a stolen fork, want %v", got, first)
			}
			return raiseAnother(second)
		})
		_, err := h.Wait(background)
		e, ok := err.(*pool.PanicError)
		r.Check(ok && e.Value == second, "P2", "a job recovers a panic and raises another: Wait returned %T (%v), want a *pool.PanicError with the value of the second, %v", err, err, second)
		r.Check(bytes.Contains(e.Stack, []byte("raiseAnother")), "P2", "a job recovers a panic and raises another: the Stack of the PanicError does not name the function that raised the second:\n\n%s", e.Stack)
	}
	fullWidth(r, p)
}

// panicEqual has a deferred function panic while the panic of another worker's fork
// passes, with the same value. again raises it where this worker runs something.
func panicEqual(r *run, p *pool.Pool, again func(w *pool.Worker, value any)) {
	for range 5 {
		value := &thrown{"twice"}
		free := func() {}
		h := submit(r, p, func(w *pool.Worker) int {
			defer func() {
				free = keepBusy(r, p)
				again(w, value)
			}()
			apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { raiseIt(value) })
			return 0
		})
		r.During("P12", "Wait returns for a job that panics while a panic passes")
		_, err := h.Wait(background)
		free()
		e, ok := err.(*pool.PanicError)
		r.Check(ok && e.Value == any(value), "P12", "a job panics while a panic passes: Wait returned %T (%v), want a *pool.PanicError with the value %v", err, err, value)
		r.Check(bytes.Contains(e.Stack, []byte("raiseAnother")), "P12", "a job panics while one with the same value passes: the Stack of the PanicError does not name the function that raised the second:\n\n%s", e.Stack)
	}
	fullWidth(r, p)
}

// raiseAnother is a function whose name must be found in a stack.
//
//go:noinline
func raiseAnother(value any) int { panic(value) }

// firstFailure has several jobs of a scope panic, one after the other.
func firstFailure(r *run, p *pool.Pool) {
	for range 5 {
		var mu sync.Mutex
		var order []*thrown
		got := caught(func() {
			enter(r, p, func(w *pool.Worker) int {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					for _, what := range []string{"a", "b", "c"} {
						s.Spawn(w, func(*pool.Worker) {
							value := &thrown{what}
							mu.Lock()
							order = append(order, value)
							mu.Unlock()
							panic(value)
						})
					}
				})
				return 0
			})
		})
		r.Check(len(order) == 3, "P1", "of 3 jobs of a scope, of which the first panics, %d have run", len(order))
		r.Check(got == any(order[0]), "P2", "Scope panicked with %v; its jobs panicked, one after the other, with %v: want the first", got, order)
	}
	fullWidth(r, p)
}

// leavesOlderForks recovers a panic of what was begun after some forks. These are
// none of it, whether others can see them or not.
func leavesOlderForks(r *run, p *pool.Pool) {
	value := &thrown{"newer than the forks"}
	raises := func(*pool.Worker) int { panic(value) }
	nothing := func(*pool.Worker) int { return 0 }
	for name, call := range map[string]func(w *pool.Worker){
		"Scope":              func(w *pool.Worker) { w.Scope(func(*pool.Worker, *pool.Scope) { panic(value) }) },
		"the first of Both":  func(w *pool.Worker) { pool.Both(w, raises, nothing) },
		"the second of Both": func(w *pool.Worker) { pool.Both(w, nothing, raises) },
		"the Join of a fork": func(w *pool.Worker) { pool.Fork(w, func(w *pool.Worker, _ int) int { return raises(w) }, 0).Join(w) },
		"a Run inside a job": func(w *pool.Worker) {
			pool.Run(pool.NewContext(background, w), p, func(w *pool.Worker, _ int) int { return raises(w) }, 0)
		},
		"a Scope in a Scope": func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, _ *pool.Scope) { w.Scope(func(*pool.Worker, *pool.Scope) { panic(value) }) })
		},
		"Block": func(w *pool.Worker) { w.Block(func() { panic(value) }) },
		"a job of that Scope": func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) { panic(value) }) })
		},
	} {
		for range 5 {
			var ran atomic.Int32
			job := func(_ *pool.Worker, n int) int { ran.Add(1); return n }
			enter(r, p, func(w *pool.Worker) int {
				older := []pool.Forked[int, int]{pool.Fork(w, job, 1), pool.Fork(w, job, 2)}
				w.Block(func() {}) // others can see these from here on
				older = append(older, pool.Fork(w, job, 3))
				if got := caught(func() { call(w) }); got != any(value) {
					r.Report("P2", "%s panicked with %v, want %v", name, got, value)
				}
				for i, f := range slices.Backward(older) {
					n := -1
					if got := caught(func() { n = f.Join(w) }); got != nil || n != i+1 {
						r.Report("P1", "%s has panicked; Join of a fork from before, number %d, panics with %v, or returns %d, want %d", name, i+1, got, n, i+1)
						break
					}
				}
				return 0
			})
			r.Check(ran.Load() == 3, "P1", "of 3 forks from before a panic of %s, which were joined after it, %d have run", name, ran.Load())
		}
	}
	fullWidth(r, p)
}

// panicWithNil has jobs panic with nil, in a program that allows that, and others call
// Goexit: recover returns nil in both cases.
func panicWithNil(r *run, p *pool.Pool) {
	r.T.Setenv("GODEBUG", os.Getenv("GODEBUG")+",panicnil=1")
	r.During("P2", "Wait returns for jobs that panic with nil, and for jobs that call Goexit")
	for range 5 {
		_, err := submit(r, p, func(*pool.Worker) int { panic(nil) }).Wait(background)
		e, ok := err.(*pool.PanicError)
		r.Check(ok && e.Value == nil, "P2", "Wait for a job that has panicked with nil returned %T (%v), want a *pool.PanicError with that value", err, err)
		_, err = submit(r, p, func(*pool.Worker) int { runtime.Goexit(); return 0 }).Wait(background)
		r.Check(err == pool.ErrGoexit, "P3", "Wait for a job that has called Goexit returned %v, want ErrGoexit", err)
	}
	fullWidth(r, p)
}

// panicUncomparable has forks that another worker has taken panic with values that no
// comparison may touch, of types that can be compared and of one that cannot. The pool
// has a handler of panics, so that Run itself looks at what passes.
func (s poolSuite) panicUncomparable(r *run) {
	type inner struct{ any }
	for _, value := range []any{[]int{1}, inner{[]int{1}}, [1]any{[]int{1}}, inner{inner{func() {}}}} {
		p := s.start(r, 2, pool.WithPanicHandler(func(*pool.PanicError) {}))
		borrowedAll(r, p) // so that Run need not be queued, if workers can be borrowed
		r.During("P2", "Run ends of the panic of a fork, with a value that cannot be compared")
		got := caught(func() {
			enter(r, p, func(w *pool.Worker) int {
				apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { raiseAnother(value) })
				return 0
			})
		})
		r.Check(reflect.TypeOf(got) == reflect.TypeOf(value), "P2", "a fork panics with %T, and the Run that has joined it with %T (%v)", value, got, got)
		s.close(r, p)
	}
}

// passesRunElsewhere has a job run one of another pool, in which the fork panics that
// another worker has taken. The job ends of that, and knows where it was raised.
func (s poolSuite) passesRunElsewhere(r *run) {
	p, q := s.start(r, 1), s.start(r, 2)
	for range 5 {
		value := &thrown{"from beneath"}
		h := submit(r, p, func(*pool.Worker) int {
			n, _ := pool.Run(background, q, func(w *pool.Worker, _ int) int {
				apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { raiseAnother(value) })
				return 0
			}, 0)
			return n
		})
		r.During("P2", "Wait returns for a job in which a Run of another pool panics")
		_, err := h.Wait(background)
		e, ok := err.(*pool.PanicError)
		r.Check(ok && e.Value == any(value), "P2", "a Run of another pool panics in a job: Wait returned %T (%v), want a *pool.PanicError with the value %v", err, err, value)
		r.Check(bytes.Contains(e.Stack, []byte("raiseAnother")), "P2", "a Run of another pool panics in a job, of a fork that another worker had taken: the Stack of the PanicError does not name the function that raised the panic:\n\n%s", e.Stack)
	}
	fullWidth(r, p)
	fullWidth(r, q)
	s.close(r, p)
	s.close(r, q)
}
