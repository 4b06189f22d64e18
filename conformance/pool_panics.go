package conformance

import (
	"bytes"
	"errors"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

var poolPanics = []poolCase{
	{"Panic/first", "P2", 2, func(r *run, p *pool.Pool) { panicInJoin(r, p, true, false) }},
	{"Panic/second", "P2", 2, func(r *run, p *pool.Pool) { panicInJoin(r, p, false, true) }},
	{"Panic/both", "P2", 2, func(r *run, p *pool.Pool) { panicInJoin(r, p, true, true) }},
	{"Panic/first_stolen", "P2", 2, func(r *run, p *pool.Pool) { panicApart(r, p, true, false) }},
	{"Panic/second_stolen", "P2", 2, func(r *run, p *pool.Pool) { panicApart(r, p, false, true) }},
	{"Panic/both_stolen", "P2", 2, func(r *run, p *pool.Pool) { panicApart(r, p, true, true) }},
	{"Panic/forks_below", "P2", 2, panicForksBelow},
	{"Panic/edge_of_Run", "P2", 2, panicAtEdge},
	{"Panic/edge_of_Run_stolen", "P2", 2, panicAtEdgeStolen},
	{"Panic/Wait", "P2", 2, panicInWait},
	{"Panic/scope_body", "P2", 2, panicInScopeBody},
	{"Panic/scope_spawned", "P2", 2, panicInSpawned},
	{"Panic/scope_both", "P2", 2, panicInBodyAndSpawned},
	{"Panic/nested_scope_spawn", "P2", 2, panicInNestedSpawn},
	{"Panic/recovered_inside", "P2", 2, panicRecoveredInside},
	{"Panic/while_panicking", "P12", 2, panicWhilePanicking},
	{"Panic/join_while_panicking", "P12", 2, joinWhilePanicking},
}

// A thrown is a value to panic with. It is a pointer, so that it can be told
// from any other.
type thrown struct{ what string }

func (e *thrown) Error() string { return e.what }

// caught runs f and returns what it panicked with.
func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// A side is one of two siblings. It notes how far it has come.
type side struct {
	begun, ended atomic.Int32
	panics       *thrown
}

func (s *side) run(*pool.Worker) int {
	s.begun.Add(1)
	defer s.ended.Add(1)
	runtime.Gosched()
	if s.panics != nil {
		panic(s.panics)
	}
	return 0
}

// settled reports whether the side has finished or not begun.
func (s *side) settled() bool { return s.begun.Load() == s.ended.Load() }

func sides(first, second bool) (a, b *side) {
	a, b = new(side), new(side)
	if first {
		a.panics = &thrown{"first"}
	}
	if second {
		b.panics = &thrown{"second"}
	}
	return a, b
}

// blame checks what a join of the two sides panicked with. The first side's
// panic is the one that a sequential program would see.
func blame(r *run, got any, a, b *side) {
	want := a.panics
	if want == nil {
		want = b.panics
	}
	if got != any(want) {
		r.Report("P2", "recovered %v, want the value of the panic, %v", got, want)
	}
	if !a.settled() || !b.settled() {
		r.Report("P2", "a panic has left a join while its sibling was running")
	}
}

// panicInJoin lets one side or both panic, wherever they happen to run.
func panicInJoin(r *run, p *pool.Pool, first, second bool) {
	for round := 0; r.More(round, 50); round++ {
		a, b := sides(first, second)
		begun := enter(r, p, func(w *pool.Worker) int32 {
			got := caught(func() { pool.Both(w, a.run, b.run) })
			blame(r, got, a, b)
			return b.begun.Load()
		})
		r.Check(b.begun.Load() == begun, "P2", "a sibling began after the panic had left the join")
	}
	fullWidth(r, p)
}

// panicApart lets one side or both panic while they run on different workers.
func panicApart(r *run, p *pool.Pool, first, second bool) {
	for range 10 {
		a, b := sides(first, second)
		enter(r, p, func(w *pool.Worker) int {
			got := caught(func() {
				apart(r, w, func(w *pool.Worker) { a.run(w) }, func(w *pool.Worker) { b.run(w) })
			})
			blame(r, got, a, b)
			if b.begun.Load() != 1 {
				r.Report("P2", "the stolen side has begun %d times", b.begun.Load())
			}
			return 0
		})
	}
	fullWidth(r, p)
}

// panicForksBelow panics with several forks pending, some of them taken, in a
// fork that may run in place. The panic is recovered where it leaves a join of
// two functions or a scope, or else by the very job that joins the fork.
func panicForksBelow(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 30); round++ {
		value := &thrown{"with forks below"}
		var s [8]side
		fork := func(w *pool.Worker) int {
			return pool.Fork(w, func(w *pool.Worker, _ int) int {
				for i := range s {
					pool.Fork(w, func(w *pool.Worker, i int) int { return s[i].run(w) }, i)
					harness.Pause(harness.NewRNG())
				}
				panic(value)
			}, 0).Join(w)
		}
		settled := func(where string) {
			for i := range s {
				if !s[i].settled() {
					r.Report("P2", "a panic has left %s while a fork of that job was running", where)
				}
			}
		}
		var begun int32
		enter(r, p, func(w *pool.Worker) int {
			got := caught(func() {
				switch round % 3 {
				case 0:
					pool.Both(w, fork, func(*pool.Worker) int { return 0 })
				case 1:
					w.Scope(func(w *pool.Worker, _ *pool.Scope) { fork(w) })
				case 2:
					fork(w)
				}
			})
			if got != any(value) {
				r.Report("P2", "recovered %v, want the value of the panic, %v", got, value)
			}
			if round%3 != 2 {
				settled("a Both or a Scope")
			}
			begun = begunOf(s[:])
			if fib := fib(w, 5); fib != 5 {
				r.Report("P2", "after a panic, fib(5) is %d", fib)
			}
			return 0
		})
		settled("the job that recovers it, which has ended,")
		if round%3 == 2 {
			begun = begunOf(s[:])
		}
		fib := enter(r, p, func(w *pool.Worker) int { return fib(w, 5) })
		r.Check(fib == 5, "P2", "after a panic, fib(5) is %d", fib)
		r.Check(begunOf(s[:]) == begun, "P2", "a fork began after the panic had left a Both, a Scope, or the job that recovers it")
	}
	fullWidth(r, p)
}

