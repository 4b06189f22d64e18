package work_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
	"github.com/rouse-go/rouse/pool"
)

// What all shapes are compared with is right itself: known numbers, and a digest that tells what is
// not sorted.
func TestKnownAnswers(t *testing.T) {
	for name, test := range map[string]struct{ got, want uint64 }{
		"forks of fib(4)": {uint64(work.FibForks(4)), 4}, // of 4, 3, 2 and 2
		"fib(10)":         {work.Fib(10).Sequential(), 55},
		"6 queens":        {work.Queens(6).Sequential(), 4}, // OEIS, A000170
		"a tree":          {work.Tree(4, 0).Sequential(), 15 * 16 / 2},
		"not sorted":      {work.SortDigest([]int64{1, 3, 2}), 0},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", name, test.got, test.want)
		}
	}
	if work.SortDigest([]int64{1, 2, 3}) == work.SortDigest([]int64{1, 2, 4}) {
		t.Error("SortDigest does not tell")
	}
}

// Pieces give the same however many there are, also more than there are elements.
func TestCutoff(t *testing.T) {
	for name, p := range map[string]*work.Program{
		"for": loops.For(99), "nested": loops.Nested(9), "range": loops.Range(99), "map": loops.Map(99),
		"reduce": loops.Reduce(99), "sum": loops.Sum(99), "histogram": loops.Histogram(99, 7),
		"sort": loops.SortInt(9000, loops.SortAlmost), "mandelbrot": loops.Mandelbrot(9), "sparse": loops.Sparse(100),
	} {
		result := func(shape func() uint64) uint64 {
			if p.Prepare != nil {
				p.Prepare()
			}
			got := shape()
			if p.Digest != nil {
				got = p.Digest()
			}
			return got
		}
		want := result(p.Sequential)
		for _, pieces := range []int{1, 2, 7, 1000} {
			if got := result(func() uint64 { return p.Cutoff(pieces) }); got != want {
				t.Errorf("%s in %d pieces: %d, want %d", name, pieces, got, want)
			}
		}
	}
}

// SortCut sorts what slices.Sort sorts: few elements, many that are equal, and as many that a merge is
// split, also where one side of it gets nothing.
func TestSortCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 5, 1000, 300_000} {
		for _, values := range []int64{1, 3, 1 << 40} {
			s := make([]int64, n)
			for i := range s {
				s[i] = r.Int64N(values)
			}
			for _, input := range [][]int64{s, slices.Sorted(slices.Values(s))} {
				want := slices.Sorted(slices.Values(input))
				if work.SortCut(input, 3); !slices.Equal(input, want) {
					t.Errorf("%d of %d values are not sorted", n, values)
				}
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

// In virtual time, leaves that sleep take a whole number of leaf times: with goroutines exactly two,
// or not as many sleep at once as there are workers. On a pool it is two at least: a failure means that a leaf did
// not sleep, or slept where no worker was. It is as many as there are leaves at most: more means
// that the program itself waits for something else.
func TestFill(t *testing.T) {
	const workers, leaves = 3, 6
	check := func(t *testing.T, most time.Duration, run func() (uint64, error)) {
		t.Helper()
		start := time.Now()
		if got, err := run(); err != nil || got != leaves {
			t.Errorf("%d leaves, error %v; want %d", got, err, leaves)
		}
		if took := time.Since(start); took < 2*time.Second || took > most || took%time.Second != 0 {
			t.Errorf("took %v", took)
		}
	}
	for _, shape := range work.FillShapes() {
		t.Run(string(shape), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				program := work.Fill(shape, workers, time.Second)
				if !program.Asleep {
					t.Error("the workers may be awake before")
				}
				check(t, 2*time.Second, func() (uint64, error) { return program.Goroutines(), nil })
				p, err := pool.New(pool.WithWorkers(workers))
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				check(t, leaves*time.Second, func() (uint64, error) { return program.Pool(p) })
			})
		})
	}
}
