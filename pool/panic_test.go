package pool_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// stolen forks fn and returns when another worker has begun it. The pool must
// have another one.
func stolen[R any](t testing.TB, w *pool.Worker, fn func(*pool.Worker) R) pool.Forked[int, R] {
	t.Helper()
	var begun atomic.Bool
	f := pool.Fork(w, func(w *pool.Worker, _ int) R {
		begun.Store(true)
		return fn(w)
	}, 0)
	until(t, "a fork is stolen", func() bool {
		if !begun.Load() {
			// A worker publishes when it forks.
			pool.Fork(w, func(*pool.Worker, int) int { return 0 }, 0).Join(w)
		}
		return begun.Load()
	})
	return f
}

var errBoom = errors.New("boom")

func raiser(*pool.Worker) int { panic(errBoom) }

func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestPanicTravels(t *testing.T) {
	eachMode(t, "P2", "a panic travels from each place to its caller, and the pool works on", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		forks := map[string]func(w *pool.Worker){
			"fork": func(w *pool.Worker) {
				pool.Fork(w, func(w *pool.Worker, _ int) int { return raiser(w) }, 0).Join(w)
			},
			"both a": func(w *pool.Worker) { pool.Both(w, raiser, func(w *pool.Worker) int { return fib(w, 5) }) },
			"both b": func(w *pool.Worker) { pool.Both(w, func(w *pool.Worker) int { return fib(w, 5) }, raiser) },
			"scope": func(w *pool.Worker) {
				w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(w *pool.Worker) { raiser(w) }) })
			},
			"body": func(w *pool.Worker) { w.Scope(func(w *pool.Worker, s *pool.Scope) { raiser(w) }) },
			"nested scopes": func(w *pool.Worker) {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					s.Spawn(w, func(w *pool.Worker) {
						w.Scope(func(w *pool.Worker, s *pool.Scope) {
							s.Spawn(w, func(w *pool.Worker) { s.Spawn(w, func(w *pool.Worker) { raiser(w) }) })
						})
					})
				})
			},
		}
		if p.Workers() > 1 {
			forks["stolen"] = func(w *pool.Worker) { stolen(t, w, raiser).Join(w) }
		}
		for name, f := range forks {
			subtest(t, name, "P2", "a panic reaches the job that joins, Run and Wait", func(t *testing.T) {
				mustRun(t, p, func(w *pool.Worker, _ int) int {
					if v := recovered(func() { f(w) }); v != errBoom {
						t.Errorf("P2: recovered %v in the job, want the original value", v)
					}
					return fib(w, 5)
				}, 0)
				v := recovered(func() { mustRun(t, p, func(w *pool.Worker, _ int) int { f(w); return 0 }, 0) })
				if v != errBoom {
					t.Fatalf("P2: Run panicked with %v, want the original value", v)
				}
				h := enter(t, p, func(*pool.Worker) *pool.Handle[int] {
					return submitted(t, p, func(w *pool.Worker) int { f(w); return 0 })
				})
				_, first := h.Wait(background)
				_, second := h.Wait(background)
				joined := mustRun(t, p, func(w *pool.Worker, _ int) error { _, err := h.Join(w); return err }, 0)
				for _, err := range []error{first, second, joined} {
					if e := (*pool.PanicError)(nil); !errors.As(err, &e) || e.Value != errBoom || !errors.Is(e, errBoom) || !strings.Contains(string(e.Stack), "raiser") {
						t.Errorf("P2: Wait or Join returned %v, want a PanicError with its stack", err)
					}
				}
			})
		}
		if got := mustRun(t, p, fib, 15); got != 610 {
			t.Errorf("P2: after the panics fib(15) = %d", got)
		}
		meet(t, p)
	})
}

