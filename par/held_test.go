package par_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// In a bubble only what sleeps takes time, so what follows is exact.

// eachAlone are the operations that call for each element by itself. Each calls nap for the
// elements 0 to n-1.
var eachAlone = map[string]func(n int, nap func(i int), o ...par.Option){
	"For": func(n int, nap func(int), o ...par.Option) { par.For(n, nap, o...) },
	"Each": func(n int, nap func(int), o ...par.Option) {
		par.Each(indices(n), func(i int, _ *int) { nap(i) }, o...)
	},
	"Do": func(n int, nap func(int), o ...par.Option) {
		fns := make([]func(), n)
		for i := range fns {
			fns[i] = func() { nap(i) }
		}
		par.Do(fns, o...)
	},
	"DoErr": func(n int, nap func(int), o ...par.Option) {
		fns := make([]func(context.Context) error, n)
		for i := range fns {
			fns[i] = func(context.Context) error { nap(i); return nil }
		}
		par.DoErr(background, fns, o...)
	},
	"ForErr": func(n int, nap func(int), o ...par.Option) {
		par.ForErr(background, n, func(_ context.Context, i int) error { nap(i); return nil }, o...)
	},
	"EachErr": func(n int, nap func(int), o ...par.Option) {
		par.EachErr(background, indices(n), func(_ context.Context, i int, _ *int) error { nap(i); return nil }, o...)
	},
	"Map": func(n int, nap func(int), o ...par.Option) {
		par.Map(indices(n), func(i int) int { nap(i); return i }, o...)
	},
	"MapInto": func(n int, nap func(int), o ...par.Option) {
		par.MapInto(make([]int, n), indices(n), func(i int) int { nap(i); return i }, o...)
	},
	"MapErr": func(n int, nap func(int), o ...par.Option) {
		par.MapErr(background, indices(n), func(_ context.Context, i int) (int, error) { nap(i); return i, nil }, o...)
	},
	"Tabulate": func(n int, nap func(int), o ...par.Option) {
		par.Tabulate(n, func(i int) int { nap(i); return i }, o...)
	},
	"FlatMap": func(n int, nap func(int), o ...par.Option) {
		par.FlatMap(indices(n), func(i int) []int { nap(i); return nil }, o...)
	},
	"Filter": func(n int, nap func(int), o ...par.Option) {
		par.Filter(indices(n), func(i int) bool { nap(i); return i%2 == 0 }, o...)
	},
	"FilterErr": func(n int, nap func(int), o ...par.Option) {
		par.FilterErr(background, indices(n), func(_ context.Context, i int) (bool, error) { nap(i); return true, nil }, o...)
	},
	"FilterMap": func(n int, nap func(int), o ...par.Option) {
		par.FilterMap(indices(n), func(i int) (int, bool) { nap(i); return i, true }, o...)
	},
	"Partition": func(n int, nap func(int), o ...par.Option) {
		par.Partition(indices(n), func(i int) bool { nap(i); return true }, o...)
	},
	"IndexFunc": func(n int, nap func(int), o ...par.Option) {
		par.IndexFunc(indices(n), func(i int) bool { nap(i); return false }, o...)
	},
	"ContainsFunc": func(n int, nap func(int), o ...par.Option) {
		par.ContainsFunc(indices(n), func(i int) bool { nap(i); return false }, o...)
	},
	"AllFunc": func(n int, nap func(int), o ...par.Option) {
		par.AllFunc(indices(n), func(i int) bool { nap(i); return true }, o...)
	},
	"CompactFunc": func(n int, nap func(int), o ...par.Option) { // it does not call for the first one
		par.CompactFunc(indices(n+1), func(_, before int) bool { nap(before); return false }, o...)
	},
	"CountInto": func(n int, nap func(int), o ...par.Option) {
		par.CountInto(make([]int, 7), indices(n), func(i int) int { nap(i); return i % 7 }, o...)
	},
	"GroupBy": func(n int, nap func(int), o ...par.Option) {
		par.GroupBy(indices(n), func(i int) int { nap(i); return i % 7 }, o...)
	},
}

