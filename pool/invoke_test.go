package pool_test

import (
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

func invokeFib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	x, y := pool.Invoke(w, invokeFib, n-1, invokeFib, n-2)
	return x + y
}

func TestInvokeTwoTypes(t *testing.T) {
	eachMode(t, "P1", "Invoke returns both results", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			for i := range 100 {
				n, s := pool.Invoke(w, fib, 10, func(_ *pool.Worker, i int) string { return strconv.Itoa(i) }, i)
				m, u := pool.Both(w, func(w *pool.Worker) int { return fib(w, 10) }, func(*pool.Worker) string { return strconv.Itoa(i) })
				if n != 55 || s != strconv.Itoa(i) || m != n || u != s {
					t.Errorf("P1: Invoke returned %d and %q, and Both %d and %q, want 55 and %q", n, s, m, u, strconv.Itoa(i))
				}
			}
			return 0
		}, 0)
	})
}

// Neither function's forks outlive Invoke, joined or not.
func TestInvokeSettles(t *testing.T) {
	eachMode(t, "P1", "Invoke runs, or awaits, the forks that its functions have left", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		var ran atomic.Int32
		leaf := func(*pool.Worker, int) int { ran.Add(1); return 0 }
		leave := func(w *pool.Worker, forks int) int {
			for range forks {
				pool.Fork(w, leaf, 0)
			}
			return forks
		}
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			for range 50 {
				own := pool.Fork(w, fib, 10)
				ran.Store(0)
				x, y := pool.Invoke(w, leave, 2, leave, 3)
				if n := ran.Load(); x != 2 || y != 3 || n != 5 {
					t.Errorf("P1: Invoke returned %d and %d after %d forks were run, want 2 and 3, and 5", x, y, n)
				}
				for name, call := range map[string]func(){
					"Invoke, by its first function,":  func() { pool.Invoke(w, leave, 1, leave, 0) },
					"Invoke, by its second function,": func() { pool.Invoke(w, leave, 0, leave, 1) },
					"Both, by its first function,": func() {
						pool.Both(w, func(w *pool.Worker) int { return leave(w, 1) }, func(*pool.Worker) int { return 0 })
					},
					"Both, by its second function,": func() {
						pool.Both(w, func(*pool.Worker) int { return 0 }, func(w *pool.Worker) int { return leave(w, 1) })
					},
					"the Join of a fork": func() { pool.Fork(w, leave, 1).Join(w) },
				} {
					ran.Store(0)
					call()
					if n := ran.Load(); n != 1 {
						t.Errorf("P1: %s left a fork, which had run %d times when it returned", name, n)
					}
				}
				if got := own.Join(w); got != 55 {
					t.Errorf("P1: fib(10) = %d", got)
				}
			}
			if d := w.Depth(); d != 0 {
				t.Errorf("Cost: %d slots are in use in the end", d)
			}
			return 0
		}, 0)
	})
}

// A function that is called here may join what was forked before.
func TestJoinedWithin(t *testing.T) {
	eachMode(t, "P1", "forks are joined in a function that was called after them, by Invoke or Join", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			for range 50 {
				older, old := pool.Fork(w, fib, 5), pool.Fork(w, fib, 6)
				x, y := pool.Invoke(w, func(w *pool.Worker, _ int) int {
					pool.Fork(w, fib, 3)
					return older.Join(w)
				}, 0, fib, 7)
				if x != 5 || y != 13 {
					t.Errorf("P1: Invoke returned %d and %d, want 5 and 13", x, y)
				}
				x, y = pool.Both(w, func(w *pool.Worker) int { return old.Join(w) }, func(w *pool.Worker) int { return fib(w, 8) })
				if x != 8 || y != 21 {
					t.Errorf("P1: Join returned %d and %d, want 8 and 21", x, y)
				}
			}
			if d := w.Depth(); d != 0 {
				t.Errorf("Cost: %d slots are in use in the end", d)
			}
			return 0
		}, 0)
	})
}

// What is forked within Join or Scope does not outlive their panic, also if
// they join what was forked before them, and so move it.
func TestPanicOverForks(t *testing.T) {
	type body = func(w *pool.Worker) int
	fork := func(w *pool.Worker, fn body) { pool.Fork(w, func(w *pool.Worker, _ int) int { return fn(w) }, 0) }
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
		subtest(t, name, "P2", "a panic leaves Join or Scope, which awaits its forks first", func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(1))
			late := false
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				own, old := pool.Fork(w, fib, 4), pool.Fork(w, fib, 5)
				over := false
				v := recovered(func() {
					within(w, func(w *pool.Worker) { old.Join(w) }, func(*pool.Worker) int { late = over; return 0 })
				})
				over = true
				if v != errBoom {
					t.Errorf("P2: recovered %v, want the value of the panic", v)
				}
				if got := own.Join(w); got != 3 {
					t.Errorf("P2: fib(4) = %d", got)
				}
				return 0
			}, 0)
			if late {
				t.Error("P2: a fork started after the panic had left")
			}
		})
	}
}

// A panic leaves Invoke, and no fork from before.
func TestInvokePanics(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	during(t, "P2", "a panic leaves Invoke", func() {
		raise := func(w *pool.Worker, _ int) int { return raiser(w) }
		for range 20 {
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				own := pool.Fork(w, fib, 10)
				for which, invoke := range []func(){
					func() { pool.Invoke(w, raise, 0, fib, 12) }, func() { pool.Invoke(w, fib, 12, raise, 0) },
				} {
					if v := recovered(invoke); v != errBoom {
						t.Errorf("P2: functions of Invoke panic, case %d: recovered %v", which, v)
					}
				}
				if got := own.Join(w) + fib(w, 10); got != 110 {
					t.Errorf("P2: after the panics, twice fib(10) is %d", got)
				}
				return 0
			}, 0)
		}
		meet(t, p)
	})
}
