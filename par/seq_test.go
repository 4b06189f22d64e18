package par_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

var windows = []int{1, 2, 7, 64}

// upTo is a source of 0 to n-1. It counts what it has handed over, and says whether it runs.
type upTo struct {
	n       int
	taken   atomic.Int64
	running atomic.Bool
}

func (u *upTo) each(yield func(int) bool) {
	u.running.Store(true)
	defer u.running.Store(false)
	for i := range u.n {
		u.taken.Add(1)
		if !yield(i) {
			return
		}
	}
}

// onStreams runs f for pools, windows, and bodies of several lengths.
func onStreams(t *testing.T, f func(t *testing.T, n int, do func(i int), opts ...par.Option)) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, window := range windows {
			for _, work := range works {
				t.Run(fmt.Sprintf("window=%d/work=%s", window, work.name), func(t *testing.T) {
					f(t, min(work.most, 200), work.do, par.On(p), par.WithWindow(window))
				})
			}
		}
	})
}

// The results are in order, and the source is never ahead by more than the window.
func TestMapSeq(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, window := range append(windows, 0) {
			for _, work := range works {
				for _, n := range []int{0, 1, 2, 3, 100, 3000} {
					if n > work.most {
						continue
					}
					opts := []par.Option{par.On(p)}
					if window > 0 {
						opts = append(opts, par.WithWindow(window))
					}
					src, began, yielded := upTo{n: n}, make([]atomic.Int32, n), 0
					for r, err := range par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) {
						work.do(i)
						began[i].Add(1)
						return i * i, nil
					}, opts...) {
						if err != nil || r != yielded*yielded {
							t.Fatalf("F1: window %d, %s: result %d is %d, %v", window, work.name, yielded, r, err)
						}
						if ahead := int(src.taken.Load()) - yielded; window > 0 && ahead > window {
							t.Fatalf("F1: window %d, %s: %d elements are taken and not yielded", window, work.name, ahead)
						}
						yielded++
					}
					if yielded != n || src.running.Load() {
						t.Fatalf("F1: window %d, %s: %d results of %d; the source runs: %t", window, work.name, yielded, n, src.running.Load())
					}
					for i := range began {
						if began[i].Load() != 1 {
							t.Fatalf("F1: window %d, %s: element %d was done %d times", window, work.name, i, began[i].Load())
						}
					}
				}
			}
		}
	})
}

// A break ends what runs, and nothing runs after it.
func TestMapSeqBreak(t *testing.T) {
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		for _, at := range []int{0, 1, 2, 5, n / 2, n - 1} {
			var running, ran atomic.Int64
			src, next := upTo{n: n}, 0
			for r, err := range par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) {
				running.Add(1)
				defer running.Add(-1)
				do(i)
				ran.Add(1)
				return i, nil
			}, opts...) {
				if r != next || err != nil {
					t.Fatalf("F4: result %d is %d, %v", next, r, err)
				}
				if next++; r == at {
					break
				}
			}
			before := ran.Load()
			if running.Load() != 0 || src.running.Load() {
				t.Fatalf("F4: after a break at %d, %d bodies run; the source runs: %t", at, running.Load(), src.running.Load())
			}
			runtime.Gosched()
			if next != at+1 || ran.Load() != before {
				t.Fatalf("F4: a break at %d: %d results; %d bodies end after it", at, next, ran.Load()-before)
			}
		}
	})
}

// How an element fails, and what the consumer sees of it.
type end int

const (
	byError end = iota
	byPanic
	byGoexit
)

// consume ranges over the sequence on a goroutine of its own, and returns how it ended.
func consume(seq iter.Seq2[int, error], results *int) (value any, exited bool, err error) {
	var wg sync.WaitGroup
	exited = true
	wg.Go(func() {
		defer func() {
			if exited {
				value = recover()
				exited = value == nil
			}
		}()
		for r, e := range seq {
			if err != nil {
				panic("a result after the error")
			}
			switch {
			case e != nil && r != 0:
				panic("an error with a result")
			case e != nil:
				err = e
				continue
			case r != *results:
				panic(fmt.Sprintf("result %d is %d", *results, r))
			}
			*results++
		}
		exited = false
	})
	wg.Wait()
	return value, exited, err
}

