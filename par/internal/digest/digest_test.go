package digest_test

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

var background = context.Background()

// indexed is an error that has its element.
type indexed int

func (i indexed) Error() string { return "element " + strconv.Itoa(int(i)) }

// A fixed medley of operations runs again and again, on pools whose thieves choose at random
// and whose forks wait at random to be taken, with functions that take long at random. So
// loops are split anew each time, and each result must have the digest that it has without
// workers.
func TestDigest(t *testing.T) {
	alone := newPool(t)
	alone.Close()
	in := newMedley(rand.New(rand.NewPCG(1, 2)))
	want := in.digests(par.On(alone), func(int) {})
	schedules := 18
	if testing.Short() {
		schedules = 9
	}
	for _, workers := range []int{1, 2, 3, 64} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			for k := range schedules {
				seed := uint64(workers*schedules + k)
				how := []pool.Option{pool.WithWorkers(workers), pool.WithRandomSchedule(seed)}
				if k%3 == 2 {
					how = append(how, pool.WithEagerPublish())
				}
				got := in.digests(par.On(newPool(t, how...)), hesitant(seed))
				for i, d := range got {
					// An operation that changes its input gives another digest, too.
					if d != want[i] {
						t.Errorf("F1: %s has the digest %x on %d workers, seed %d, and %x without workers", medleyParts[i].name, d, workers, seed, want[i])
					}
				}
			}
		})
	}
}

