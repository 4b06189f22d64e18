package pool_test

import (
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Forks of one slot alternate between types, and between depths.
func TestTypesAlternate(t *testing.T) {
	inJob(t, 1, "P1", "forks of alternating types are joined, with one worker", func(_ *pool.Pool, w *pool.Worker) {
		num := func(_ *pool.Worker, n int) int { return n + 1 }
		str := func(_ *pool.Worker, s string) string { return s + "!" }
		sum, rounds := 0, 0
		allocs := testing.AllocsPerRun(100, func() {
			a := pool.Fork(w, num, 1)
			sum += a.Join(w)
			b := pool.Fork(w, str, "a")
			b.Join(w)
			rounds++
		})
		equal(t, sum, 2*rounds, "P1: the sum of forks beside some of another type is")
		// The string itself.
		expect(t, allocs <= 1,
			"Cost: forks of alternating types allocate %v times each round, want 1 (the result): a slot forgets its frames", allocs)
	})
}

func TestOutOfOrder(t *testing.T) {
	eachMode(t, "P1", "forks are joined in any order", func(t *testing.T, p *pool.Pool) {
		const n = 10
		square := func(w *pool.Worker, i int) int {
			// The join that runs it has moved the forks above. What is wrong then hangs
			// the next fork.
			if err := w.CheckStack(); err != nil {
				t.Errorf("P1: as fork %d begins: %v", i, err)
				return 0
			}
			return fib(w, 5) + i*i - 5
		}
		for _, order := range [][n]int{
			{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
			{9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
			{5, 3, 9, 0, 1, 8, 2, 7, 6, 4},
			{1, 0, 3, 2, 5, 4, 7, 6, 9, 8},
		} {
			do(t, p, func(w *pool.Worker) {
				for range 100 {
					var f [n]pool.Forked[int, int]
					for i := range f {
						f[i] = pool.Fork(w, square, i)
					}
					for _, i := range order {
						equal(t, f[i].Join(w), i*i, "P1: order %v: fork %d gave", order, i)
						if err := w.CheckStack(); err != nil {
							t.Errorf("P1: order %v: after the join of fork %d: %v", order, i, err)
							return
						}
					}
				}
				expect(t, w.Depth() == 0, "Cost: order %v: %d slots in use after all joins, want 0: holes grow", order, w.Depth())
			})
		}
	})
}

// A million forks are pending at once, once: that takes long.
func TestMillionForks(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n /= 8
	}
	if raceEnabled {
		n /= 16
	}
	inJob(t, 2, "P9", "pending forks are joined", func(_ *pool.Pool, w *pool.Worker) {
		forks := make([]pool.Forked[int, int], n)
		for i := range forks {
			forks[i] = pool.Fork(w, func(_ *pool.Worker, i int) int { return i % 1000 }, i)
		}
		equal(t, joinAll(w, forks), n/1000*499500+(n%1000)*(n%1000-1)/2, "P9: the sum of %d forks is", n)
	})
}

// The forks of a function do not outlive the call that has it run, whether they are joined or not.
func TestInvokeSettles(t *testing.T) {
	what := "what calls a function runs, or awaits, the forks that it has left"
	eachMode(t, "P1", what, func(t *testing.T, p *pool.Pool) {
		var ran atomic.Int32
		leave := func(w *pool.Worker, forks int) int {
			for range forks {
				fork(w, func(*pool.Worker) int { ran.Add(1); return 0 })
			}
			return forks
		}
		do(t, p, func(w *pool.Worker) {
			for range 20 {
				own := pool.Fork(w, fib, 10)
				ran.Store(0)
				x, y := pool.Invoke(w, leave, 2, leave, 3)
				expect(t, x == 2 && y == 3 && ran.Load() == 5,
					"P1: Invoke returned %d and %d after %d forks were run, want 2 and 3, and 5", x, y, ran.Load())
				pool.Invoke(w, leave, 0, leave, 1)
				equal(t, ran.Load(), 6,
					"P1: when the second function of Invoke had left a fork, and that returned, of six had run")
				for _, c := range places[1:] {
					if c.workers <= p.Workers() && c.name != "body of a scope" { // whose forks are the job's own
						ran.Store(0)
						c.call(t, w, func(w *pool.Worker) int { return leave(w, 1) })
						equal(t, ran.Load(), 1,
							"P1: %s left a fork, and when it returned that had run so many times:", c.name)
					}
				}
				equal(t, own.Join(w), 55, "P1: fib(10) is")
			}
			expect(t, w.Depth() == 0, "Cost: %d slots are in use in the end", w.Depth())
		})
	})
}

// Forks of any type give what their functions return, by each way to fork, and also if they are joined
// in a function that was called after them.
func TestForks(t *testing.T) {
	eachMode(t, "P1", "forks are joined, and Invoke and Both return", func(t *testing.T, p *pool.Pool) {
		do(t, p, func(w *pool.Worker) {
			for i := range 50 {
				older, old, want := pool.Fork(w, fib, 5), pool.Fork(w, fib, 6), strconv.Itoa(13+i)
				x, s := pool.Invoke(w, func(w *pool.Worker, _ int) int {
					pool.Fork(w, fib, 3)
					return older.Join(w)
				}, 0, func(w *pool.Worker, i int) string { return strconv.Itoa(fib(w, 7) + i) }, i)
				expect(t, x == 5 && s == want, "P1: Invoke returned %d and %q, want 5 and %q", x, s, want)
				y, s := pool.Both(w, old.Join, func(w *pool.Worker) string { return strconv.Itoa(fib(w, 7) + i) })
				expect(t, y == 8 && s == want, "P1: Both returned %d and %q, want 8 and %q", y, s, want)
			}
			expect(t, w.Depth() == 0, "Cost: %d slots are in use in the end", w.Depth())
		})
		for range 20 {
			equal(t, mustRun(t, p, fib, 20), 6765, "P1: fib(20) by Fork is")
			equal(t, mustRun(t, p, invokeFib, 20), 6765, "P1: fib(20) by Invoke is")
		}
	})
}