// A panic leaves Join, Scope, Run or a stolen fork only when what was forked
// inside has ended or will never start.
func TestPanicWaitsForSiblings(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	type body = func(w *pool.Worker) int
	inPlace := func(w *pool.Worker, f body) { pool.Fork(w, func(w *pool.Worker, _ int) int { return f(w) }, 0).Join(w) }
	for name, edge := range map[string]func(w *pool.Worker, f body){
		"Both first":  func(w *pool.Worker, f body) { pool.Both(w, f, func(*pool.Worker) int { return 0 }) },
		"Both second": func(w *pool.Worker, f body) { pool.Both(w, func(*pool.Worker) int { return 0 }, f) },
		"Scope body":  func(w *pool.Worker, f body) { w.Scope(func(w *pool.Worker, _ *pool.Scope) { f(w) }) },
		"Scope spawned": func(w *pool.Worker, f body) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(w *pool.Worker) { f(w) }) })
		},
		"Run":    func(w *pool.Worker, f body) { mustRun(t, p, func(w *pool.Worker, _ int) int { return f(w) }, 0) },
		"stolen": func(w *pool.Worker, f body) { stolen(t, w, f).Join(w) },
	} {
		subtest(t, name, "P2", "a panic leaves when its forks have ended", func(t *testing.T) {
			for range 20 {
				var l leftovers
				mustRun(t, p, func(w *pool.Worker, _ int) int {
					v := recovered(func() { edge(w, func(w *pool.Worker) int { inPlace(w, l.leave(t)); return 0 }) })
					if v != errBoom {
						t.Errorf("P2: recovered %v, want the value of the panic", v)
					}
					l.over.Store(true)
					if n := l.running.Load(); n != 0 {
						t.Errorf("P2: the panic has left while %d forks still run", n)
					}
					return fib(w, 10)
				}, 0)
				if n := l.late.Load(); n != 0 {
					t.Errorf("P2: %d forks started after the panic had left", n)
				}
			}
		})
	}
}

// Forks left behind by a panic that the job recovers do not outlive the job.
func TestRecoveredInPlace(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	during(t, "P2", "a job ends that recovered a panic, after the forks which the panic left behind", func() {
		for range 20 {
			var l leftovers
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				own := pool.Fork(w, fib, 10)
				f := pool.Fork(w, func(w *pool.Worker, _ int) int { return l.leave(t)(w) }, 0)
				if v := recovered(func() { f.Join(w) }); v != errBoom {
					t.Errorf("P2: recovered %v, want the value of the panic", v)
				}
				if got := own.Join(w) + fib(w, 10); got != 110 {
					t.Errorf("P2: after the panic, twice fib(10) is %d", got)
				}
				return 0
			}, 0)
			l.over.Store(true)
			if n := l.running.Load(); n != 0 {
				t.Errorf("P2: the job has ended while %d forks that it is to await still run", n)
			}
			mustRun(t, p, fib, 10)
			if n := l.late.Load(); n != 0 {
				t.Errorf("P2: %d forks started after the job had ended", n)
			}
		}
	})
}

// leftovers watches forks that a panic leaves behind.
type leftovers struct {
	running, late atomic.Int32
	over          atomic.Bool
}

// leave returns a job that panics with two forks pending, one of them taken.
func (l *leftovers) leave(t testing.TB) func(w *pool.Worker) int {
	child := func(w *pool.Worker) int {
		l.running.Add(1)
		defer l.running.Add(-1)
		if l.over.Load() {
			l.late.Add(1)
		}
		fib(w, 12)
		return 0
	}
	return func(w *pool.Worker) int {
		stolen(t, w, child)
		pool.Fork(w, func(w *pool.Worker, _ int) int { return child(w) }, 0)
		panic(errBoom)
	}
}