func indices(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// inBubble calls f with a new pool of so many workers.
func inBubble(t *testing.T, workers int, f func(t *testing.T, p *pool.Pool)) {
	synctest.Test(t, func(t *testing.T) { f(t, newPool(t, pool.WithWorkers(workers))) })
}

// shapes are how long elements take.
var shapes = map[string]func(rng *rand.Rand, n int) []time.Duration{
	"equal": func(_ *rand.Rand, n int) []time.Duration {
		return slices.Repeat([]time.Duration{20 * time.Millisecond}, n)
	},
	"the first has half": func(_ *rand.Rand, n int) []time.Duration {
		d := slices.Repeat([]time.Duration{time.Millisecond}, n)
		d[0] = time.Duration(n) * time.Millisecond
		return d
	},
	"nothing, and then long ones": func(_ *rand.Rand, n int) []time.Duration {
		d := make([]time.Duration, n)
		for i := n / 2; i < n; i++ {
			d[i] = 5 * time.Millisecond
		}
		return d
	},
	// The clock has seen how quick these are.
	"17 short ones, and then long ones": func(_ *rand.Rand, n int) []time.Duration {
		d := slices.Repeat([]time.Duration{5 * time.Millisecond}, n)
		for i := range min(17, n-1) {
			d[i] = time.Nanosecond
		}
		return d
	},
	"one in six is long": func(rng *rand.Rand, n int) []time.Duration {
		d := make([]time.Duration, n)
		for i := range d {
			if rng.IntN(6) == 0 {
				d[i] = 10 * time.Millisecond
			}
		}
		return d
	},
	"the k-th longest is a k-th": func(rng *rand.Rand, n int) []time.Duration {
		d := make([]time.Duration, n)
		for i, k := range rng.Perm(n) {
			d[i] = time.Second / time.Duration(k+1)
		}
		return d
	},
}

// mostFor is how long a call may take in which no element holds others up: the sum of all by
// the number of workers, and twice the longest.
func mostFor(d []time.Duration, workers int) time.Duration {
	sum := time.Duration(0)
	for _, x := range d {
		sum += x
	}
	return sum/time.Duration(workers) + 2*slices.Max(d)
}

// No element holds others up, in any shape.
func TestNothingHeldUp(t *testing.T) {
	for _, workers := range []int{2, 8, 64} {
		for what, of := range shapes {
			for name, call := range eachAlone {
				for _, n := range []int{2, workers, 400} {
					inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
						d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
						most := mostFor(d, workers)
						for round := range 3 {
							begun := time.Now()
							call(n, func(i int) { time.Sleep(d[i]) }, par.On(p))
							if took := time.Since(begun); took > most {
								t.Errorf("F7: %s of %d elements, %s, on %d workers, call %d: %v, want at most %v", name, n, what, workers, round, took, most)
							}
						}
					})
				}
			}
		}
	}
}

// The same in a job, and in the elements of another loop.
func TestNothingHeldUpInside(t *testing.T) {
	const workers, n = 8, 100
	of := shapes["one in six is long"]
	d := of(rand.New(rand.NewPCG(1, n)), n)
	sum := time.Duration(0)
	for _, x := range d {
		sum += x
	}
	nap := func(i int) { time.Sleep(d[i]) }
	inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
		begun := time.Now()
		pool.Run(background, p, func(w *pool.Worker, _ int) int {
			par.For(n, nap, par.In(w))
			par.For(n, nap, par.On(p))
			return 0
		}, 0)
		if took, most := time.Since(begun), 2*(sum/workers+2*slices.Max(d)); took > most {
			t.Errorf("F7: two loops in a job on %d workers took %v, want at most %v", workers, took, most)
		}
		// An outer element is as long as the inner loop would be alone.
		const outer = 12
		begun = time.Now()
		par.For(outer, func(int) { par.For(n, nap, par.On(p)) }, par.On(p))
		if took, most := time.Since(begun), outer*sum/workers+2*sum; took > most {
			t.Errorf("F7: %d loops in a loop on %d workers took %v, want at most %v", outer, workers, took, most)
		}
	})
}

