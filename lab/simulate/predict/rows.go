package predict

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

const (
	ns = simulate.Nanosecond
	µs = simulate.Microsecond
)

// A Row is one program of one size.
type Row struct {
	Name  string
	About string // one line
	cost  cost
	// plain does the work without a pool, pool on one. Both return answer.
	plain  func() uint64
	pool   func(*pool.Pool) (uint64, error)
	answer uint64
}

// rows has what makes each row, in the order of tables. They have 10 ms of work and more,
// except submit, since 64 workers take 0.1 ms to wake. Quick ones have less.
var rows = []struct {
	name string
	make func(quick bool) *Row
}{
	{"fib", func(quick bool) *Row { return fibRow(of(quick, 27, 33)) }},
	{"flat", func(quick bool) *Row { return flatRow(of(quick, 256, 1024), 50*µs) }},
	{"scope", func(quick bool) *Row { return scopeRow(of(quick, 256, 1024), 50*µs) }},
	{"spawns", func(quick bool) *Row { return spawnsRow(of(quick, 12, 15), µs) }},
	{"loop", func(quick bool) *Row { return loopRow(of(quick, 1<<12, 1<<15), µs) }},
	{"submit", func(quick bool) *Row { return submitRow(8, of(quick, 50, 250), µs) }},
}

func of[T any](quick bool, small, full T) T {
	if quick {
		return small
	}
	return full
}

// Rows returns the rows of the given names, or all if there are none.
func Rows(quick bool, names ...string) (made []*Row, err error) {
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("unknown workload %q; there are: %s", name, strings.Join(Names(), ", "))
		}
	}
	for _, r := range rows {
		if len(names) == 0 || slices.Contains(names, r.name) {
			row := r.make(quick)
			row.Name = r.name
			made = append(made, row)
		}
	}
	return made, nil
}

// Names returns the names of all rows.
func Names() (names []string) {
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}

// A cost is the work and the span of a piece of a program: how long it takes one worker,
// and how long it takes any number of them.
type cost struct{ work, span simulate.Time }

// step is the cost of a piece that forks nothing.
func step(d simulate.Time) cost { return cost{d, d} }

// then is the cost of a piece and another one after it.
func (c cost) then(next cost) cost { return cost{c.work + next.work, c.span + next.span} }

// beside is the cost of two pieces that may run at the same time.
func (c cost) beside(other cost) cost { return cost{c.work + other.work, max(c.span, other.span)} }

// copies is the cost of n such pieces that may run at the same time.
func (c cost) copies(n int) cost { return cost{c.work * simulate.Time(n), c.span} }

// bound is Graham's: the time that a greedy schedule takes at most.
func (c cost) bound(workers int) simulate.Time {
	return c.span + (c.work-c.span)/simulate.Time(workers)
}

func (c cost) parallelism() float64 { return float64(c.work) / float64(c.span) }

// fibCall is what a call of plain fib takes: go -C lab run ./cmd/lab bench --workload fib.
// forking is what a program takes for itself between two forks: assumed.
const (
	fibCall = 1400 * ns / 1000
	forking = 2 * ns
)

func fibRow(n int) *Row {
	last, c := step(fibCall), step(fibCall) // of n-1 and n
	for range n - 1 {
		last, c = c, step(fibCall).then(c.beside(last))
	}
	return &Row{
		About: fmt.Sprintf("fib(%d), a fork at every call", n), cost: c, answer: fib(n),
		plain: func() uint64 { return fib(n) }, pool: onPool(forkFib, n),
	}
}

func fib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return fib(n-1) + fib(n-2)
}

func forkFib(w *pool.Worker, n int) uint64 {
	simulate.Own(fibCall)
	if n < 2 {
		return uint64(n)
	}
	x, y := pool.Invoke(w, forkFib, n-1, forkFib, n-2)
	return x + y
}