// The lowest element that fails ends the sequence in its way, after all results below.
func TestMapSeqLowest(t *testing.T) {
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		for _, bad := range [][]int{{0}, {1, 2}, {n / 2, n/2 + 1, n - 1}, {n - 1}} {
			for first := byError; first <= byGoexit; first++ {
				var running atomic.Int64
				fails := func(i int) error {
					k := slices.Index(bad, i)
					if k < 0 {
						return nil
					}
					switch (first + end(k)) % 3 {
					case byPanic:
						panic(failure(i))
					case byGoexit:
						runtime.Goexit()
					}
					return failure(i)
				}
				results, src := 0, upTo{n: n}
				value, exited, err := consume(par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) {
					running.Add(1)
					defer running.Add(-1)
					do(i)
					return i, fails(i)
				}, opts...), &results)
				want := failure(bad[0])
				if results != bad[0] || (err == want) != (first == byError) || (value == want) != (first == byPanic) || exited != (first == byGoexit) {
					t.Fatalf("F2: elements %v fail, the lowest by %d: %d results, then error %v, panic %v, Goexit %t", bad, first, results, err, value, exited)
				}
				if running.Load() != 0 || src.running.Load() {
					t.Fatalf("F2: elements %v fail, the lowest by %d: %d bodies run; the source runs: %t", bad, first, running.Load(), src.running.Load())
				}
			}
		}
	})
}

// An error keeps the elements above from beginning, and not those below: their context
// does not end.
func TestMapSeqErrorAbove(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		var began atomic.Int64
		failed := make(chan struct{})
		src, results := upTo{n: 1000}, 0
		_, _, err := consume(par.MapSeq(background, src.each, func(ctx context.Context, i int) (int, error) {
			began.Add(1)
			switch i {
			case 1:
				<-failed
				time.Sleep(20 * time.Millisecond)
				return i, ctx.Err()
			case 2:
				close(failed)
				return i, failure(i)
			}
			time.Sleep(time.Millisecond) // those above end when the error is known
			return i, nil
		}, par.On(p), par.WithWindow(64)), &results)
		if err != failure(2) || results != 2 || began.Load() > 6 {
			t.Errorf("F2: element 2 fails, and 1 takes longer: %d results, then %v; %d have begun", results, err, began.Load())
		}
	})
}

// A panic of the source, or of the consumer, leaves when nothing runs any more.
func TestMapSeqOthersPanic(t *testing.T) {
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		for _, at := range []int{0, 1, 3, n - 1} {
			for _, who := range []string{"source", "consumer"} {
				var running atomic.Int64
				value := caught(func() {
					for r := range par.MapSeq(background, func(yield func(int) bool) {
						for i := range n {
							if who == "source" && i == at {
								panic(failure(i))
							}
							if !yield(i) {
								return
							}
						}
					}, func(_ context.Context, i int) (int, error) {
						running.Add(1)
						defer running.Add(-1)
						do(i)
						return i, nil
					}, opts...) {
						if who == "consumer" && r == at {
							panic(failure(r))
						}
					}
				})
				if value != failure(at) || running.Load() != 0 {
					t.Fatalf("F2: the %s panics at %d: the loop panics with %v, and %d bodies run", who, at, value, running.Load())
				}
			}
		}
	})
}

// When the context ends, the sequence does at the first element that has not begun.
func TestMapSeqContext(t *testing.T) {
	cause := errors.New("enough")
	type key struct{}
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		ctx, cancel := context.WithCancelCause(background)
		cancel(cause)
		none, results := upTo{n: n}, 0
		_, _, err := consume(par.MapSeq(ctx, none.each, func(context.Context, int) (int, error) {
			t.Error("F3: a body runs though the context has ended")
			return 0, nil
		}, opts...), &results)
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || results != 0 || none.taken.Load() != 0 {
			t.Fatalf("F3: with a context that has ended, %d results, then %v; %d taken", results, err, none.taken.Load())
		}
		// While element at is not yielded, no window reaches the last element.
		at, began := n/4, make([]atomic.Bool, n)
		ctx, cancel = context.WithCancelCause(context.WithValue(background, key{}, t))
		src, results := upTo{n: n}, 0
		_, _, err = consume(par.MapSeq(ctx, src.each, func(got context.Context, i int) (int, error) {
			if err := got.Err(); got.Value(key{}) != t || err != nil && ctx.Err() == nil {
				t.Errorf("F3: bodies are handed a context with the error %v, and the value %v of the caller's", err, got.Value(key{}))
			}
			began[i].Store(true)
			if do(i); i == at {
				cancel(cause)
			}
			return i, nil
		}, opts...), &results)
		want := 0
		for want < n && began[want].Load() {
			want++
		}
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || results != want {
			t.Fatalf("F3: with a context that ends at %d of %d, %d results, want %d, then %v", at, n, results, want, err)
		}
	})
}

