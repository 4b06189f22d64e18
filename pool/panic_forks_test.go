package pool_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// leftovers watches forks that a panic leaves behind.
type leftovers struct {
	running, late atomic.Int32
	over          atomic.Bool
}

// leave panics with two forks pending, one of them taken.
func (l *leftovers) leave(t testing.TB, w *pool.Worker) int {
	child := func(w *pool.Worker) int {
		l.running.Add(1)
		defer l.running.Add(-1)
		if l.over.Load() {
			l.late.Add(1)
		}
		return fib(w, 12)
	}
	stolen(t, w, child)
	fork(w, child)
	return raiser(w)
}

// A panic leaves Both, Scope, Run or a stolen fork only when what was forked inside has ended or
// will never start; and the job that has recovered it from another place ends then. Forks from before,
// whether others can see them or not, are none of it.
func TestPanicWaitsForSiblings(t *testing.T) {
	p := poolOf(t, 3)
	for _, c := range places {
		subtest(t, c.name, "P2", "a panic leaves when its forks have ended, or the job does", func(t *testing.T) {
			for round := range 20 {
				var l leftovers
				over := func() {
					l.over.Store(true)
					expect(t, l.running.Load() == 0,
						"P2: the panic, or the job, has left while %d forks still run", l.running.Load())
				}
				var ran atomic.Int32
				job := func(w *pool.Worker, n int) int { ran.Add(1); return fib(w, 10) + n }
				do(t, p, func(w *pool.Worker) {
					older := []pool.Forked[int, int]{pool.Fork(w, job, 1), pool.Fork(w, job, 2)}
					w.Block(func() {}) // others can see these from here on
					older = append(older, pool.Fork(w, job, 3))
					v := recovered(func() {
						c.call(t, w, func(w *pool.Worker) int {
							if round%4 == 0 {
								return raiser(w) // when nothing was forked inside
							}
							return fork(w, func(w *pool.Worker) int { return l.leave(t, w) }).Join(w)
						})
					})
					equal(t, v, any(errBoom), "P2: what is recovered is")
					if c.waits {
						over()
					}
					for i, f := range slices.Backward(older) {
						n := -1
						got := recovered(func() { n = f.Join(w) })
						expect(t, got == nil && n == 55+i+1,
							"P1: Join of a fork from before, number %d, panics with %v, or returns %d", i+1, got, n)
					}
					equal(t, fib(w, 10), 55, "P2: after the panic fib(10) is")
				})
				over()
				equal(t, ran.Load(), 3, "P1: of 3 forks from before a panic, joined after it, the number that have run is")
				mustRun(t, p, fib, 10)
				expect(t, l.late.Load() == 0,
					"P2: %d forks started after the panic, or the job, had left", l.late.Load())
			}
			meet(t, p)
		})
	}
}

// What is forked within Both or Scope does not outlive their panic, also if
// they join what was forked before them, and so move it.
func TestPanicOverForks(t *testing.T) {
	for name, within := range map[string]func(w *pool.Worker, join func(*pool.Worker), forked body){
		"Both": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			pool.Both(w, func(w *pool.Worker) int { join(w); return raiser(w) }, forked)
		},
		"Scope, joined after the fork": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			w.Scope(func(w *pool.Worker, _ *pool.Scope) { fork(w, forked); join(w); raiser(w) })
		},
		"Scope, joined before the fork": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			w.Scope(func(w *pool.Worker, _ *pool.Scope) { join(w); fork(w, forked); raiser(w) })
		},
		"Scope, panic of a spawned job": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				join(w)
				w.Scope(func(w *pool.Worker, inner *pool.Scope) { // which waits, and runs both
					inner.Spawn(w, func(*pool.Worker) {})
					s.Spawn(w, func(w *pool.Worker) { raiser(w) })
				})
				fork(w, forked)
			})
		},
	} {
		subtest(t, name, "P2", "a panic leaves Both or Scope, which awaits its forks first", func(t *testing.T) {
			over, late := false, false
			do(t, poolOf(t, 1), func(w *pool.Worker) {
				own, old := pool.Fork(w, fib, 4), pool.Fork(w, fib, 5)
				v := recovered(func() {
					within(w, func(w *pool.Worker) { old.Join(w) }, func(*pool.Worker) int { late = over; return 0 })
				})
				over = true
				equal(t, v, any(errBoom), "P2: what is recovered is")
				equal(t, own.Join(w), 3, "P2: fib(4) is")
			})
			expect(t, !late, "P2: a fork started after the panic had left")
		})
	}
}

