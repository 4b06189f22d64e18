package work_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
)

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