// Several bodies run at once, and others while the consumer or the source does something.
func TestMapSeqShared(t *testing.T) {
	for _, n := range []int{12, 100} {
		inBubble(t, 4, func(t *testing.T, p *pool.Pool) {
			var running, most atomic.Int32
			src := upTo{n: n}
			for range par.MapSeq(background, src.each, func(context.Context, int) (int, error) {
				now := running.Add(1)
				defer running.Add(-1)
				for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
				}
				time.Sleep(5 * time.Millisecond)
				return 0, nil
			}, par.On(p)) {
			}
			if most.Load() < 4 || most.Load() > 5 {
				t.Errorf("F7: of %d elements of 5 ms, %d run at once, want 4 or 5", n, most.Load())
			}
		})
	}
}

// Elements that are short, and then long ones: nobody keeps several of those to itself. The
// first ones may find the consumer alone with one, or a helper too few.
func TestMapSeqJump(t *testing.T) {
	p := newPool(t, pool.WithWorkers(4))
	for _, window := range []int{64, 1000} {
		var running, most atomic.Int32
		src := upTo{n: 2030}
		for range par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) {
			if spin(2 * time.Microsecond); i < 2000 {
				return 0, nil
			}
			now := running.Add(1)
			defer running.Add(-1)
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			time.Sleep(20 * time.Millisecond)
			return 0, nil
		}, par.On(p), par.WithWindow(window)) {
		}
		if most.Load() < 4 {
			t.Errorf("F7: window %d: of 30 elements of 20 ms, after short ones, %d run at once, want 4", window, most.Load())
		}
	}
}

// What the source has handed over is done while the source is busy, even if that is for
// ever.
func TestMapSeqSlowSource(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	for k := range 500 {
		n := 1 + k%7
		var ended atomic.Int64
		results := 0
		for range par.MapSeq(background, func(yield func(int) bool) {
			for i := range n {
				if spin(time.Duration(k) * 100 * time.Nanosecond); !yield(i) {
					return
				}
			}
			for turns := 0; ended.Load() < int64(n); turns++ {
				switch {
				case turns < 1000:
					runtime.Gosched()
				case turns < 11_000: // that a sleep returns shows that the process gets processors
					time.Sleep(time.Millisecond)
				default:
					t.Errorf("F7: of %d elements, %d are done while the source goes on", n, ended.Load())
					return
				}
			}
		}, func(context.Context, int) (int, error) {
			spin(25 * time.Microsecond)
			ended.Add(1)
			return 0, nil
		}, par.On(p), par.WithWindow(n+1)) {
			results++
		}
		if results != n {
			t.Fatalf("F7: %d results of %d", results, n)
		}
	}
}

// If the pool has other things to do, what the source has handed over waits for little more
// than one element.
func TestMapSeqSlowSourceBusyPool(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	release := make(chan struct{})
	h, err := pool.Submit(p, func(*pool.Worker) int { <-release; return 0 })
	if err != nil {
		t.Fatal(err)
	}
	var began atomic.Int64
	for range par.MapSeq(background, func(yield func(int) bool) {
		for i := range 50 {
			if waits := int64(i) - began.Load(); waits > 3 {
				t.Errorf("F5: before element %d of a slow source, %d have not begun", i, waits)
			}
			if time.Sleep(time.Millisecond); !yield(i) {
				return
			}
		}
	}, func(context.Context, int) (int, error) {
		began.Add(1)
		spin(50 * time.Microsecond)
		return 0, nil
	}, par.On(p), par.WithWindow(64)) {
	}
	close(release)
	h.Wait(background)
}

