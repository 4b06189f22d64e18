package work_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
	"github.com/rouse-go/rouse/pool"
)

// What all ways are compared with is right itself: known numbers, and a digest that tells what is
// not sorted.
func TestKnownAnswers(t *testing.T) {
	for name, test := range map[string]struct{ got, want uint64 }{
		"forks of fib(4)": {uint64(work.FibForks(4)), 4}, // of 4, 3, 2 and 2
		"fib(10)":         {work.Fib(10).Plain(), 55},
		"6 queens":        {work.Queens(6).Plain(), 4}, // OEIS, A000170
		"a tree":          {work.Tree(4, 0).Plain(), 15 * 16 / 2},
		"jobs with locks": {work.LocksResult(1), 2 * 6 * (15 + 7 + 3 + 1)},
		"a digest":        {work.Digest([]int64{1, 3, 2}), 1 + 2*3 + 3*2},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", name, test.got, test.want)
		}
	}
}

// A loop that is cut by hand gives the same in however many pieces, even more than there are elements.
func TestCutoff(t *testing.T) {
	for name, p := range map[string]*work.Program{
		"for": loops.For(99), "range": loops.Range(99), "map": loops.Map(99), "reduce": loops.Reduce(99), "sum": loops.Sum(99), "mandelbrot": loops.Mandelbrot(9),
	} {
		result := func(way func() uint64) uint64 {
			if p.Prepare != nil {
				p.Prepare()
			}
			got := way()
			if p.Digest != nil {
				got = p.Digest()
			}
			return got
		}
		want := result(p.Plain)
		for _, workers := range []int{1, 2, 7, 50} {
			if got := result(func() uint64 { return p.InGo[work.Cutoff](workers) }); got != want {
				t.Errorf("%s with %d workers: %d, want %d", name, workers, got, want)
			}
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
		t.Run(shape, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				program := work.Fill(shape, workers, time.Second)
				if !program.Asleep {
					t.Error("the workers may be awake before")
				}
				check(t, 2*time.Second, func() (uint64, error) { return program.InGo[work.Goroutine](workers), nil })
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
