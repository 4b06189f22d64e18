//go:build explore

package scenarios

import (
	"context"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Operations of par, and the doors of the pool that are for them. Under the explorer each look
// at the clock finds a second more. So every element takes long, and is a range of its own,
// except in scenarios with a tick.
var parCases = []poolCase{
	{name: "loop", rule: "F1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var done [4]prim.Int32
		par.For(len(done), func(i int) { done[i].Add(1) }, par.On(p))
		calledOnce(s, done[:])
	}},
	gives("fold", 1, 2, "abcdefghi", func(o par.Option) any {
		got, _ := par.Reduce(strings.Split("abcdefghi", ""), joined, o)
		return got
	}),
	// The second of three ranges ends before its turn, at it, or after it.
	gives("fold_of_few", 2, 3, "abc", func(o par.Option) any {
		return par.FoldRange(3, func(lo, hi int) string { return "abc"[lo:hi] }, joined, o)
	}),
	// The third range of the first owner is from 17 to 92, which it does as one: so it joins several
	// nodes in a row, and passes the turn above them on once.
	{name: "fold_of_many", rule: "F1", bound: 1, deep: 1, workers: 2, tick: 1, body: func(s *stage, p *pool.Pool) {
		want := strings.Repeat("abcdefghi", 19)
		got := par.FoldRange(len(want), func(lo, hi int) string { return want[lo:hi] }, joined, par.On(p))
		s.check(got == want, "F1", "FoldRange of %s is %s", want, got)
	}},
	gives("scan", 1, 2, strings.Fields("a ab abc abcd abcde"), func(o par.Option) any {
		return par.Scan(strings.Split("abcde", ""), joined, o)
	}),
	gives("filter", 1, 2, []int{1, 3, 5}, func(o par.Option) any { return par.Filter([]int{1, 2, 3, 4, 5}, odd, o) }),
	// Ranges have several elements. An owner that the flag stops puts back the rest of its
	// range, also if another one has lowered the flag since.
	{name: "called_back", rule: "F1", bound: 1, deep: 2, workers: 2, tick: 1, body: calledBack},
	// A helper that has found nothing has left when an owner comes to put back two elements. It
	// is called again, before the first one of them begins: each waits for the other here.
	{name: "put_back", rule: "F7", bound: 1, deep: 3, workers: 2, tick: 1, body: func(s *stage, p *pool.Pool) {
		putBack(func(int) {}, par.On(p))
	}},
	// The same with a limit, while another helper has come and was refused.
	{name: "put_back_with_limit", rule: "F7", bound: 0, deep: 1, workers: 3, tick: 1, body: func(s *stage, p *pool.Pool) {
		hold := s.held()
		putBack(func(i int) {
			switch i {
			case 0:
				hold[0].Wait()
			case 5:
				hold[1].Wait()
			}
		}, par.On(p), par.WithLimit(2))
	}},
	// A helper leaves while the owner puts back what it has not begun.
	{name: "leaves_or_finds_put_back", rule: "F7", bound: 2, deep: 3, workers: 1, tick: 1, body: func(s *stage, p *pool.Pool) {
		leaveAlone(func() {}, par.On(p))
	}},
	// The same with a helper that ends by Goexit.
	{name: "exits_beside_put_back", rule: "F7", bound: 2, deep: 3, workers: 1, tick: 1, body: func(s *stage, p *pool.Pool) {
		s.Go("caller", func() { leaveAlone(runtime.Goexit, par.On(p)) })
	}},
	// The worker of an owner that waits for something is free, and helps.
	{name: "owner_blocks", rule: "F7", bound: 1, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		var both prim.WaitGroup
		both.Add(2)
		enter(s, p, func(w *pool.Worker) int {
			par.ForWorker(3, func(w *pool.Worker, i int) {
				if i == 0 {
					w.Block(both.Wait)
				} else {
					both.Done()
					both.Wait()
				}
			}, par.In(w))
			return 0
		})
	}},
	// A helper comes and finds nothing while another one has taken a piece and not stored it.
	// That one calls before its first element begins: elements 1 to 3 wait for each other, which
	// elements must not do.
	{name: "comes_before_piece_is_stored", rule: "F7", bound: 1, deep: 2, workers: 1, tick: 1, body: func(s *stage, p *pool.Pool) {
		var above, all prim.WaitGroup
		above.Add(4)
		all.Add(3)
		par.For(8, func(i int) {
			switch i {
			case 0:
				above.Wait()
			case 1, 2, 3:
				all.Done()
				all.Wait()
			default:
				above.Done()
			}
		}, par.On(p), par.WithLimit(3))
	}},
	// As many elements as workers are under way at the same time, whatever the schedule: each
	// waits for all others here, which elements must not do.
	{name: "barrier", rule: "F7", bound: 0, deep: 1, workers: 4, body: func(s *stage, p *pool.Pool) {
		var begun prim.WaitGroup
		begun.Add(4)
		par.For(4, func(int) { begun.Done(); begun.Wait() }, par.On(p))
	}},
	// With a limit above the number of workers, each that works has a goroutine.
	{name: "limit", rule: "F7", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var running prim.Int32
		var done [4]prim.Int32
		par.For(len(done), func(i int) {
			n := running.Add(1)
			s.check(n <= 2, "F7", "with a limit of 2, %d elements are under way", n)
			done[i].Add(1)
			running.Add(-1)
		}, par.On(p), par.WithLimit(2))
		calledOnce(s, done[:])
	}},
	{name: "limit_of_workers", rule: "F7", bound: 0, deep: 1, workers: 3, body: func(s *stage, p *pool.Pool) {
		var running, done prim.Int32
		hold := s.held() // the first element, and the others
		par.For(4, func(i int) {
			n := running.Add(1)
			s.check(n <= 2, "F7", "with a limit of 2, %d elements are under way", n)
			hold[min(i, 1)].Wait()
			done.Add(1)
			running.Add(-1)
		}, par.On(p), par.WithLimit(2))
		s.counts(&done, 4, "F1", "For with a limit has done %d elements of 4")
	}},
	// An element begins while one below it fails. Of the two workers, the second one ends the
	// context of the element above.
	{name: "ends_what_begins_above", rule: "F3", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		err := par.ForErr(background, 2, func(ctx context.Context, i int) error {
			for i == 1 && ctx.Err() == nil {
				prim.Yield()
			}
			return at(i)
		}, par.On(p))
		s.check(err == at(0), "F2", "both elements fail, and ForErr returns %v", err)
	}},
	// What lies below a failure goes on, and its context does not end.
	{name: "goes_on_below", rule: "F3", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		failed := newGate()
		err := par.ForErr(background, 2, func(ctx context.Context, i int) error {
			if i == 1 {
				failed.open()
				return at(1)
			}
			failed.pass()
			for range 3 {
				prim.Yield()
				s.check(ctx.Err() == nil, "F3", "element 1 fails, and the context of element 0 ends")
			}
			return nil
		}, par.On(p))
		s.check(err == at(1), "F2", "element 1 fails, and ForErr returns %v", err)
	}},
	// Two elements fail. The worker that does the higher one may learn it first.
	{name: "lowest_error", rule: "F2", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
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
	// A helper takes 3 and 4. The caller may have 4 from it before 3 begins.
	{name: "lowest_panic", rule: "F2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var running prim.Int32
		v := caught(func() {
			par.For(5, func(i int) {
				running.Add(1)
				defer running.Add(-1)
				if i >= 3 {
					panic(at(i))
				}
			}, par.On(p))
		})
		r := running.Load()
		s.check(v == at(3), "F2", "of five elements 3 and 4 panic, and For panics with %v", v)
		s.check(r == 0, "F4", "For panics, and %d bodies run", r)
	}},
	{name: "error_below_panic", rule: "F2", bound: 1, deep: 3, workers: 2, body: failsAndPanics(1, 3)},
	{name: "panic_below_error", rule: "F2", bound: 1, deep: 3, workers: 2, body: failsAndPanics(3, 1)},
	// The only worker waits for the lock that is held over the loop.
	{name: "loop_under_lock", rule: "F5", bound: complete, rounds: 1, workers: 1, body: func(s *stage, p *pool.Pool) {
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
}

// failsAndPanics is a loop in which one element fails, and another one panics.
func failsAndPanics(fails, panics int) func(s *stage, p *pool.Pool) {
	return func(s *stage, p *pool.Pool) {
		var err error
		v := caught(func() {
			err = par.ForErr(background, 4, func(_ context.Context, i int) error {
				if i == panics {
					panic(at(i))
				} else if i == fails {
					return at(i)
				}
				return nil
			}, par.On(p))
		})
		ok := v == at(panics)
		if fails < panics {
			ok = v == nil && err == at(fails)
		}
		s.check(ok, "F2", "element %d fails, %d panics: ForErr panics with %v, returns %v", fails, panics, v, err)
	}
}

// held returns two groups, each of which a thread ends at any time.
func (s *stage) held() *[2]prim.WaitGroup {
	hold := new([2]prim.WaitGroup)
	for i := range hold {
		hold[i].Add(1)
		s.Go("holder", hold[i].Done)
	}
	return hold
}

// calledBack is a loop over six elements, of which two are held up, each the first one of a
// range: so both workers have ranges, and each may be stopped by the flag as the other one
// lowers it.
func calledBack(s *stage, p *pool.Pool) {
	var done [6]prim.Int32
	hold := s.held()
	par.For(len(done), func(i int) {
		switch i {
		case 1:
			hold[0].Wait()
		case 4:
			hold[1].Wait()
		}
		done[i].Add(1)
	}, par.On(p))
	calledOnce(s, done[:])
}

// putBack is a loop over seven elements. The second range of its first owner has elements 1 to
// 3, and the first of these goes on when no other worker does anything. Elements 2 and 3 wait for
// each other, which elements must not do: so they hang if no other worker takes one of them.
func putBack(begins func(i int), opts ...par.Option) {
	var both prim.WaitGroup
	both.Add(2)
	par.For(7, func(i int) {
		begins(i)
		switch i {
		case 1:
			prim.Yield()
		case 2, 3:
			both.Done()
			both.Wait()
		}
	}, opts...)
}

// leaveAlone is a loop over ten elements by two owners. The caller has the first five, and is at
// element 1 until the other one is at the last of those above, which ends as is given. The caller
// may miss that the other one leaves, but not beyond the end of element 2: elements 3 and 4 wait
// for each other, which elements must not do.
func leaveAlone(last func(), on par.Option) {
	var above, both prim.WaitGroup
	above.Add(5)
	both.Add(2)
	var begun prim.Int32
	par.For(10, func(i int) {
		switch i {
		case 0:
		case 1:
			above.Wait()
		case 2:
			prim.Yield() // until the other one is blocked, or has ended
		case 3, 4:
			both.Done()
			both.Wait()
		default:
			n := begun.Add(1)
			above.Done()
			if n == 5 {
				last()
			}
		}
	}, on, par.WithLimit(2))
}

// calledOnce checks that For has called its body once for each element.
func calledOnce(s *stage, done []prim.Int32) {
	for i := range done {
		n := done[i].Load()
		s.check(n == 1, "F1", "For has called its body %d times for element %d", n, i)
	}
}

// at is the failure of an element.
type at int

func (at) Error() string { return "an element fails" }

func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
