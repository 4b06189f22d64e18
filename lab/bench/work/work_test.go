package work_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
	"github.com/rouse-go/rouse/pool"
)

// A number that workloads divide their times by, and what tells a sort that is none, of which no
// answer of a workload says that they are right.
func TestKnownAnswers(t *testing.T) {
	if got := work.FibForks(4); got != 4 { // of 4, 3, 2 and 2
		t.Errorf("FibForks(4) is %d", got)
	}
	if work.SortDigest([]int64{1, 3, 2}) != 0 || work.SortDigest([]int64{1, 2, 3}) == work.SortDigest([]int64{1, 2, 4}) {
		t.Error("SortDigest does not tell")
	}
}

// groups runs everything at once, on the spot.
type group struct{}

func (group) Go(f func()) { f() }
func (group) Wait()       {}

// Flat pieces give the same however many there are, also more than there can
// be.
func TestFlat(t *testing.T) {
	for name, p := range map[string]*work.Program{
		"fib":    work.Fib(8),
		"tree":   work.Tree(5, 0),
		"queens": work.Queens(5),
		"sort":   work.Sort(9000),

		"par-for": loops.For(99), "par-nested": loops.Nested(9), "par-range": loops.Range(99), "par-map": loops.Map(99),
		"par-mapinto": loops.MapInto(99), "par-reduce": loops.Reduce(99), "par-sum": loops.Sum(99), "par-min": loops.Min(99),
		"par-histogram": loops.Histogram(99, 7), "par-sort-int": loops.SortInt(9000, loops.SortAlmost),
		"par-mandelbrot": loops.Mandelbrot(9), "par-nbody": loops.Bodies(9), "par-life": loops.Life(9),
		"par-sparse": loops.Sparse(100),
		"sweep":      loops.Sweep(100, 9, loops.SweepPower),
	} {
		for _, pieces := range []int{1, 2, 7, 1000} {
			var got []uint64
			for _, shape := range []func() uint64{
				p.Sequential,
				func() uint64 { return p.Flat(func() work.Group { return group{} }, pieces) },
			} {
				if p.Prepare != nil {
					p.Prepare()
				}
				result := shape()
				if p.Digest != nil {
					result = p.Digest()
				}
				got = append(got, result)
			}
			if slices.Min(got) != slices.Max(got) {
				t.Errorf("%s in %d pieces: %d", name, pieces, got)
			}
		}
	}
}

// A failure means that a library of others is measured on a sort that it is asked for
// wrongly. The slices are long enough for it to sort parts of them at the same time.
func TestLibrarySorts(t *testing.T) {
	const n = 30_000
	for name, p := range map[string]*work.Program{
		"par-sort-int": loops.SortInt(n, loops.SortRandom), "par-sort-strings": loops.SortStrings(n),
		"par-sort-pairs": loops.SortPairs(n, loops.SortRandom), "par-sort-pairs-few": loops.SortPairs(n, loops.SortFew),
	} {
		p.Prepare()
		p.Sequential()
		want := p.Digest()
		for library, sort := range p.Library {
			p.Prepare()
			sort(2)
			if got := p.Digest(); got != want || got == 0 {
				t.Errorf("%s by %s: %d, plainly %d", name, library, got, want)
			}
		}
	}
}

// A post is timed from before it until the job begins, or until it returns.
func TestLatency(t *testing.T) {
	for _, busy := range []bool{true, false} {
		_, took := work.Latency(busy, 0).Posts(func(job func()) func() {
			return func() { go func() { time.Sleep(20 * time.Millisecond); job() }() }
		})
		if took < 20*time.Millisecond {
			t.Errorf("busy %t: a job that began after 20 ms is said to have after %v", busy, took)
		}
	}
}

// Each shape has about as much work as the others, divided as it says: a failure means
// that the sweep compares loops of other lengths.
func TestSweepSteps(t *testing.T) {
	for _, n := range []int{10, 1000} {
		for shape, longest := range map[loops.SweepShape]int{loops.SweepEven: 100, loops.SweepFirst: 50 * n, loops.SweepPower: 0} {
			steps := loops.SweepSteps(n, 100, shape)
			sum := 0
			for _, s := range steps {
				sum += int(s)
			}
			if len(steps) != n || sum < 98*n || sum > 100*n || slices.Max(steps) != steps[0] {
				t.Errorf("%d elements, %s: %d steps, of which the first has %d", n, shape, sum, steps[0])
			}
			if longest > 0 && int(steps[0]) != longest {
				t.Errorf("%s: one has %d steps, want %d", shape, steps[0], longest)
			}
			slices.Sort(steps)
			if longest == 0 && steps[n-1]/2 != steps[n-2] {
				t.Errorf("power: the longest has %d steps, the second %d", steps[n-1], steps[n-2])
			}
		}
	}
}

// In virtual time, goroutines take exactly two leaf times. A failure means that
// not as many sleep at once as there are workers, so that pools are compared
// with something else.
func TestFillGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := work.Fill(work.FillFlat, 5, time.Second)
		groups := func() work.Group { return new(sync.WaitGroup) }
		for name, shape := range map[string]func() uint64{
			"nested": func() uint64 { return p.Nested(groups) },
			"flat":   func() uint64 { return p.Flat(groups, 80) },
		} {
			start := time.Now()
			if got := shape(); got != 10 {
				t.Errorf("%s: %d leaves, want 10", name, got)
			}
			if took := time.Since(start); took != 2*time.Second {
				t.Errorf("%s: 10 leaves of 1 s took %v with 5 at once, want 2 s", name, took)
			}
		}
	})
}

// On a pool, every shape runs every leaf, in a whole number of leaf times. That
// is 2 at least: a failure means that a leaf did not sleep, or slept where no
// worker was. It is as many as there are leaves at most: more means that the
// program itself waits for something else.
func TestFillPool(t *testing.T) {
	const workers, leaves = 3, 6
	for _, shape := range work.FillShapes() {
		t.Run(string(shape), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, err := pool.New(pool.WithWorkers(workers))
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				program := work.Fill(shape, workers, time.Second)
				if !program.Asleep {
					t.Error("the workers may be awake before")
				}
				start := time.Now()
				if got, err := program.Pool(p); err != nil || got != leaves {
					t.Errorf("%d leaves, error %v; want %d", got, err, leaves)
				}
				if took := time.Since(start); took < 2*time.Second || took > leaves*time.Second || took%time.Second != 0 {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}