// Of two functions that panic, the first one's panic is what a sequential program would see, also
// if another worker has the second one; and it leaves Both when neither runs.
func TestPanicOfBoth(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	type body = func(w *pool.Worker) int
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
							until(t, "the second function is stolen", func() bool {
								fork(w, func(*pool.Worker) int { return 0 }).Join(w)
								return begun[1].Load()
							})
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
				mustRun(t, p, func(w *pool.Worker, _ int) int {
					got := recovered(func() { pool.Both(w, side(0, c.first), side(1, c.second)) })
					if got != any(want) || running.Load() != 0 {
						t.Errorf("P2: a panic has left Both as %v, want %v, while %d of its functions run", got, want, running.Load())
					}
					has = begun[1].Load()
					return 0
				}, 0)
				if begun[1].Load() != has {
					t.Error("P2: the second function began after the panic had left Both")
				}
			}
			meet(t, p)
		})
	}
}

// Of the panics of a scope that of the body counts, as in a sequential program, and then the
// first one in time. All jobs run.
func TestPanicOfScope(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := newPool(t, pool.WithWorkers(workers))
		for _, inBody := range []bool{false, true} {
			subtest(t, fmt.Sprintf("workers=%d/body=%t", workers, inBody), "P2", "a panic leaves a scope", func(t *testing.T) {
				for round := range 20 {
					body := &thrown{"body"}
					var mu sync.Mutex
					var order []*thrown
					begun := make(chan bool, 10)
					got := recovered(func() {
						enter(t, p, func(w *pool.Worker) int {
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
							return 0
						})
					})
					if len(order) != 4 {
						t.Fatalf("P1: of 4 jobs of a scope that panic, %d have run", len(order))
					}
					wants := []any{order[0], order[1], order[2], order[3]}
					switch {
					case inBody:
						wants = []any{body}
					case workers == 1:
						wants = wants[:1]
					}
					if !slices.Contains(wants, got) {
						t.Errorf("P2: Scope panicked with %v; its jobs panicked, one after the other, with %v, and its body: %t", got, order, inBody)
					}
				}
				meet(t, p)
			})
		}
	}
}

func TestGoexit(t *testing.T) {
	exiter := func(*pool.Worker) int { runtime.Goexit(); return 0 }
	eachMode(t, "P3", "Wait and Run end for jobs that call Goexit", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		for range 10 {
			for name, f := range map[string]func(w *pool.Worker) int{
				"job": exiter,
				"fork": func(w *pool.Worker) int {
					return pool.Fork(w, func(w *pool.Worker, _ int) int { return exiter(w) }, 0).Join(w)
				},
				"both a": func(w *pool.Worker) int {
					r, _ := pool.Both(w, exiter, func(w *pool.Worker) int { return fib(w, 5) })
					return r
				},
				"both b": func(w *pool.Worker) int {
					_, r := pool.Both(w, func(w *pool.Worker) int { return fib(w, 5) }, exiter)
					return r
				},
				"invoke a": func(w *pool.Worker) int {
					r, _ := pool.Invoke(w, func(w *pool.Worker, _ int) int { return exiter(w) }, 0, fib, 5)
					return r
				},
				"invoke b": func(w *pool.Worker) int {
					_, r := pool.Invoke(w, fib, 5, func(w *pool.Worker, _ int) int { return exiter(w) }, 0)
					return r
				},
				"scope": func(w *pool.Worker) int {
					w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(w *pool.Worker) { exiter(w) }) })
					return 0
				},
				"stolen": func(w *pool.Worker) int {
					if p.Workers() == 1 {
						return exiter(w)
					}
					return stolen(t, w, exiter).Join(w)
				},
			} {
				h := submitted(t, p, f)
				if _, err := h.Wait(background); err != pool.ErrGoexit {
					t.Errorf("P3: %s: Wait returned %v, want ErrGoexit", name, err)
				}
				left := make(chan bool)
				go func() {
					returned := false
					defer func() { left <- returned }()
					pool.Run(background, p, func(w *pool.Worker, _ int) int { return f(w) }, 0)
					returned = true
				}()
				if <-left {
					t.Errorf("P3: %s: Run returned, want its caller to exit", name)
				}
			}
		}
		during(t, "P3", "as many jobs meet as there are workers: none was lost to a Goexit", func() { meet(t, p) })
	})
}

