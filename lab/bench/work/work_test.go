package work

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// What all ways are compared with is right itself: known numbers, and a digest that tells what is
// not sorted.
func TestKnownAnswers(t *testing.T) {
	for name, test := range map[string]struct{ got, want uint64 }{
		"forks of fib(4)":    {uint64(FibForks(4)), 4}, // of 4, 3, 2 and 2
		"fib(10)":            {Fib(10).Plain(), 55},
		"a tree":             {Tree(4, 0).Plain(), 15 * 16 / 2},
		"the published tree": {UTS(10).Plain(), 4_130_071},
		"6 queens":           {Queens(6).Plain(), 4},
		"a digest":           {Digest([]int64{1, 3, 2}), 1 + 2*3 + 3*2},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", name, test.got, test.want)
		}
	}
}

// In virtual time, leaves that sleep take a whole number of leaf times: with goroutines exactly two,
// or not as many sleep at once as there are workers. On a pool it is two at least: a failure means that a leaf did
// not sleep, or slept where no worker was. It is as many as there are leaves at most: more means
// that the program itself waits for something else.
func TestFill(t *testing.T) {
	const workers, leaves = 3, 6
	for _, shape := range FillShapes() {
		synctest.Test(t, func(t *testing.T) {
			program := Fill(shape, workers, time.Second)
			p, err := pool.New(pool.WithWorkers(workers))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			start := time.Now()
			if n := program.Goroutines(workers); n != leaves || time.Since(start) != 2*time.Second {
				t.Errorf("%d leaves on goroutines took %v", n, time.Since(start))
			}
			start = time.Now()
			n, err := program.Pool(p)
			if took := time.Since(start); err != nil || n != leaves || took < 2*time.Second || took > leaves*time.Second || took%time.Second != 0 {
				t.Errorf("%s: %d leaves took %v, error %v", shape, n, took, err)
			}
		})
	}
}

// slow is a system in which it takes 20 ms to post a job.
type slow struct{ goroutines }

func (s slow) poster(job Job) func() {
	return func() { time.Sleep(20 * time.Millisecond); go job(s) }
}

// A post is timed from before it until the job begins.
func TestLatency(t *testing.T) {
	for _, busy := range []bool{true, false} {
		if _, took := Latency(busy, 0).Calls(slow{1}); took[0] < 20*time.Millisecond {
			t.Errorf("busy %t: a job that was 20 ms late is said to have after %v", busy, took)
		}
	}
}
