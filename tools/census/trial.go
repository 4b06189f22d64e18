package census

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A Run is one measured census.
type Run struct {
	Wall time.Duration
	CPU  time.Duration // user and system time of the whole process
	// Stats are those of the pool, nil if there was none.
	Stats *pool.Stats
}

// A Result is what came of one variant.
type Result struct {
	Variant
	Runs []Run
	// Differs names the directories for which some run of the variant found
	// something else than the first variant.
	Differs []string
}

// Median returns the run with the median wall time, the shorter one of the
// middle two.
func (r *Result) Median() Run {
	runs := slices.SortedFunc(slices.Values(r.Runs), func(a, b Run) int { return cmp.Compare(a.Wall, b.Wall) })
	return runs[(len(runs)-1)/2]
}

// A Watcher is told how a trial proceeds.
type Watcher interface {
	// Start is called before each run.
	Start(Variant)
	// File is called after each file of a run, from several goroutines at
	// once.
	File()
	// End is called after each run that was not interrupted.
	End(Variant, Run)
}

// Measure runs every variant repeat times on the tree, all of them once before
// any of them again, so that a machine that slows down does so for all. It
// returns the first census that was taken, and a result for each variant, in
// their order.
//
// If ctx ends, Measure returns its error, and what had come until then: a result
// for each variant that ran at least once to its end. If a pool cannot be made,
// it returns that error and nothing else.
func Measure(ctx context.Context, fsys fs.FS, variants []Variant, repeat int, watch Watcher) (*Census, []Result, error) {
	var first *Census
	var results []Result
	for round := range repeat {
		for i, v := range variants {
			watch.Start(v)
			c, run, err := timed(ctx, fsys, v, watch)
			if err != nil {
				err = fmt.Errorf("%v: %w", v, err)
				if ctx.Err() == nil {
					return nil, nil, err
				}
				return first, results, err
			}
			watch.End(v, run)
			if first == nil {
				first = c
			}
			if round == 0 {
				results = append(results, Result{Variant: v})
			}
			r := &results[i]
			r.Runs = append(r.Runs, run)
			r.Differs = union(r.Differs, first.Diff(c))
		}
	}
	return first, results, nil
}

func timed(ctx context.Context, fsys fs.FS, v Variant, watch Watcher) (*Census, Run, error) {
	// No run is to pay for what the one before left behind.
	runtime.GC()
	cpu, _ := CPUTime()
	start := time.Now()
	c, stats, err := v.run(ctx, fsys, WithProgress(watch.File))
	wall := time.Since(start)
	after, _ := CPUTime()
	return c, Run{Wall: wall, CPU: after - cpu, Stats: stats}, err
}

func union(a, b []string) []string {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return slices.Compact(both)
}