// Of two functions that panic, the first one's panic is what a sequential program would see, also
// if another worker has the second one; and it leaves Both when neither runs.
func TestPanicOfBoth(t *testing.T) {
	p := poolOf(t, 2)
	for _, c := range []struct{ first, second, taken bool }{
		{true, false, false}, {false, true, false}, {true, true, false}, {true, false, true}, {false, true, true}, {true, true, true},
	} {
		subtest(t, fmt.Sprintf("%+v", c), "P2", "a panic leaves Both", func(t *testing.T) {
			for range 20 {
				values := [2]*thrown{{"first"}, {"second"}}
				var running atomic.Int32
				var begun [2]atomic.Bool
				side := func(n int, panics bool) body {
					return func(w *pool.Worker) int {
						running.Add(1)
						defer running.Add(-1)
						begun[n].Store(true)
						if n == 0 && c.taken {
							untilStolen(t, w, &begun[1])
						}
						if panics {
							panic(values[n])
						}
						return 0
					}
				}
				want := values[0]
				if !c.first {
					want = values[1]
				}
				var has bool
				do(t, p, func(w *pool.Worker) {
					got := recovered(func() { pool.Both(w, side(0, c.first), side(1, c.second)) })
					expect(t, got == any(want) && running.Load() == 0,
						"P2: a panic has left Both as %v, want %v, while %d of its functions run", got, want, running.Load())
					has = begun[1].Load()
				})
				expect(t, begun[1].Load() == has, "P2: the second function began after the panic had left Both")
			}
			meet(t, p)
		})
	}
}

// Of the panics of a scope that of the body counts, as in a sequential program, and then the
// first one in time. All jobs run.
func TestPanicOfScope(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := poolOf(t, workers)
		for _, inBody := range []bool{false, true} {
			subtest(t, fmt.Sprintf("workers=%d/body=%t", workers, inBody), "P2", "a panic leaves a scope", func(t *testing.T) {
				for round := range 20 {
					body := &thrown{"body"}
					var mu sync.Mutex
					var order []any
					begun := make(chan bool, 10)
					got := recovered(func() {
						do(t, p, func(w *pool.Worker) {
							w.Scope(func(w *pool.Worker, s *pool.Scope) {
								for i := range 10 {
									s.Spawn(w, func(*pool.Worker) {
										mu.Lock()
										defer mu.Unlock()
										begun <- true
										if value := (&thrown{fmt.Sprint(i)}); i%3 == 0 {
											order = append(order, value)
											panic(value)
										}
									})
								}
								if inBody {
									if workers > 1 && round%2 == 0 {
										<-begun // by the other worker
									}
									panic(body)
								}
							})
						})
					})
					check(t, len(order) == 4, "P1: of 4 jobs of a scope that panic, %d have run", len(order))
					wants := order
					switch {
					case inBody:
						wants = []any{body}
					case workers == 1:
						wants = order[:1]
					}
					expect(t, slices.Contains(wants, got),
						"P2: Scope panicked with %v; its jobs panicked, one after the other, with %v, and its body: %t", got, order, inBody)
				}
				meet(t, p)
			})
		}
	}
}

// A panic while a panic is being handled: a deferred call of the job forks,
// and one of the forks panics too.
func TestPanicWhilePanicking(t *testing.T) {
	what := "Run ends whose deferred call forks, and panics, while a panic passes"
	eachMode(t, "P12", what, func(t *testing.T, p *pool.Pool) {
		second := errors.New("second")
		v := recovered(func() {
			do(t, p, func(w *pool.Worker) {
				defer func() {
					equal(t, fib(w, 10), 55, "P12: fib(10) in a deferred call is")
					inner := recovered(func() { pool.Both(w, func(*pool.Worker) int { panic("inner") }, nothing) })
					equal(t, inner, any("inner"), "P12: what is recovered of another panic in a deferred call is")
					fork(w, func(*pool.Worker) int { panic(second) }).Join(w)
				}()
				raiser(w)
			})
		})
		equal(t, v, any(second), "P12: Run panicked with")
		equal(t, mustRun(t, p, fib, 10), 55, "P12: afterwards fib(10) is")
	})
}