func begunOf(s []side) (n int32) {
	for i := range s {
		n += s[i].begun.Load()
	}
	return n
}

// raiseIt is a function whose name must be found in a stack.
//
//go:noinline
func raiseIt(value any) int { panic(value) }

// failed checks what Wait or Join has returned for a job that panicked.
func failed(r *run, what string, got error, value *thrown) {
	r.T.Helper()
	e, ok := got.(*pool.PanicError)
	r.Check(ok, "P2", "%s: got %T (%v), want a *pool.PanicError", what, got, got)
	r.Check(e.Value == any(value), "P2", "%s: the Value of the PanicError is %v, want %v", what, e.Value, value)
	r.Check(errors.Is(e, value), "P2", "%s: the PanicError does not unwrap to its value, which is an error", what)
	r.Check(bytes.Contains(e.Stack, []byte("raiseIt")), "P2", "%s: the Stack of the PanicError does not name the function that panicked:\n%s", what, e.Stack)
}

// edge checks what has come out of Run.
func edge(r *run, what string, got any, value *thrown) {
	r.T.Helper()
	r.Check(got == any(value), "P2", "%s: recovered %T (%v), want the value of the panic, %v", what, got, got, value)
}

func panicAtEdge(r *run, p *pool.Pool) {
	value := &thrown{"at the edge"}
	got := caught(func() { enter(r, p, func(*pool.Worker) int { return raiseIt(value) }) })
	edge(r, "Run", got, value)
	got = caught(func() {
		enter(r, p, func(w *pool.Worker) int {
			_, n := pool.Both(w, func(*pool.Worker) int { return 0 }, func(*pool.Worker) int { return raiseIt(value) })
			return n
		})
	})
	edge(r, "Run, out of a Both", got, value)
	// The same from the queue, with all seats taken.
	free := blockWorkers(r, p, p.Workers())
	caughtQueued := make(chan any, 1)
	go func() {
		caughtQueued <- caught(func() {
			pool.Run(background, p, func(*pool.Worker, int) int { return raiseIt(value) }, 0)
		})
	}()
	free()
	edge(r, "Run, called when no seat was free", <-caughtQueued, value)
	fullWidth(r, p)
}

func panicAtEdgeStolen(r *run, p *pool.Pool) {
	value := &thrown{"stolen"}
	got := caught(func() {
		enter(r, p, func(w *pool.Worker) int {
			apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { raiseIt(value) })
			return 0
		})
	})
	edge(r, "Run, out of a stolen fork", got, value)
	fullWidth(r, p)
}

func panicInWait(r *run, p *pool.Pool) {
	value := &thrown{"submitted"}
	h := submit(r, p, func(*pool.Worker) int { return raiseIt(value) })
	for range 2 {
		_, err := h.Wait(background)
		failed(r, "Wait", err, value)
	}
	enter(r, p, func(w *pool.Worker) int {
		_, err := h.Join(w)
		failed(r, "Handle.Join", err, value)
		return 0
	})
	fullWidth(r, p)
}

func panicInScopeBody(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 20); round++ {
		value := &thrown{"body"}
		var ran atomic.Int32
		enter(r, p, func(w *pool.Worker) int {
			got := caught(func() {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					for range 10 {
						s.Spawn(w, func(*pool.Worker) { runtime.Gosched(); ran.Add(1) })
					}
					panic(value)
				})
			})
			if got != any(value) || ran.Load() != 10 {
				r.Report("P2", "a panic in the body of a scope: recovered %v with %d of 10 spawned jobs done, want %v and all", got, ran.Load(), value)
			}
			return 0
		})
	}
	fullWidth(r, p)
}