func onPool[A any](f func(*pool.Worker, A) uint64, arg A) func(*pool.Pool) (uint64, error) {
	return func(p *pool.Pool) (uint64, error) { return pool.Run(context.Background(), p, f, arg) }
}

// leaves is a row of n leaves that each take as long.
func leaves(about string, n int, each simulate.Time, c cost, run func(*pool.Pool) (uint64, error)) *Row {
	return &Row{
		About: fmt.Sprintf("%d %s", n, about), cost: c, pool: run, answer: uint64(n),
		plain: func() uint64 {
			for range n {
				simulate.Work(each)
			}
			return uint64(n)
		},
	}
}

// inALoop is the cost of n leaves that one worker forks.
func inALoop(n int, each simulate.Time) cost {
	return step(forking * simulate.Time(n)).then(step(each).copies(n))
}

func flatRow(n int, each simulate.Time) *Row {
	return leaves("leaves of 50 µs, forked in a loop, the newest joined first", n, each, inALoop(n, each),
		onPool(func(w *pool.Worker, n int) (total uint64) {
			forks := make([]pool.Forked[simulate.Time, uint64], n)
			for i := range forks {
				simulate.Own(forking)
				forks[i] = pool.Fork(w, leaf, each)
			}
			for _, f := range slices.Backward(forks) {
				total += f.Join(w)
			}
			return total
		}, n))
}

func leaf(_ *pool.Worker, d simulate.Time) uint64 {
	simulate.Work(d)
	return 1
}

func scopeRow(n int, each simulate.Time) *Row {
	return leaves("jobs of 50 µs in one scope, spawned in a loop", n, each, inALoop(n, each),
		onPool(func(w *pool.Worker, n int) uint64 {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				for range n {
					simulate.Own(forking)
					s.Spawn(w, func(*pool.Worker) { simulate.Work(each) })
				}
			})
			return uint64(n)
		}, n))
}

// spawnsRow spawns a complete binary tree of jobs in one scope. So all workers spawn, where
// in the row scope only one does.
func spawnsRow(levels int, each simulate.Time) *Row {
	c := step(each)
	for range levels - 1 {
		c = step(each).then(step(forking)).then(c.beside(step(forking).then(c)))
	}
	jobs := 1<<levels - 1
	return leaves("jobs of 1 µs in one scope, each spawns two more", jobs, each, c,
		onPool(func(w *pool.Worker, levels int) uint64 {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				job := func(*pool.Worker) { simulate.Work(each) }
				for range levels - 1 {
					child := job
					job = func(w *pool.Worker) {
						simulate.Work(each)
						for range 2 {
							simulate.Own(forking)
							s.Spawn(w, child)
						}
					}
				}
				job(w)
			})
			return 1<<levels - 1
		}, levels))
}

func loopRow(n int, each simulate.Time) *Row {
	return leaves("elements of 1 µs, one call of par.For", n, each, step(each).copies(n),
		func(p *pool.Pool) (uint64, error) {
			par.For(n, func(int) { simulate.Work(each) }, par.On(p))
			return uint64(n), nil
		})
}

func submitRow(callers, jobs int, each simulate.Time) *Row {
	n := callers * jobs
	return leaves(fmt.Sprintf("jobs of 1 µs, submitted by %d callers, which then wait for all", callers), n, each, step(each).copies(n),
		func(p *pool.Pool) (total uint64, err error) {
			handles := make([]*pool.Handle[uint64], n)
			var all prim.WaitGroup
			for from := 0; from < n; from += jobs {
				all.Go(func() {
					for i := range jobs {
						handles[from+i], _ = pool.Submit(p, func(*pool.Worker) uint64 { simulate.Work(each); return 1 })
					}
					for _, h := range handles[from : from+jobs] {
						_, _ = h.Wait(context.Background())
					}
				})
			}
			all.Wait()
			for _, h := range handles {
				one, err := h.Wait(context.Background())
				if err != nil {
					return 0, err
				}
				total += one
			}
			return total, nil
		})
}