// As many equal elements as workers run side by side: in each operation, in the first call on a
// new pool and in later ones, in a job, and in an element of another loop.
func TestOneEach(t *testing.T) {
	const long = 20 * time.Millisecond
	for _, workers := range []int{2, 3, 8, 64} {
		for _, group := range []map[string]func(int, func(int), ...par.Option){eachAlone, eachInOrder} {
			for name, call := range group {
				for where, in := range oneEachPlaces {
					inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
						for round := range 3 {
							if round > 0 {
								synctest.Wait() // a caller that finds no worker asleep does one element before others come
							}
							begun := time.Now()
							in(p, func() { call(workers, func(int) { time.Sleep(long) }, par.On(p)) })
							if took := time.Since(begun); took > long {
								t.Errorf("F7: %s of %d elements of %v on as many workers, call %d on a new pool, %s, took %v", name, workers, long, round, where, took)
							}
						}
					})
				}
			}
		}
	}
}

var oneEachPlaces = map[string]func(p *pool.Pool, call func()){
	"outside of jobs": func(_ *pool.Pool, call func()) { call() },
	"in a job": func(p *pool.Pool, call func()) {
		pool.Run(background, p, func(*pool.Worker, int) int { call(); return 0 }, 0)
	},
	"in an element": func(p *pool.Pool, call func()) {
		par.For(2, func(i int) {
			if i == 1 {
				call()
			}
		}, par.On(p))
	},
}

// Ranges of many elements are called back when those get long. There is a look after each
// four of them, which so count as one.
func TestCalledBack(t *testing.T) {
	const n, dear, long = 20_000, 64, 5 * time.Millisecond
	for _, workers := range []int{2, 8, 64} {
		for _, first := range []int{100, n / 3, n / 2, n - dear} {
			for what, c := range map[string]struct {
				workers int
				o       []par.Option
			}{
				"on %d workers":         {workers, nil},
				"with a limit of %d":    {1, []par.Option{par.WithLimit(workers)}},
				"as the limit says, %d": {64, []par.Option{par.WithLimit(workers)}},
			} {
				inBubble(t, c.workers, func(t *testing.T, p *pool.Pool) {
					begun := time.Now()
					par.For(n, func(i int) {
						if i >= first && i < first+dear {
							time.Sleep(long)
						}
					}, append(c.o, par.On(p))...)
					if took, most := time.Since(begun), dear*long/time.Duration(workers)+2*4*long; took > most {
						t.Errorf("F7: %d elements that take nothing, but for %d of %v from %d on, "+what+", took %v, want at most %v", n, dear, long, first, workers, took, most)
					}
				})
			}
		}
	}
}

// mispredicted calls f twice for nothing, and then for what is to be tested: that call begins
// alone, since it seems to be short.
func mispredicted(t *testing.T, f func(t *testing.T, p *pool.Pool, call int)) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		for call := range 3 {
			f(t, p, call)
		}
	})
}

// What a call has done alone, before it was shared, counts as progress.
func TestProgressOfMispredicted(t *testing.T) {
	mispredicted(t, func(t *testing.T, p *pool.Pool, call int) {
		var reports []int
		par.For(10, func(i int) {
			if call == 2 {
				time.Sleep(100 * time.Millisecond)
			}
		}, par.On(p), par.WithProgress(func(done, _ int) { reports = append(reports, done) }))
		if call == 2 && !slices.Equal(reports, []int{1, 2, 4, 6, 8, 10}) {
			t.Errorf("WithProgress: one of ten elements of 100 ms is done alone and reports, two and two the others, of which the first reports; the reports are %d", reports)
		}
	})
}

// A call that begins alone heeds the end of its context.
func TestContextOfMispredicted(t *testing.T) {
	mispredicted(t, func(t *testing.T, p *pool.Pool, call int) {
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		ran := 0
		var mu sync.Mutex
		err := par.ForErr(ctx, 100, func(_ context.Context, i int) error {
			mu.Lock()
			ran++
			mu.Unlock()
			if call == 2 {
				cancel()
			}
			return nil
		}, par.On(p))
		if call == 2 && (err != context.Canceled || ran > 1) {
			t.Errorf("F3: the context of a call that begins alone has ended in its first element; %d have run, and ForErr returned %v", ran, err)
		}
	})
}

