package conformance

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// parPromises are about what other workers do meanwhile, and leave behind.
var parPromises = []poolCase{
	{"Forgotten", "F4", 0, parForgotten},
	{"Held", "F5", 0, parHeld},
	{"Nested", "F5", 0, parNested},
	{"Queue", "F6", 0, parQueue},
	{"Shared", "F7", 0, parShared},
	{"Shared/in_a_job", "F7", 0, parSharedInJob},
}

// lengthy sleeps in one call of 331, so that other workers do pieces of a loop.
func lengthy(i int) {
	if i%331 == 17 {
		time.Sleep(50 * time.Microsecond)
	}
}

// indexed is an error that has its element.
type indexed int

func (i indexed) Error() string { return "element " + strconv.Itoa(int(i)) }

// caught returns the value with which f panics.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// parForgotten looks whether what was handed over is kept.
func parForgotten(r *run, p *pool.Pool) {
	var gone sync.WaitGroup
	for range 5 {
		gone.Add(1)
		captured := new([64]int)
		runtime.AddCleanup(captured, func(wg *sync.WaitGroup) { wg.Done() }, &gone)
		caught(func() {
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