func newPool(t *testing.T, opts ...pool.Option) *pool.Pool {
	t.Helper()
	p, err := pool.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// hesitant returns what functions do besides: at random they let others run, or sleep for
// so long that a loop asks for help.
func hesitant(seed uint64) (work func(int)) {
	var calls atomic.Uint64
	return func(int) {
		x := (calls.Add(1) ^ seed) * 0x9E3779B97F4A7C15
		switch x >> 51 { // one of 8192
		case 0:
			time.Sleep(30 * time.Microsecond)
		case 1, 2, 3, 4:
			runtime.Gosched()
		}
	}
}

// A medley is the input of the operations.
type medley struct {
	ints   []int // below 1000
	floats []float64
	keys   []int // many
	words  []string
	pairs  [][2]int // ints, with their indices
	a, b   [][2]int // the same, each in order
	rising []int
}

func newMedley(rng *rand.Rand) *medley {
	m := &medley{ints: make([]int, 4200), floats: make([]float64, 4200), keys: make([]int, 33_000), words: make([]string, 4200)}
	for i := range m.ints {
		m.ints[i] = rng.IntN(1000)
		m.floats[i] = rng.NormFloat64() * math.Pow(2, float64(rng.IntN(40)))
		m.words[i] = fmt.Sprint("a word with the number ", rng.IntN(3000))
	}
	for i := range m.keys {
		m.keys[i] = int(rng.Int64() >> rng.IntN(60))
	}
	m.pairs = withIndex(m.ints)
	m.a, m.b = slices.Clone(m.pairs[:1800]), slices.Clone(m.pairs[1800:])
	slices.SortStableFunc(m.a, hundreds)
	slices.SortStableFunc(m.b, hundreds)
	m.rising = slices.Sorted(slices.Values(m.ints))
	return m
}

func (m *medley) digests(on par.Option, work func(int)) []uint64 {
	all := make([]uint64, len(medleyParts))
	for i, op := range medleyParts {
		all[i] = op.digest(m, on, work)
	}
	return all
}

// seedOfDigests is that of this process: digests are compared in it alone.
var seedOfDigests = maphash.MakeSeed()

// digestOf is the digest of elements in their order.
func digestOf[E comparable](s []E) uint64 {
	var d uint64
	for _, x := range s {
		d = d*0x9E3779B97F4A7C15 + maphash.Comparable(seedOfDigests, x)
	}
	return d + uint64(len(s))
}

// bitsOf tells floats apart that are equal.
func bitsOf(s []float64) []uint64 {
	to := make([]uint64, len(s))
	for i, x := range s {
		to[i] = math.Float64bits(x)
	}
	return to
}

// medleyParts are all operations of package par, some of them with floats, whose brackets must
// stand as they do without workers.
var medleyParts = []struct {
	name   string
	digest func(m *medley, on par.Option, work func(int)) uint64
}{
	{"For", func(m *medley, on par.Option, work func(int)) uint64 {
		to := make([]int, len(m.ints))
		par.For(len(to), func(i int) { work(i); to[i] += m.ints[i] + i }, on)
		return digestOf(to)
	}},
	{"ForRange", func(m *medley, on par.Option, work func(int)) uint64 {
		to := make([]int, len(m.ints))
		par.ForRange(len(to), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				work(i)
				to[i] += m.ints[i] * i
			}
		}, on)
		return digestOf(to)
	}},
	{"Each", func(m *medley, on par.Option, work func(int)) uint64 {
		to := slices.Clone(m.ints)
		par.Each(to, func(i int, x *int) { work(i); *x += i }, on)
		return digestOf(to)
	}},
	{"Do", func(m *medley, on par.Option, work func(int)) uint64 {
		var to [3]uint64
		par.Do([]func(){
			func() { to[0] = math.Float64bits(par.Sum(m.floats, on)) },
			func() { to[1] = uint64(par.IndexFunc(m.ints, func(x int) bool { work(x); return x > 990 }, on)) },
			func() { to[2] = uint64(par.Sum(m.ints, on)) },
		}, on)
		return digestOf(to[:])
	}},
	{"DoErr", func(m *medley, on par.Option, work func(int)) uint64 {
		err := par.DoErr(background, []func(context.Context) error{
			func(context.Context) error { work(0); return nil },
			func(context.Context) error { work(1); return indexed(m.ints[1]) },
			func(context.Context) error { return indexed(m.ints[2]) },
		}, on)
		return uint64(err.(indexed))
	}},
	{"ForErr", func(m *medley, on par.Option, work func(int)) uint64 {
		err := par.ForErr(background, len(m.ints), func(_ context.Context, i int) error {
			if work(i); i > 3000 && m.ints[i] > 900 {
				return indexed(i)
			}
			return nil
		}, on)
		return uint64(err.(indexed))
	}},
	{"ForRangeErr", func(m *medley, on par.Option, work func(int)) uint64 {
		to := make([]int, len(m.ints))
		err := par.ForRangeErr(background, len(to), func(_ context.Context, lo, hi int) error {
			for i := lo; i < hi; i++ {
				if work(i); i > 3500 && m.ints[i] > 900 {
					return indexed(i)
				}
				to[i] = m.ints[i] - i
			}
			return nil
		}, on)
		return digestOf(to[:3500]) ^ uint64(err.(indexed))
	}},
	{"EachErr", func(m *medley, on par.Option, work func(int)) uint64 {
		to := slices.Clone(m.ints)
		err := par.EachErr(background, to, func(_ context.Context, i int, x *int) error {
			if work(i); i > 3500 && *x > 900 {
				return indexed(i)
			}
			*x -= i
			return nil
		}, on)
		return digestOf(to[:3500]) ^ uint64(err.(indexed))
	}},
	{"Map", func(m *medley, on par.Option, work func(int)) uint64 {
		return digestOf(par.Map(m.ints, func(x int) int { work(x); return x * x }, on))
	}},
	{"MapInto", func(m *medley, on par.Option, work func(int)) uint64 {
		to := slices.Clone(m.floats)
		par.MapInto(to, to, func(x float64) float64 { work(0); return math.Sqrt(math.Abs(x)) }, on)
		return digestOf(bitsOf(to))
	}},
	{"MapErr", func(m *medley, on par.Option, work func(int)) uint64 {
		to, err := par.MapErr(background, m.ints, func(_ context.Context, x int) (int, error) { work(x); return x + 1, nil }, on, par.WithLimit(3))
		if err != nil {
			return 0
		}
		return digestOf(to)
	}},
	{"Tabulate", func(m *medley, on par.Option, work func(int)) uint64 {
		return digestOf(par.Tabulate(len(m.ints), func(i int) int { work(i); return i ^ m.ints[i] }, on))
	}},
	{"Filter", func(m *medley, on par.Option, work func(int)) uint64 {
		return digestOf(par.Filter(m.ints, func(x int) bool { work(x); return x%3 == 0 }, on))
	}},
	{"FilterErr", func(m *medley, on par.Option, work func(int)) uint64 {
		some, err := par.FilterErr(background, m.ints, func(_ context.Context, x int) (bool, error) { work(x); return x%5 == 0, nil }, on)
		if err != nil {
			return 0
		}
		return digestOf(some)
	}},
	{"FilterMap", func(m *medley, on par.Option, work func(int)) uint64 {
		return digestOf(par.FilterMap(m.ints, func(x int) (int, bool) { work(x); return -x, x%3 == 0 }, on))
	}},
	{"Partition", func(m *medley, on par.Option, work func(int)) uint64 {
		yes, no := par.Partition(m.ints, func(x int) bool { work(x); return x%3 == 0 }, on)
		return digestOf(yes) - digestOf(no)
	}},
	{"FlatMap", func(m *medley, on par.Option, work func(int)) uint64 {
		return digestOf(par.FlatMap(m.ints, func(x int) []int { work(x); return repeated(x) }, on))
	}},
	{"Scan", func(m *medley, on par.Option, work func(int)) uint64 {
		return digestOf(bitsOf(par.Scan(m.floats, func(a, b float64) float64 { work(0); return a + b }, on)))
	}},
	{"ScanInto", func(m *medley, on par.Option, work func(int)) uint64 {
		to := affines(m.ints)
		par.ScanInto(to, to, func(f, g affine) affine { work(0); return f.then(g) }, on)
		return digestOf(to)
	}},
	{"ScanExclusive", func(m *medley, on par.Option, work func(int)) uint64 {
		to, all := par.ScanExclusive(m.floats, 0.1, func(a, b float64) float64 { work(0); return a + b }, on)
		return digestOf(bitsOf(append(to, all)))
	}},
	{"Reduce", func(m *medley, on par.Option, work func(int)) uint64 {
		sum, _ := par.Reduce(m.floats, func(a, b float64) float64 { work(0); return a + b }, on)
		return math.Float64bits(sum)
	}},
	{"Fold", func(m *medley, on par.Option, work func(int)) uint64 {
		return math.Float64bits(par.Fold(m.floats, func() float64 { return 0 }, func(a, x float64) float64 { work(0); return a + x },
			func(a, b float64) float64 { return a + b }, on))
	}},
	{"FoldErr", func(m *medley, on par.Option, work func(int)) uint64 {
		sum, err := par.FoldErr(background, m.floats, func() float64 { return 0 },
			func(_ context.Context, a, x float64) (float64, error) { work(0); return a - x, nil },
			func(a, b float64) float64 { return a + b }, on)
		if err != nil {
			return 0
		}
		return math.Float64bits(sum)
	}},
	{"FoldRange", func(m *medley, on par.Option, work func(int)) uint64 {
		return digestOf(par.FoldRange(len(m.ints), func(lo, hi int) []int { work(lo); return []int{lo, hi} },
			func(a, b []int) []int { work(0); return append(a, b...) }, on))
	}},
	{"Sum", func(m *medley, on par.Option, _ func(int)) uint64 {
		return math.Float64bits(par.Sum(m.floats, on))
	}},
	{"Min", func(m *medley, on par.Option, work func(int)) uint64 {
		order := func(a, b [2]int) int { work(0); return hundreds(a, b) }
		return digestOf([]any{par.Min(m.keys, on), par.Max(m.floats, on), par.MinFunc(m.pairs, order, on), par.MaxFunc(m.pairs, order, on)})
	}},
	{"CountFunc", func(m *medley, on par.Option, work func(int)) uint64 {
		return uint64(par.CountFunc(m.ints, func(x int) bool { work(x); return x%7 == 0 }, on))
	}},
	{"IndexFunc", func(m *medley, on par.Option, work func(int)) uint64 {
		at := par.IndexFunc(m.pairs, func(x [2]int) bool { work(0); return x[1] > 3000 && x[0] > 900 }, on)
		has := par.ContainsFunc(m.ints, func(x int) bool { work(x); return x > 1000 }, on)
		all := par.AllFunc(m.ints, func(x int) bool { work(x); return x < 1000 }, on)
		return digestOf([]any{at, has, all})
	}},
	{"Sort", func(m *medley, on par.Option, _ func(int)) uint64 {
		keys, floats, words := slices.Clone(m.keys), slices.Clone(m.floats), slices.Clone(m.words)
		par.Sort(keys, on)
		par.Sort(floats, on)
		par.Sort(words, on)
		return digestOf(keys) ^ digestOf(bitsOf(floats)) ^ digestOf(words)
	}},
	{"SortFunc", func(m *medley, on par.Option, work func(int)) uint64 {
		to := slices.Clone(m.pairs)
		par.SortFunc(to, func(a, b [2]int) int { work(0); return hundreds(a, b) }, on)
		return digestOf(to)
	}},
	{"SortFuncByFields", func(m *medley, on par.Option, work func(int)) uint64 {
		to := slices.Clone(m.pairs)
		par.SortFunc(to, func(a, b [2]int) int { work(0); return downwards(a, b) }, on)
		return digestOf(to)
	}},
	{"SortKey", func(m *medley, on par.Option, work func(int)) uint64 {
		to := slices.Clone(m.pairs)
		par.SortKey(to, func(x [2]int) int { work(0); return x[0] % 500 }, on)
		return digestOf(to)
	}},
	{"Merge", func(m *medley, on par.Option, work func(int)) uint64 {
		floats := slices.Clone(m.floats)
		slices.Sort(floats[:1500])
		slices.Sort(floats[1500:])
		merged := digestOf(bitsOf(par.Merge(floats[:1500], floats[1500:], on)))
		return merged ^ digestOf(par.MergeFunc(m.a, m.b, func(a, b [2]int) int { work(0); return hundreds(a, b) }, on))
	}},
	{"IsSorted", func(m *medley, on par.Option, work func(int)) uint64 {
		yes := par.IsSortedFunc(m.rising, func(a, b int) int { work(0); return cmp.Compare(a, b) }, on)
		return digestOf([]bool{yes, par.IsSorted(m.rising, on), par.IsSorted(m.ints, on)})
	}},
	{"Nth", func(m *medley, on par.Option, work func(int)) uint64 {
		at := par.NthFunc(m.pairs, 2000, func(a, b [2]int) int { work(0); return hundreds(a, b) }, on)
		return digestOf([]any{at, par.Nth(m.ints, 1000, on)})
	}},
	{"TopK", func(m *medley, on par.Option, work func(int)) uint64 {
		few := par.TopKFunc(m.pairs, 20, func(a, b [2]int) int { work(0); return hundreds(a, b) }, on)
		return digestOf(few) ^ digestOf(par.TopK(m.keys, 20, on))
	}},
	{"Compact", func(m *medley, on par.Option, work func(int)) uint64 {
		some := par.CompactFunc(m.ints, func(a, b int) bool { work(0); return a/300 == b/300 }, on)
		return digestOf(some) ^ digestOf(par.Compact(m.rising, on))
	}},
	{"CountInto", func(m *medley, on par.Option, work func(int)) uint64 {
		counts := make([]int, 50)
		par.CountInto(counts, m.ints, func(x int) int { work(x); return x % 50 }, on)
		return digestOf(counts)
	}},
	{"GroupBy", func(m *medley, on par.Option, work func(int)) uint64 {
		groups := par.GroupBy(m.pairs, func(x [2]int) int { work(0); return x[0] % 50 }, on)
		d := uint64(len(groups))
		for k := range 50 {
			d = d*31 + digestOf(groups[k])
		}
		return d
	}},
	{"FoldBy", func(m *medley, on par.Option, work func(int)) uint64 {
		sums := par.FoldBy(m.floats, func(x float64) int { work(0); return int(math.Abs(x)) % 50 }, func() float64 { return 0 },
			func(a, x float64) float64 { return a + x }, func(a, b float64) float64 { return a + b }, on)
		to := make([]float64, 50)
		for k := range to {
			to[k] = sums[k]
		}
		return digestOf(bitsOf(to))
	}},
	{"MapSeq", func(m *medley, on par.Option, work func(int)) uint64 {
		var to []int
		for x, err := range par.MapSeq(background, slices.Values(m.ints), func(_ context.Context, x int) (int, error) {
			work(x)
			return x * 3, nil
		}, on, par.WithWindow(50)) {
			if err != nil {
				return 0
			}
			to = append(to, x)
		}
		return digestOf(to)
	}},
	{"MapSeq of a live source", func(m *medley, on par.Option, work func(int)) uint64 {
		var to []int
		for x := range par.MapSeq(background, slices.Values(m.ints), func(_ context.Context, x int) (int, error) {
			work(x)
			return x * 3, nil
		}, on, par.WithLiveSource()) {
			to = append(to, x)
		}
		return digestOf(to)
	}},
	{"NewPipe", func(m *medley, on par.Option, work func(int)) uint64 {
		var to []int
		pipe := par.NewPipe(background, func(_ context.Context, x int) (int, error) {
			work(x)
			return x * 3, nil
		}, func(x int) error { to = append(to, x); return nil }, on)
		for _, x := range m.ints {
			if pipe.Push(x) != nil {
				return 0
			}
		}
		if pipe.Close() != nil {
			return 0
		}
		return digestOf(to)
	}},
	{"Scratch", func(m *medley, on par.Option, work func(int)) uint64 {
		var parts par.Scratch[[10]int]
		par.ForRange(len(m.ints), func(lo, hi int) {
			parts.Do(func(a *[10]int) {
				for i := lo; i < hi; i++ {
					work(i)
					a[m.ints[i]%10]++
				}
			})
		}, on)
		var sum [10]int
		for a := range parts.All() {
			for k, n := range a {
				sum[k] += n
			}
		}
		return digestOf(sum[:])
	}},
}

// affine is x → ax+b. To put such functions one after the other is associative, and not
// commutative.
type affine struct{ a, b uint32 }

func affineOf(x int) affine { return affine{uint32(x)*2 + 1, uint32(x)} }

func (f affine) then(g affine) affine { return affine{f.a * g.a, f.b*g.a + g.b} }

func affines(s []int) []affine {
	fs := make([]affine, len(s))
	for i, x := range s {
		fs[i] = affineOf(x)
	}
	return fs
}

// hundreds orders elements with many ties.
func hundreds(a, b [2]int) int { return a[0]/100 - b[0]/100 }

// downwards orders elements by the first number, and those with the same one by the second,
// the other way round.
func downwards(a, b [2]int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) }

func repeated(x int) []int { return slices.Repeat([]int{x}, x%4) }

func withIndex(s []int) [][2]int {
	to := make([][2]int, len(s))
	for i, x := range s {
		to[i] = [2]int{x, i}
	}
	return to
}