// A call that is short, and follows short ones of the same function, is done alone; one long
// one ends that.
func TestShortFollowsShort(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		var nap time.Duration
		spawned := func() uint64 {
			before := p.Stats().Spawned
			par.For(10, func(int) { time.Sleep(nap) }, par.On(p))
			return p.Stats().Spawned - before
		}
		spawned()
		spawned()
		if n := spawned(); n != 0 {
			t.Errorf("F7: the third short call in a row calls for help %d times", n)
		}
		nap = time.Millisecond
		begun := time.Now()
		if spawned() == 0 {
			t.Error("F7: a long call that follows short ones does not call for help")
		}
		if took := time.Since(begun); took > 6*time.Millisecond {
			t.Errorf("F7: a call of ten elements of 1 ms that follows short ones took %v on 2 workers, want 6ms at most", took)
		}
		nap = 0
		if spawned() == 0 {
			t.Error("F7: a call that follows a long one does not call for help")
		}
	})
}

// So many elements are under way as the limit says, also more than there are workers.
func TestLimit(t *testing.T) {
	const n, nap = 40, 50 * time.Millisecond
	for _, workers := range []int{1, 2, 64} {
		for _, limit := range []int{1, 2, 7, 16, 100} {
			for name, call := range eachAlone {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					var running, most atomic.Int32
					begun := time.Now()
					call(n, func(int) {
						now := running.Add(1)
						for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
						}
						time.Sleep(nap)
						running.Add(-1)
					}, par.On(p), par.WithLimit(limit))
					best := time.Duration((n+limit-1)/limit) * nap
					if took := time.Since(begun); took != best {
						t.Errorf("F7: %s of %d elements of %v, %d at a time, on %d workers took %v, want %v", name, n, nap, limit, workers, took, best)
					}
					if int(most.Load()) > limit {
						t.Errorf("F7: %s with a limit of %d had %d elements under way", name, limit, most.Load())
					}
				})
			}
		}
	}
}

// A job whose loop has a limit above the number of workers gives up its own, so that what it
// waits for can run.
func TestLimitInJob(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, p *pool.Pool) {
		_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
			var begun sync.WaitGroup
			begun.Add(2)
			par.For(2, func(int) {
				begun.Done()
				begun.Wait() // each on its own goroutine
				pool.Run(background, p, func(*pool.Worker, int) int { return 0 }, 0)
			}, par.In(w), par.WithLimit(2))
			return 0
		}, 0)
		if err != nil {
			t.Errorf("F5: Run of a job with a limited loop returned %v", err)
		}
	})
}

// So it does with the seat of another pool that it has beneath, also after an element on the
// caller's goroutine has got that back by a Run.
func TestLimitInJobOfAnother(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, p *pool.Pool) {
		q := newPool(t, pool.WithWorkers(1))
		_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
			par.For(2, func(i int) {
				time.Sleep(time.Duration(i) * time.Second)
				// The context says that it goes on as w, if it is on that goroutine.
				pool.Run(pool.NewContext(background, w), p, func(*pool.Worker, int) int { return 0 }, 0)
			}, par.On(q), par.WithLimit(2))
			return 0
		}, 0)
		if err != nil {
			t.Errorf("F5: Run of a job with a limited loop on another pool returned %v", err)
		}
	})
}

// A loop with a limit waits for the last of its elements.
func TestLimitWaits(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, p *pool.Pool) {
		begun := time.Now()
		par.For(2, func(i int) { time.Sleep(time.Duration(i+1) * time.Second) }, par.On(p), par.WithLimit(2))
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("F4: element 1 takes two seconds, and For with a limit %v", took)
		}
	})
}

