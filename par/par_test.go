package par_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

func TestMain(m *testing.M) { testrule.Main(m) }

var background = context.Background()

func newPool(t testing.TB, opts ...pool.Option) *pool.Pool {
	t.Helper()
	p, err := pool.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}

func closedPool(t testing.TB, opts ...pool.Option) *pool.Pool {
	p := newPool(t, opts...)
	p.Close()
	return p
}

// onPools runs f with pools of several sizes.
func onPools(t *testing.T, f func(t *testing.T, p *pool.Pool)) {
	for _, workers := range []int{1, 2, 3, 64} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			f(t, newPool(t, pool.WithWorkers(workers)))
		})
	}
}

// inBubble calls f with a new pool of so many workers, all asleep, where only what sleeps takes time.
func inBubble(t *testing.T, workers int, f func(t *testing.T, p *pool.Pool)) {
	testrule.Bubble(t, func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(workers))
		synctest.Wait()
		f(t, p)
	})
}

// inJob calls f in a job of p.
func inJob(p *pool.Pool, f func(w *pool.Worker)) error {
	_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int { f(w); return 0 }, 0)
	return err
}

// spin keeps the processor busy.
func spin(d time.Duration) {
	for begun := prim.Now(); prim.Now()-begun < d; {
	}
}

// works are bodies of several lengths, for loops that are over at once, and for such as
// are shared.
var works = []struct {
	name string
	do   func(i int)
	most int // the largest loop that such a body is for
}{
	{"nothing", func(int) {}, math.MaxInt},
	{"1us", func(int) { spin(time.Microsecond) }, 5000},
	{"30us", func(int) { spin(30 * time.Microsecond) }, 100},
	{"first", func(i int) {
		if i == 0 {
			spin(300 * time.Microsecond)
		}
	}, math.MaxInt},
	{"skewed", func(i int) { spin(300 * time.Microsecond / time.Duration(i+1)) }, 1000},
	{"gosched", func(int) { runtime.Gosched() }, 5000},
}

// A level counts what is under way, and the most of it.
type level struct{ now, most atomic.Int32 }

func (l *level) up() {
	now := l.now.Add(1)
	for most := l.most.Load(); now > most && !l.most.CompareAndSwap(most, now); most = l.most.Load() {
	}
}

func (l *level) down() { l.now.Add(-1) }

// during counts f.
func (l *level) during(f func()) {
	l.up()
	defer l.down()
	f()
}

// A failure is the error or the panic of an element.
type failure int

func (f failure) Error() string { return fmt.Sprintf("element %d", int(f)) }

// An end is how something fails.
type end int

const (
	byError end = iota
	byPanic
	byGoexit
)

// fail fails so.
func (e end) fail(i int) error {
	switch e {
	case byPanic:
		panic(failure(i))
	case byGoexit:
		runtime.Goexit()
	}
	return failure(i)
}

// is reports whether a call has ended so, by the element i.
func (e end) is(i int, value any, exited bool, err error) bool {
	want := failure(i)
	return (err == want) == (e == byError) && (value == want) == (e == byPanic) && exited == (e == byGoexit)
}

// ended calls f on a goroutine of its own, and returns how it has ended.
func ended(f func() error) (value any, exited bool, err error) {
	done := make(chan struct{})
	exited = true
	go func() {
		defer close(done)
		defer func() {
			if exited {
				value = recover()
				exited = value == nil
			}
		}()
		err = f()
		exited = false
	}()
	<-done
	return value, exited, err
}

// caught returns what f panics with.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func add(a, b int) int                                { return a + b }
func tryAdd(_ context.Context, a, b int) (int, error) { return a + b, nil }
func zero() int                                       { return 0 }
func first(lo, hi int) int                            { return lo }
func bucket(x int) int                                { return x % 100 }
func double(x int) int                                { return 2 * x }
func doubled(_ context.Context, x int) (int, error)   { return 2 * x, nil }

func indices(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// inFull returns the lengths few, and unless the tests are to be short also those that take most of the
// time.
func inFull(few []int, more ...int) []int {
	if testing.Short() {
		return few
	}
	return append(few, more...)
}

// dealt returns the numbers 0 to n-1 in an order in which neither many ascend nor many
// descend.
func dealt(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i * 7919 % n
	}
	return s
}

// shapes are how long elements take.
var shapes = map[string]func(rng *rand.Rand, n int) []time.Duration{
	"equal":              func(_ *rand.Rand, n int) []time.Duration { return millis(n, 20) },
	"the first has half": func(_ *rand.Rand, n int) []time.Duration { return append(millis(1, n), millis(n-1, 1)...) },
	"nothing, and then long ones": func(_ *rand.Rand, n int) []time.Duration {
		return append(millis(n/2, 0), millis(n-n/2, 5)...)
	},
	// The clock has seen how quick these are.
	"17 short ones, and then long ones": func(_ *rand.Rand, n int) []time.Duration {
		d := millis(n, 5)
		for i := range min(17, n-1) {
			d[i] = time.Nanosecond
		}
		return d
	},
	"one in six is long": func(rng *rand.Rand, n int) []time.Duration {
		return filled(n, func(int) int { return 10 * (1 - min(1, rng.IntN(6))) })
	},
	"the k-th longest is a k-th": func(rng *rand.Rand, n int) []time.Duration {
		d := millis(n, 0)
		for i, k := range rng.Perm(n) {
			d[i] = time.Second / time.Duration(k+1)
		}
		return d
	},
	// With these the parts of a fold wait for each other. Loops do not care.
	"folds: the first of eight are long": func(_ *rand.Rand, n int) []time.Duration {
		return filled(n, func(i int) int { return max(1, 100*(1-i%8)) })
	},
	"folds: the last of eight are long": func(_ *rand.Rand, n int) []time.Duration {
		return filled(n, func(i int) int { return max(1, 100*(i%8-6)) })
	},
	"folds: falling": func(_ *rand.Rand, n int) []time.Duration { return filled(n, func(i int) int { return n - i }) },
}

// filled returns n times as many milliseconds as ms says.
func filled(n int, ms func(i int) int) []time.Duration {
	d := millis(n, 1)
	for i := range d {
		d[i] *= time.Duration(ms(i))
	}
	return d
}

// millis returns n times so many milliseconds.
func millis(n, ms int) []time.Duration {
	return slices.Repeat([]time.Duration{time.Duration(ms) * time.Millisecond}, n)
}

// mostFor is how long a call may take in which no element holds others up: the sum of all by
// the number of workers, and twice the longest.
func mostFor(d []time.Duration, workers int) time.Duration {
	return sumOf(d)/time.Duration(workers) + 2*slices.Max(d)
}

func sumOf(d []time.Duration) (sum time.Duration) {
	for _, x := range d {
		sum += x
	}
	return sum
}