// Sequences nest: in loops, in jobs, as the source of another one, side by side, and with
// a lock held.
func TestMapSeqNested(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		p, q := newPool(t, pool.WithWorkers(workers)), newPool(t, pool.WithWorkers(1))
		sum := func(n int, work func(int), opts ...par.Option) (sum int) {
			src := upTo{n: n}
			for r, err := range par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) { work(i); return i, nil }, opts...) {
				if err != nil {
					t.Errorf("F5: a sequence yields the error %v", err)
				}
				sum += r
			}
			return sum
		}
		short := func(int) { spin(20 * time.Microsecond) }
		want := 50 * 49 / 2
		var mu sync.Mutex
		par.For(30, func(i int) {
			if got := sum(50, short, par.On(p)); got != want {
				t.Errorf("F5: in a loop: %d, want %d", got, want)
			}
			mu.Lock()
			defer mu.Unlock()
			if got := sum(50, func(j int) { sum(10, short, par.On(q)) }, par.On(p)); got != want {
				t.Errorf("F5: in a loop, with a sequence inside and a lock held: %d, want %d", got, want)
			}
		}, par.On(p))
		if got, err := pool.Run(background, p, func(w *pool.Worker, _ int) int { return sum(50, short, par.In(w)) }, 0); got != want || err != nil {
			t.Errorf("F5: in a job: %d, %v, want %d", got, err, want)
		}
		// A body that needs the seat that the consumer has.
		if got, err := pool.Run(background, q, func(w *pool.Worker, _ int) int {
			return sum(50, func(int) {
				pool.Run(background, q, func(*pool.Worker, int) int { short(0); return 0 }, 0)
			}, par.On(p))
		}, 0); got != want || err != nil {
			t.Errorf("F5: in a job whose pool the bodies use: %d, %v, want %d", got, err, want)
		}
		var seq iter.Seq[int] = (&upTo{n: 300}).each
		for range 4 {
			inner := par.MapSeq(background, seq, func(_ context.Context, i int) (int, error) { short(i); return i + 1, nil }, par.On(p))
			seq = func(yield func(int) bool) {
				inner(func(r int, err error) bool { return err == nil && yield(r) })
			}
		}
		if got := slices.Collect(seq); len(got) != 300 || got[0] != 4 || got[299] != 303 {
			t.Errorf("F5: four sequences in a row yield %d results", len(got))
		}
		next1, stop1 := iter.Pull2(par.MapSeq(background, (&upTo{n: 100}).each, func(_ context.Context, i int) (int, error) { short(i); return i, nil }, par.On(p)))
		next2, stop2 := iter.Pull2(par.MapSeq(background, (&upTo{n: 1000}).each, func(_ context.Context, i int) (int, error) { short(i); return -i, nil }, par.On(p)))
		for i := range 100 {
			a, _, _ := next1()
			b, _, _ := next2()
			if a != i || b != -i {
				t.Fatalf("F5: two sequences side by side yield %d and %d as result %d", a, b, i)
			}
		}
		stop1()
		stop2()
	}
}

// The consumer does all if nobody else does: the pool is closed, or closes, or has other
// things to do, or no room.
func TestMapSeqWithoutHelp(t *testing.T) {
	check := func(what string, p *pool.Pool, opts ...par.Option) {
		t.Helper()
		src, next := upTo{n: 2000}, 0
		for r, err := range par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) { spin(20 * time.Microsecond); return i, nil }, append(opts, par.On(p))...) {
			if r != next || err != nil {
				t.Fatalf("F5: %s: result %d is %d, %v", what, next, r, err)
			}
			if next++; next == 1000 && what == "closing" {
				go p.Close()
			}
			if next == 1000 && what == "shut down" {
				ctx, cancel := context.WithCancel(background)
				cancel()
				p.Shutdown(ctx)
			}
		}
		if next != src.n {
			t.Errorf("F5: %s: %d results of %d", what, next, src.n)
		}
	}
	p := newPool(t)
	p.Close()
	check("closed", p)
	for _, workers := range []int{1, 2, 3} {
		check("closing", newPool(t, pool.WithWorkers(workers)))
		check("shut down", newPool(t, pool.WithWorkers(workers)))
	}
	for _, opts := range [][]pool.Option{{pool.WithWorkers(1)}, {pool.WithWorkers(1), pool.WithQueueLimit(1)}} {
		p := newPool(t, opts...)
		begun, release := make(chan struct{}), make(chan struct{})
		h, err := pool.Submit(p, func(*pool.Worker) int { close(begun); <-release; return 0 })
		if err != nil {
			t.Fatal(err)
		}
		<-begun // the queue is empty
		check("busy", p)
		check("busy", p, par.WithWindow(64))
		if _, err := pool.Submit(p, func(*pool.Worker) int { return 0 }); err != nil {
			t.Errorf("F5: after a sequence, the queue has no room: %v", err)
		}
		check("full", p)
		close(release)
		h.Wait(background)
	}
}