// What holds of loops holds with a limit: the lowest failure, and nothing runs afterwards.
func TestLimitFails(t *testing.T) {
	for _, workers := range []int{1, 3} {
		p := newPool(t, pool.WithWorkers(workers))
		closed, _ := pool.New(pool.WithWorkers(workers))
		closed.Close()
		for where, p := range map[string]*pool.Pool{"a pool": p, "a closed pool": closed} {
			for range 50 {
				var running atomic.Int32
				err := par.ForErr(background, 100, func(_ context.Context, i int) error {
					running.Add(1)
					defer running.Add(-1)
					if i >= 30 {
						return indexed(i)
					}
					return nil
				}, par.On(p), par.WithLimit(4))
				if err != indexed(30) || running.Load() != 0 {
					t.Fatalf("F2: of elements 30 and up, which fail, ForErr with a limit on %s returned %v, and %d run", where, err, running.Load())
				}
				v := caught(func() {
					par.For(100, func(i int) {
						if i >= 30 {
							panic(indexed(i))
						}
					}, par.On(p), par.WithLimit(4))
				})
				if v != indexed(30) {
					t.Fatalf("F2: of elements 30 and up, which panic, For with a limit on %s panicked with %v", where, v)
				}
				returned, ended := false, make(chan bool)
				go func() {
					defer close(ended)
					par.For(100, func(i int) {
						if i == 30 {
							runtime.Goexit()
						}
					}, par.On(p), par.WithLimit(4))
					returned = true
				}()
				if <-ended; returned {
					t.Fatalf("F4: an element calls Goexit, and For with a limit on %s returns", where)
				}
			}
		}
	}
}

type indexed int

func (i indexed) Error() string { return fmt.Sprintf("element %d", int(i)) }

// The context of an element ends when a lower one has failed, and the call returns then.
func TestEndsWhatIsAbove(t *testing.T) {
	for _, how := range []string{"waits", "asks", "has a child", "has a function called"} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			begun := time.Now()
			err := par.ForErr(background, 10, func(ctx context.Context, i int) error {
				if i == 1 {
					time.Sleep(time.Second)
					return indexed(1)
				}
				if i == 0 {
					return nil
				}
				switch how {
				case "waits":
					<-ctx.Done()
				case "asks":
					for ctx.Err() == nil {
						time.Sleep(time.Millisecond)
					}
				case "has a child":
					child, cancel := context.WithCancel(ctx)
					defer cancel()
					<-child.Done()
				case "has a function called":
					ended := make(chan bool)
					context.AfterFunc(ctx, func() { close(ended) })
					<-ended
				}
				if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(context.Cause(ctx), context.Canceled) {
					t.Errorf("F3: the context of an element above a failure has ended with %v, cause %v", ctx.Err(), context.Cause(ctx))
				}
				return indexed(i)
			}, par.On(p))
			if took := time.Since(begun); err != indexed(1) || took > time.Second+2*time.Millisecond {
				t.Errorf("F3: element 1 fails after a second, those above %s for their context, and ForErr returned %v after %v", how, err, took)
			}
		})
	}
}

// The context of an element has the values, the deadline and the end of the caller's.
func TestElementContext(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		cause := errors.New("the cause")
		outer, end := context.WithCancelCause(context.WithValue(background, keyOfTest{}, "value"))
		ctx, cancel := context.WithTimeout(outer, time.Hour)
		defer cancel()
		var mu sync.Mutex
		var kept []context.Context
		err := par.ForErr(ctx, 2, func(got context.Context, i int) error {
			mu.Lock()
			kept = append(kept, got)
			mu.Unlock()
			want, _ := ctx.Deadline()
			if at, ok := got.Deadline(); !ok || at != want || got.Value(keyOfTest{}) != "value" || got.Err() != nil {
				t.Errorf("F3: an element's context has the deadline %v, the value %v, the error %v", at, got.Value(keyOfTest{}), got.Err())
			}
			time.Sleep(time.Second)
			if i == 0 {
				end(cause)
			}
			<-got.Done()
			if got.Err() != context.Canceled || context.Cause(got) != cause {
				t.Errorf("F3: the caller's context has ended, and the element's with %v, cause %v", got.Err(), context.Cause(got))
			}
			return nil
		}, par.On(p))
		if err != nil {
			t.Errorf("F3: all elements have run, and ForErr returned %v", err)
		}
		// What is kept is over when the call is.
		kept = kept[:0]
		par.ForErr(background, 2, func(got context.Context, i int) error {
			mu.Lock()
			kept = append(kept, got)
			mu.Unlock()
			return nil
		}, par.On(p))
		for _, c := range kept {
			select {
			case <-c.Done():
			default:
				t.Error("F4: the context of an element has not ended, and the call has")
			}
			stop := context.AfterFunc(c, func() {})
			if stop() {
				t.Error("F4: a function for the end of a context that has ended was still to be called")
			}
		}
	})
}
