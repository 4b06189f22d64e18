package conformance

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// parPromises are about what other workers do meanwhile, and leave behind.
var parPromises = []poolCase{
	{"Bits", "F1", 0, parBits},
	{"Ended", "F4", 0, parEnded},
	{"Forgotten", "F4", 0, parForgotten},
	{"Held", "F5", 0, parHeld},
	{"Nested", "F5", 0, parNested},
	{"Queue", "F6", 0, parQueue},
	{"Shared", "F7", 0, parShared},
	{"Shared/in_a_job", "F7", 0, parSharedInJob},
}

// parOutcomes are about how a call ends, which package par sees to by itself.
var parOutcomes = []poolCase{
	{"Failure/errors", "F2", 0, parErrors},
	{"Failure/panics", "F2", 0, parPanics},
	{"Failure/of_folds", "F2", 0, parPanicsOfFolds},
	{"Failure/beside_lower", "F2", 0, parErrorBelowPanic},
	{"Context", "F3", 0, parContext},
	{"Misuse", "F8", 0, parMisuse},
}

// lengthy sleeps in one call of 331, so that other workers do pieces of a loop.
func lengthy(i int) {
	if i%331 == 17 {
		time.Sleep(50 * time.Microsecond)
	}
}

// badOf returns indices below n that are to fail, in order.
func badOf(r *run, n int) []int {
	bad := make([]int, 1+r.RNG.IntN(4))
	for i := range bad {
		bad[i] = r.RNG.IntN(n)
	}
	slices.Sort(bad)
	return bad
}

func parErrors(r *run, p *pool.Pool) {
	r.Rounds(20, func(int) {
		n := 1 + r.RNG.IntN(5000)
		bad := badOf(r, n)
		ran := make([]atomic.Bool, n)
		err := par.ForErr(background, n, func(_ context.Context, i int) error {
			ran[i].Store(true)
			lengthy(i)
			if slices.Contains(bad, i) {
				return indexed(i)
			}
			return nil
		}, par.On(p))
		r.Check(err == indexed(bad[0]), "F2", "ForErr, of whose elements %v fail, returned %v", bad, err)
		for i := range bad[0] {
			r.Check(ran[i].Load(), "F2", "ForErr, of whose elements %v fail, has left out element %d", bad, i)
		}
		_, err = par.MapErr(background, withIndex(make([]int, n)), func(_ context.Context, at [2]int) (int, error) {
			lengthy(at[1])
			if slices.Contains(bad, at[1]) {
				return 0, indexed(at[1])
			}
			return 0, nil
		}, par.On(p))
		r.Check(err == indexed(bad[0]), "F2", "MapErr, of whose elements %v fail, returned %v", bad, err)
	})
}

// indexed is an error that has its element.
type indexed int

func (i indexed) Error() string { return "element " + strconv.Itoa(int(i)) }

func parPanics(r *run, p *pool.Pool) {
	r.Rounds(20, func(int) {
		n := 1 + r.RNG.IntN(5000)
		bad := badOf(r, n)
		var running atomic.Int32
		v := recovered(func() {
			par.For(n, func(i int) {
				running.Add(1)
				defer running.Add(-1)
				lengthy(i)
				if slices.Contains(bad, i) {
					panic(indexed(i))
				}
			}, par.On(p))
		})
		r.Check(v == indexed(bad[0]), "F2", "For, of whose elements %v panic with their index, panics with %v", bad, v)
		r.Check(running.Load() == 0, "F4", "For panics, and %d bodies run", running.Load())
	})
}

// recovered returns the value with which f panics.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func parPanicsOfFolds(r *run, p *pool.Pool) {
	s := make([]int, 3000)
	for i := range s {
		s[i] = i
	}
	r.Rounds(10, func(int) {
		bad := badOf(r, len(s)-1)
		v := recovered(func() {
			par.Fold(s, func() int { return 0 }, func(sum, x int) int {
				lengthy(x)
				if slices.Contains(bad, x) {
					panic(indexed(x))
				}
				return sum + x
			}, func(a, b int) int { return a + b }, par.On(p))
		})
		r.Check(v == indexed(bad[0]), "F2", "Fold, of whose elements %v panic with their index, panics with %v", bad, v)
	})
}