func panicInSpawned(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 20); round++ {
		value := &thrown{"spawned"}
		var ran atomic.Int32
		enter(r, p, func(w *pool.Worker) int {
			got := caught(func() {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					for i := range 10 {
						s.Spawn(w, func(*pool.Worker) {
							defer ran.Add(1)
							if i == 5 {
								panic(value)
							}
							runtime.Gosched()
						})
					}
				})
			})
			if got != any(value) || ran.Load() != 10 {
				r.Report("P2", "a panic in a spawned job: recovered %v with %d of 10 jobs done, want %v and all", got, ran.Load(), value)
			}
			return 0
		})
	}
	fullWidth(r, p)
}

func panicInNestedSpawn(r *run, p *pool.Pool) {
	value := &thrown{"deep down"}
	enter(r, p, func(w *pool.Worker) int {
		got := caught(func() {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				s.Spawn(w, func(w *pool.Worker) {
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						s.Spawn(w, func(w *pool.Worker) {
							s.Spawn(w, func(*pool.Worker) { panic(value) })
						})
					})
				})
			})
		})
		if got != any(value) {
			r.Report("P2", "recovered %v from nested scopes, want %v", got, value)
		}
		return 0
	})
	fullWidth(r, p)
}

// panicRecoveredInside panics and recovers in every job of a tree.
func panicRecoveredInside(r *run, p *pool.Pool) {
	var node func(w *pool.Worker, n int) int
	node = func(w *pool.Worker, n int) int {
		if n == 0 {
			panic(&thrown{"leaf"})
		}
		f := pool.Fork(w, node, n-1)
		left := caught(func() { node(w, n-1) })
		right := caught(func() { f.Join(w) })
		if left == nil || right == nil {
			r.Report("P2", "of two panicking jobs, only %v and %v were recovered", left, right)
		}
		panic(&thrown{"node"})
	}
	for range 5 {
		got := caught(func() { pool.Run(background, p, node, 8) })
		_, ok := got.(*thrown)
		r.Check(ok, "P2", "Run panicked with %v, want the value of a job's panic", got)
	}
	fullWidth(r, p)
}

func panicWhilePanicking(r *run, p *pool.Pool) {
	second := &thrown{"second"}
	enter(r, p, func(w *pool.Worker) int {
		f := pool.Fork(w, func(w *pool.Worker, _ int) int {
			defer func() { panic(second) }()
			panic(&thrown{"first"})
		}, 0)
		got := caught(func() { f.Join(w) })
		if got != any(second) {
			r.Report("P12", "recovered %v, want the panic of the deferred function, %v", got, second)
		}
		return 0
	})
	got := caught(func() {
		enter(r, p, func(w *pool.Worker) int {
			defer func() { panic(second) }()
			return raiseIt(&thrown{"first"})
		})
	})
	r.Check(got == any(second), "P12", "Run panicked with %v, want the panic of the deferred function, %v", got, second)
	fullWidth(r, p)
}

// joinWhilePanicking forks, joins and runs in deferred functions, while a panic
// is on its way.
func joinWhilePanicking(r *run, p *pool.Pool) {
	value := &thrown{"on its way"}
	for range 20 {
		enter(r, p, func(w *pool.Worker) int {
			got := caught(func() {
				defer func() {
					if n := fib(w, 10); n != 55 {
						r.Report("P12", "fib(10) in a deferred function is %d", n)
					}
					inner := caught(func() {
						pool.Both(w, func(*pool.Worker) int { panic(&thrown{"inner"}) }, func(*pool.Worker) int { return 0 })
					})
					if inner == nil {
						r.Report("P12", "a panic in a deferred function was lost")
					}
					n, err := pool.Run(pool.NewContext(background, w), p, fib, 5)
					if n != 5 || err != nil {
						r.Report("P12", "Run in a deferred function returned %d, %v", n, err)
					}
				}()
				panic(value)
			})
			if got != any(value) {
				r.Report("P12", "recovered %v, want the panic that was on its way, %v", got, value)
			}
			return 0
		})
	}
	fullWidth(r, p)
}

// panicInBodyAndSpawned has both the body of a scope and a job of it panic, in both
// orders: the panic of the body comes first, as it would in a sequential program.
func panicInBodyAndSpawned(r *run, p *pool.Pool) {
	for round := range 10 {
		body, job := &thrown{"body"}, &thrown{"job"}
		enter(r, p, func(w *pool.Worker) int {
			begun := make(chan struct{})
			got := caught(func() {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					s.Spawn(w, func(*pool.Worker) { close(begun); panic(job) })
					if round%2 == 0 {
						r.Receive(begun) // by the other worker
					}
					panic(body)
				})
			})
			if got != any(body) {
				r.Report("P2", "a scope whose body panics, and so does a job of it, panics with %v, want the value of the body", got)
			}
			return 0
		})
	}
	fullWidth(r, p)
}
