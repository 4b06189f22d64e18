package census

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
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
			r.Differs = slices.Compact(slices.Sorted(slices.Values(append(r.Differs, first.Diff(c)...))))
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

// A Variant is one way to do the job.
type Variant struct {
	Way   string `json:"way"`             // sequential, goroutines or pool
	Deque string `json:"deque,omitempty"` // of a pool
	Sleep string `json:"sleep,omitempty"` // of a pool

	take func(context.Context, fs.FS, ...Option) (*Census, error)
	pool []pool.Option // of a pool
}

// String returns the variant's name, such as pool/deque=chaselev/sleep=jec.
func (v Variant) String() string {
	if v.Way != "pool" {
		return v.Way
	}
	return "pool/deque=" + v.Deque + "/sleep=" + v.Sleep
}

// Variants returns the sequential way, the one with goroutines, and pools of
// every combination of the given backends, made with opts besides.
func Variants(deques []backends.Deque, sleeps []backends.Sleep, opts ...pool.Option) []Variant {
	all := []Variant{
		{Way: "sequential", take: Sequential},
		{Way: "goroutines", take: Goroutines},
	}
	for _, d := range deques {
		for _, s := range sleeps {
			made := append([]pool.Option{pool.WithDeque(d.New), pool.WithSleep(s.New), pool.WithEagerPublish()}, opts...) // See Pool.
			all = append(all, Variant{Way: "pool", Deque: d.Name, Sleep: s.Name, pool: made})
		}
	}
	return all
}

// Check returns the error that a run would end with because its pool cannot
// be made.
func (v Variant) Check() error {
	if v.Way != "pool" {
		return nil
	}
	p, err := pool.New(v.pool...)
	if err != nil {
		return err
	}
	return p.Close()
}

// run does the job once. It makes the pool anew, since making and closing it
// is part of what a user pays.
func (v Variant) run(ctx context.Context, fsys fs.FS, opt Option) (*Census, *pool.Stats, error) {
	if v.Way != "pool" {
		c, err := v.take(ctx, fsys, opt)
		return c, nil, err
	}
	p, err := pool.New(v.pool...)
	if err != nil {
		return nil, nil, err
	}
	c, err := Pool(ctx, p, fsys, opt)
	err = cmp.Or(err, p.Close())
	stats := p.Stats() // Only now have all workers handed theirs over.
	return c, &stats, err
}

// Share keeps every processor that Go uses busy for d, and returns which part
// of their time the process got: nearly 1 on a quiet machine, a half where as
// many other programs compete. It returns false where the platform does not say
// what processor time was used.
func Share(d time.Duration) (float64, bool) {
	processors := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	before, ok := CPUTime()
	start := time.Now()
	var spinning sync.WaitGroup
	for range processors {
		spinning.Go(func() {
			for time.Since(start) < d {
			}
		})
	}
	spinning.Wait()
	after, _ := CPUTime()
	asked := time.Since(start) * time.Duration(processors)
	return min(float64(after-before)/float64(asked), 1), ok
}
