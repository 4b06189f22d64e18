package scenarios

import (
	"context"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Operations of par, and the doors of the pool that are for them. Under the explorer each
// look at the clock finds a second more: so a call is shared from its second element on,
// and every element takes long.
var parCases = []poolCase{
	{name: "loop", rule: "F1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var done [4]prim.Int32
		par.For(len(done), func(i int) { done[i].Add(1) }, par.On(p))
		for i := range done {
			n := done[i].Load()
			s.check(n == 1, "F1", "For has called its body %d times for element %d", n, i)
		}
	}},
	{name: "loop_of_three_workers", rule: "F1", bound: 2, deep: 2, workers: 3, body: func(s *stage, p *pool.Pool) {
		got := par.Map([]int{1, 2, 3, 4}, func(x int) int { return x * x }, par.On(p))
		s.check(len(got) == 4 && got[1] == 4 && got[3] == 16, "F1", "the squares of 1 to 4 are %v", got)
	}},
	{name: "fold", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		words := strings.Split("abcdefghi", "")
		got, _ := par.Reduce(words, func(a, b string) string { return a + b }, par.On(p))
		s.check(got == "abcdefghi", "F1", "Reduce of a to i is %s", got)
	}},
	{name: "scan", rule: "F1", bound: 2, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		words := strings.Split("abcde", "")
		got := strings.Join(par.Scan(words, func(a, b string) string { return a + b }, par.On(p)), " ")
		s.check(got == "a ab abc abcd abcde", "F1", "Scan of a to e is %s", got)
	}},
	{name: "filter", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := par.Filter([]int{1, 2, 3, 4, 5}, func(x int) bool { return x%2 == 1 }, par.On(p))
		s.check(len(got) == 3 && got[0] == 1 && got[2] == 5, "F1", "the odd ones of 1 to 5 are %v", got)
	}},
	// Two elements fail. Whoever does the higher one may be the first to know.
	{name: "lowest_error", rule: "F2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var running, below prim.Int32
		err := par.ForErr(background, 5, func(_ context.Context, i int) error {
			running.Add(1)
			defer running.Add(-1)
			if i < 2 {
				below.Add(1)
			} else if i%2 == 0 {
				return at(i)
			}
			return nil
		}, par.On(p))
		n, r := below.Load(), running.Load()
		s.check(err == at(2), "F2", "of five elements 2 and 4 fail, and ForErr returns %v", err)
		s.check(n == 2, "F2", "element 2 fails, and %d of the two below have run", n)
		s.check(r == 0, "F4", "ForErr has returned, and %d bodies run", r)
	}},
	{name: "lowest_panic", rule: "F2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var running prim.Int32
		v := caught(func() {
			par.For(5, func(i int) {
				running.Add(1)
				defer running.Add(-1)
				if i == 2 || i == 4 {
					panic(at(i))
				}
			}, par.On(p))
		})
		r := running.Load()
		s.check(v == at(2), "F2", "of five elements 2 and 4 panic, and For panics with %v", v)
		s.check(r == 0, "F4", "For panics, and %d bodies run", r)
	}},
	{name: "error_below_panic", rule: "F2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var err error
		v := caught(func() {
			err = par.ForErr(background, 4, func(_ context.Context, i int) error {
				if i == 3 {
					panic(at(i))
				} else if i == 1 {
					return at(i)
				}
				return nil
			}, par.On(p))
		})
		s.check(v == nil && err == at(1), "F2", "element 1 fails, 3 panics: ForErr panics with %v, returns %v", v, err)
	}},
	{name: "panic_below_error", rule: "F2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var err error
		v := caught(func() {
			err = par.ForErr(background, 4, func(_ context.Context, i int) error {
				if i == 1 {
					panic(at(i))
				} else if i == 3 {
					return at(i)
				}
				return nil
			}, par.On(p))
		})
		s.check(v == at(1), "F2", "element 1 panics, 3 fails: ForErr panics with %v, returns %v", v, err)
	}},
	// The only worker waits for the lock that is held over the loop.
	{name: "loop_under_lock", rule: "F5", bound: 3, deep: 4, workers: 1, body: func(s *stage, p *pool.Pool) {
		var mu prim.Mutex
		mu.Lock()
		begun := newGate()
		h := submit(s, p, func(*pool.Worker) int {
			begun.open()
			mu.Lock()
			defer mu.Unlock()
			return 1
		})
		begun.pass()
		par.For(3, func(int) {}, par.On(p))
		mu.Unlock()
		await(s, h)
	}},
	// The job that keeps the only worker ends when those have ended that are queued.
	{name: "yield", rule: "P31", bound: 4, deep: 5, workers: 1, body: func(s *stage, p *pool.Pool) {
		var running, ended prim.Int32
		job := func(*pool.Worker) int {
			n := running.Add(1)
			s.check(n == 1, "P31", "on one worker, %d jobs run that Yield has begun", n)
			running.Add(-1)
			ended.Add(1)
			return 0
		}
		enter(s, p, func(w *pool.Worker) int {
			a, b := submit(s, p, job), submit(s, p, job)
			for ended.Load() < 2 {
				w.Yield()
				prim.Yield()
			}
			await(s, a)
			await(s, b)
			return 0
		})
	}},
}