// In a bubble the clock stands still, and elements are shared all the same.
func TestMapSeqBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(3))
		begun := time.Now()
		results, src := 0, upTo{n: 31}
		if _, _, err := consume(par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) {
			time.Sleep(time.Second)
			return i, nil
		}, par.On(p)), &results); err != nil || results != 31 {
			t.Errorf("F7: in a bubble: %d results, %v", results, err)
		}
		if took := time.Since(begun); took > 12*time.Second {
			t.Errorf("F7: 31 elements of a second on 3 workers took %v", took)
		}
		before := p.Stats()
		results, src.n = 0, 1000
		if _, _, err := consume(par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) { return i, nil }, par.On(p)), &results); err != nil || results != 1000 {
			t.Errorf("F7: in a bubble: %d results, %v", results, err)
		}
		if after := p.Stats(); after.Borrowed+after.Injected == before.Borrowed+before.Injected {
			t.Errorf("F7: in a bubble, nobody helps")
		}
	})
}

// Nothing is left of a sequence: no goroutine, and none was needed for cheap elements.
func TestMapSeqLeavesNothing(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	at := func() int { runtime.GC(); return runtime.NumGoroutine() }
	for range 3 {
		before := p.Stats()
		src := upTo{n: 1000}
		for range par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) { return i, nil }, par.On(p)) {
		}
		if after := p.Stats(); after.Borrowed+after.Injected > before.Borrowed+before.Injected {
			t.Logf("1000 elements of nothing asked for help") // the machine may stand still
		}
	}
	begun := at()
	for k := range 200 {
		src := upTo{n: 1000}
		for r := range par.MapSeq(background, src.each, func(_ context.Context, i int) (int, error) { spin(20 * time.Microsecond); return i, nil }, par.On(p)) {
			if r == k {
				break
			}
		}
	}
	for beats := 0; at() > begun; beats++ {
		if time.Sleep(time.Millisecond); beats == 10_000 {
			t.Fatalf("F4: %d goroutines before 200 sequences, %d after", begun, at())
		}
	}
	type result *[1 << 16]byte
	var results []weak.Pointer[[1 << 16]byte]
	src := upTo{n: 200}
	for r := range par.MapSeq(background, func(yield func(result) bool) {
		src.each(func(int) bool { return yield(new([1 << 16]byte)) })
	}, func(_ context.Context, x result) (result, error) {
		spin(20 * time.Microsecond)
		results := new([1 << 16]byte)
		*results = *x
		return results, nil
	}, par.On(p), par.WithWindow(64)) {
		if results = append(results, weak.Make((*[1 << 16]byte)(r))); len(results) == src.n {
			runtime.GC()
			kept := 0
			for _, r := range results {
				if r.Value() != nil {
					kept++
				}
			}
			if kept > 2 {
				t.Errorf("F4: %d results that were yielded are kept", kept)
			}
		}
	}
}