// parErrorBelowPanic has one element fail by an error and a higher one by a panic, and the
// other way round.
func parErrorBelowPanic(r *run, p *pool.Pool) {
	r.Rounds(20, func(round int) {
		n := 10 + r.RNG.IntN(5000)
		lo := r.RNG.IntN(n - 1)
		hi := lo + 1 + r.RNG.IntN(n-lo-1)
		var err error
		v := recovered(func() {
			err = par.ForErr(background, n, func(_ context.Context, i int) error {
				lengthy(i)
				switch {
				case i == lo && round%2 == 0 || i == hi && round%2 == 1:
					return indexed(i)
				case i == lo || i == hi:
					panic(indexed(i))
				}
				return nil
			}, par.On(p))
		})
		if round%2 == 0 {
			r.Check(v == nil && err == indexed(lo), "F2", "element %d returns an error, %d panics: ForErr panics with %v, returns %v", lo, hi, v, err)
		} else {
			r.Check(v == indexed(lo), "F2", "element %d panics, %d returns an error: ForErr panics with %v, returns %v", lo, hi, v, err)
		}
	})
}

type keyOfRun struct{}

func parContext(r *run, p *pool.Pool) {
	cause := &thrown{"the cause"}
	ctx, cancel := context.WithCancelCause(background)
	cancel(cause)
	body := func(got context.Context, _ int) error {
		r.Report("F3", "a body began, and the context had ended")
		return nil
	}
	err := par.ForErr(ctx, 10, body, par.On(p))
	r.Check(errors.Is(err, context.Canceled) && errors.Is(err, cause), "F3", "ForErr, whose context had ended, returned %v", err)
	r.Rounds(10, func(int) {
		ctx, cancel := context.WithCancelCause(context.WithValue(background, keyOfRun{}, r))
		var ran atomic.Int64
		end := int64(r.RNG.IntN(20_000))
		r.During("F3", "a ForErr returns whose context has ended")
		err := par.ForErr(ctx, math.MaxInt, func(got context.Context, i int) error {
			if got.Value(keyOfRun{}) != r {
				r.Report("F3", "ForErr hands its bodies a context without the values of the caller's")
			}
			if ran.Add(1) == end {
				cancel(cause)
			}
			return got.Err() // an error of a body, or the end of the context: both will do
		}, par.On(p))
		r.Check(errors.Is(err, context.Canceled), "F3", "ForErr, whose context ended, returned %v", err)
	})
}

// parEnded has a body call Goexit, which ends the caller when nothing runs any more.
func parEnded(r *run, p *pool.Pool) {
	r.Rounds(10, func(int) {
		n := 1 + r.RNG.IntN(3000)
		at := r.RNG.IntN(n)
		var running atomic.Int32
		returned := false
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer func() {
				if running.Load() != 0 {
					r.Report("F4", "a body has called Goexit, and others run when the caller ends")
				}
			}()
			par.For(n, func(i int) {
				running.Add(1)
				defer running.Add(-1)
				lengthy(i)
				if i == at {
					runtime.Goexit()
				}
			}, par.On(p))
			returned = true
		}()
		r.During("F4", "a loop ends of which a body has called Goexit")
		r.Wait(ended)
		r.Check(!returned, "F4", "For returned, although a body has called Goexit")
	})
}