// meet runs as many jobs as there are workers, each of which waits for all.
func meet(t *testing.T, p *pool.Pool) {
	var met atomic.Int32
	var handles []*pool.Handle[int]
	for range p.Workers() {
		h := submitted(t, p, func(*pool.Worker) int {
			met.Add(1)
			until(t, "all workers have met", func() bool { return int(met.Load()) == p.Workers() })
			return 0
		})
		handles = append(handles, h)
	}
	for _, h := range handles {
		h.Wait(background)
	}
}

// A panic while a panic is being handled: a deferred call of the job forks,
// and one of the forks panics too.
func TestPanicWhilePanicking(t *testing.T) {
	eachMode(t, "P12", "Run ends whose deferred call forks, and panics, while a panic passes", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		second := errors.New("second")
		v := recovered(func() {
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				defer func() {
					if got := fib(w, 10); got != 55 {
						t.Errorf("P12: fib(10) = %d in a deferred call", got)
					}
					inner := recovered(func() { pool.Both(w, func(*pool.Worker) int { panic("inner") }, func(*pool.Worker) int { return 0 }) })
					if inner != "inner" {
						t.Errorf("P12: in a deferred call %v is recovered of another panic", inner)
					}
					pool.Fork(w, func(*pool.Worker, int) int { panic(second) }, 0).Join(w)
				}()
				panic(errBoom)
			}, 0)
		})
		if v != second {
			t.Errorf("P12: Run panicked with %v, want the panic that replaced the first", v)
		}
		if got := mustRun(t, p, fib, 10); got != 55 {
			t.Errorf("P12: afterwards fib(10) = %d", got)
		}
	})
}

// A panic keeps its value, and its stack where a PanicError has it, on its way
// through a nested Run and a stolen fork of that.
func TestPanicOfNestedRun(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(2)), newPool(t, pool.WithWorkers(2))
	during(t, "P2", "a panic passes through a nested Run to the job that joins", func() {
		for name, nested := range map[string]func(w *pool.Worker) int{
			"run": raiser,
			"stolen in the run": func(w *pool.Worker) int {
				return stolen(t, w, raiser).Join(w)
			},
		} {
			job := func(*pool.Worker) int {
				return mustRun(t, q, func(w *pool.Worker, _ int) int { return nested(w) }, 0)
			}
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				for how, f := range map[string]func(){
					"in place": func() { pool.Fork(w, func(w *pool.Worker, _ int) int { return job(w) }, 0).Join(w) },
					"stolen":   func() { stolen(t, w, job).Join(w) },
				} {
					if v := recovered(f); v != errBoom {
						t.Errorf("P2: %s, %s: got %v, want the original value", name, how, v)
					}
				}
				return 0
			}, 0)
			h := submitted(t, p, job)
			_, err := h.Wait(background)
			if e, ok := err.(*pool.PanicError); !ok || e.Value != errBoom || !strings.Contains(string(e.Stack), "pool_test.raiser(") {
				t.Errorf("P2: %s: Wait returned %v, want a PanicError with the stack of where it was raised", name, err)
			}
		}
	})
}

// A panic that was passed on and recovered must not lend its stack to another
// one with an equal value.
func TestStackOfEqualPanic(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P2", "a stolen fork and a submitted job pass on their panics", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			if v := recovered(func() { stolen(t, w, raiser).Join(w) }); v != errBoom {
				t.Errorf("P2: recovered %v, want the value of the panic", v)
			}
			h := submitted(t, p, func(*pool.Worker) int { panic(errBoom) })
			if _, err := h.Join(w); err == nil || strings.Contains(err.Error(), "raiser") {
				t.Errorf("P2: the stack is that of another panic: %v", err)
			}
			return 0
		}, 0)
	})
}