func TestMapSeqRefused(t *testing.T) {
	f := func(context.Context, int) (int, error) { return 0, nil }
	for what, call := range map[string]func(){
		"MapSeq with a nil function": func() { par.MapSeq[int, int](background, (&upTo{}).each, nil) },
		"MapSeq with a nil":          func() { par.MapSeq(background, nil, f) },
		"MapSeq with a nil context":  func() { par.MapSeq(context.Context(nil), (&upTo{}).each, f) }, //nolint
		"WithWindow of 0":            func() { par.WithWindow(0) },
		"WithWindow of -1":           func() { par.WithWindow(-1) },
	} {
		if v, _ := caught(call).(string); !strings.Contains(v, what) {
			t.Errorf("F8: panic %q, want one that says %q", v, what)
		}
	}
	seq := par.MapSeq(background, (&upTo{n: 10}).each, f, par.WithWindow(math.MaxInt))
	for range 2 {
		n := 0
		for range seq {
			n++
		}
		if n != 10 {
			t.Errorf("F8: a use yields %d results of 10", n)
		}
	}
}

func ExampleMapSeq() {
	lengths := par.MapSeq(context.Background(), strings.FieldsSeq("to be or not to be"),
		func(_ context.Context, word string) (int, error) { return len(word), nil })
	for n, err := range lengths {
		fmt.Print(n, err, " ")
	}
	// Output: 2 <nil> 2 <nil> 2 <nil> 3 <nil> 2 <nil> 2 <nil>
}

// The costs of a stage: of elements that the consumer does, and of such as are shared.
func BenchmarkMapSeq(b *testing.B) {
	for _, work := range []time.Duration{0, 100 * time.Nanosecond, time.Microsecond, 10 * time.Microsecond, 100 * time.Microsecond} {
		do := func(_ context.Context, i int) (int, error) {
			if work > 0 {
				spin(work)
			}
			return i, nil
		}
		n := max(1000, int(20*time.Millisecond/max(work, 20)))
		for _, impl := range []string{"sequential", "par", "par-window=1", "ForErr"} {
			b.Run(fmt.Sprintf("work=%v/impl=%s", work, impl), func(b *testing.B) {
				for b.Loop() {
					switch src := (&upTo{n: n}).quick; impl {
					case "sequential":
						for i := range src {
							if _, err := do(background, i); err != nil {
								b.Fatal(err)
							}
						}
					case "ForErr":
						par.ForErr(background, n, func(ctx context.Context, i int) error { _, err := do(ctx, i); return err })
					default:
						var opts []par.Option
						if impl == "par-window=1" {
							opts = append(opts, par.WithWindow(1))
						}
						for _, err := range par.MapSeq(background, src, do, opts...) {
							if err != nil {
								b.Fatal(err)
							}
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
	}
}

// quick is each without counts.
func (u *upTo) quick(yield func(int) bool) {
	for i := range u.n {
		if !yield(i) {
			return
		}
	}
}

// Somebody who watches hears from time to time how many results there were, and at the end
// how many in all; not at the end of a sequence that fails, or that nobody wants the rest of.
func TestMapSeqProgress(t *testing.T) {
	type report struct{ done, total int }
	synctest.Test(t, func(t *testing.T) {
		watch := func(ctx context.Context, stop int) (reports []report) {
			source := func(yield func(int) bool) {
				for i := range 5 {
					if time.Sleep(30 * time.Millisecond); !yield(i) {
						return
					}
				}
			}
			seq := par.MapSeq(ctx, source, doubled, par.WithProgress(func(done, total int) {
				reports = append(reports, report{done, total})
			}))
			for r, err := range seq {
				if r == stop || err != nil {
					break
				}
			}
			return reports
		}
		if got, want := watch(background, -1), []report{{2, -1}, {4, -1}, {5, 5}}; !slices.Equal(got, want) {
			t.Errorf("WithProgress: MapSeq of 5 elements, 30 ms each, reports %v, want %v", got, want)
		}
		if got, want := watch(background, 2*2), []report{{2, -1}}; !slices.Equal(got, want) {
			t.Errorf("WithProgress: MapSeq whose consumer breaks at the third result reports %v, want %v", got, want)
		}
		ctx, cancel := context.WithTimeout(background, 100*time.Millisecond)
		defer cancel()
		if got, want := watch(ctx, -1), []report{{2, -1}}; !slices.Equal(got, want) {
			t.Errorf("WithProgress: MapSeq whose context ends reports %v, want %v", got, want)
		}
	})
}

func doubled(_ context.Context, x int) (int, error) { return 2 * x, nil }