// parForgotten looks whether what was handed over is kept.
func parForgotten(r *run, p *pool.Pool) {
	var gone sync.WaitGroup
	for range 5 {
		gone.Add(1)
		captured := new([64]int)
		runtime.AddCleanup(captured, func(wg *sync.WaitGroup) { wg.Done() }, &gone)
		recovered(func() {
			par.For(3000, func(i int) {
				lengthy(i)
				if i == 2999 || captured[i%64] != 0 {
					panic(captured)
				}
			}, par.On(p))
		})
	}
	done := make(chan struct{})
	go func() { gone.Wait(); close(done) }()
	r.During("F4", "what a loop's body has captured is collected, after the loop")
	r.Until(func() bool {
		runtime.GC()
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
}

// parHeld holds a lock over loops while all workers run jobs that want it.
func parHeld(r *run, p *pool.Pool) {
	var mu sync.Mutex
	mu.Lock()
	var want []*pool.Handle[int]
	var waiting atomic.Int32
	for range p.Workers() {
		want = append(want, submit(r, p, func(*pool.Worker) int {
			waiting.Add(1)
			mu.Lock()
			defer mu.Unlock()
			return 1
		}))
	}
	r.During("P5", "as many jobs begin as there are workers")
	r.Until(func() bool { return int(waiting.Load()) == p.Workers() })
	r.During("F5", "a loop ends whose caller holds a lock for which all workers wait")
	done := make(chan struct{})
	go func() {
		defer close(done)
		// A sleep can take a millisecond, and nobody helps.
		par.For(20, func(int) { time.Sleep(30 * time.Microsecond) }, par.On(p))
		par.Fold(make([]int, 20), func() int { return 0 }, func(a, _ int) int { time.Sleep(30 * time.Microsecond); return a }, func(a, b int) int { return a + b }, par.On(p))
	}()
	r.Wait(done)
	mu.Unlock()
	for _, h := range want {
		await(r, h)
	}
}

// parNested nests loops, with a lock held over the innermost.
func parNested(r *run, p *pool.Pool) {
	r.Rounds(3, func(int) {
		var mu sync.Mutex
		var n atomic.Int64
		r.During("F5", "loops in loops end")
		par.For(10, func(i int) {
			par.For(5, func(j int) {
				lengthy(i * j)
				mu.Lock()
				defer mu.Unlock()
				par.For(10, func(k int) { lengthy(17 * k); n.Add(1) }, par.On(p))
			}, par.On(p))
		}, par.On(p))
		r.Check(n.Load() == 500, "F1", "loops of 10, 5 and 10 have done %d elements", n.Load())
	})
	sum := await(r, submit(r, p, func(w *pool.Worker) int {
		return par.Sum(par.Map(withIndex(make([]int, 1000)), func(at [2]int) int { lengthy(at[1]); return 1 }, par.In(w)), par.In(w))
	}))
	r.Check(sum == 1000, "F1", "Map and Sum in a job gave %d, want 1000", sum)
}

// parQueue queues jobs beside a loop of a worker that ends when they have.
func parQueue(r *run, p *pool.Pool) {
	var left atomic.Int32
	left.Store(int32(2*p.Workers() + 1))
	var jobs []*pool.Handle[int]
	enough, late := errors.New("all jobs have ended"), errors.New("too many calls")
	// A call takes nanoseconds, so these are thousands of times as many as a loop does between
	// two looks at the queue. They are counted, since a clock also counts what others do.
	const most = 1 << 27
	var calls atomic.Int64
	r.During("F6", "jobs begin that are queued beside an endless loop")
	err := enter(r, p, func(w *pool.Worker) error {
		return par.ForErr(background, math.MaxInt, func(_ context.Context, i int) error {
			if i == 0 {
				for range left.Load() {
					jobs = append(jobs, submit(r, p, func(*pool.Worker) int { left.Add(-1); return 1 }))
				}
			}
			switch {
			case left.Load() <= 0 || r.Aborted():
				return enough
			case calls.Add(1) > most:
				return late
			}
			if runtime.GOARCH == "wasm" { // nothing preempts a loop there
				runtime.Gosched()
			}
			return nil
		}, par.In(w))
	})
	r.Check(err != late, "F6", "beside a loop that has called its body %d times, %d jobs of the queue have not ended", most, left.Load())
	r.Check(err == enough, "F2", "a loop returned %v, want the error of its body", err)
	for _, h := range jobs {
		await(r, h)
	}
}

// parShared has elements sleep, four times as many as there are workers.
func parShared(r *run, p *pool.Pool) {
	shared(r, p, func(loop func()) { loop() })
}

// parSharedInJob has a job run the loop, which is not told of the job's worker.
func parSharedInJob(r *run, p *pool.Pool) {
	shared(r, p, func(loop func()) {
		await(r, submit(r, p, func(*pool.Worker) int { loop(); return 1 }))
	})
}

// shared checks that elements that sleep do so on all workers at once.
func shared(r *run, p *pool.Pool, in func(loop func())) {
	const nap = 5 * time.Millisecond
	want := int32(min(p.Workers(), 8))
	var running, most atomic.Int32
	loop := func() {
		par.For(int(4*want), func(int) {
			now := running.Add(1)
			defer running.Add(-1)
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			time.Sleep(nap)
		}, par.On(p))
	}
	r.During("F7", "long elements of a loop run on all workers at once")
	for round := 0; most.Load() < want && !r.Aborted(); round++ {
		r.Check(round < 20, "F7", "of %d elements that sleep for %v, at most %d run at once, want %d", 4*want, nap, most.Load(), want)
		in(loop)
	}
}

// parMisuse hands over what must be refused, before anything runs.
func parMisuse(r *run, p *pool.Pool) {
	on := par.On(p)
	never := func(int) { r.Report("F8", "a body ran of a call that was refused") }
	for name, f := range map[string]func(){
		"For over -1":             func() { par.For(-1, never, on) },
		"For with a nil":          func() { par.For(1, nil, on) },
		"ForErr with a nil ctx":   func() { par.ForErr(context.Context(nil), 0, func(context.Context, int) error { return nil }, on) },
		"Map with a nil":          func() { par.Map[[]int, int, int]([]int{1}, nil, on) },
		"MapInto of other length": func() { par.MapInto(make([]int, 2), []int{1}, func(x int) int { never(x); return x }, on) },
		"Min of nothing":          func() { par.Min([]int{}, on) },
		"On with nil":             func() { par.On(nil) },
		"In with nil":             func() { par.In(nil) },
	} {
		v, ok := recovered(f).(string)
		r.Check(ok && len(v) > len("par: "), "F8", "%s: it panics with %v, want a text that says what is wrong", name, v)
	}
}
