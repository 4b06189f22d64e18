package predict

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// sleeps are the sleep backends that can be asked for. Without a name a pool has its
// default.
var sleeps = map[string][]pool.Option{
	"":      nil,
	"jec":   {pool.WithSleep(func(n int) (api.Sleep, error) { return jec.New(n) })},
	"futex": {pool.WithSleep(func(n int) (api.Sleep, error) { return futex.New(n) })},
}

// A Plan says what to predict, or to measure.
type Plan struct {
	Rows    []*Row
	Workers []int
	Sleep   string // jec or futex; the pool's default if it is empty
}

// A cell is what comes out for one row with one number of workers.
type cell struct {
	row     *Row
	workers int
	// low, base and high are speed-ups over the plain program. Predicted, low has all
	// costs high, and high has all costs low. Measured, they are of three runs.
	low, base, high float64
	*simulate.Report
	one simulate.Time // with one worker
}

// Write runs the plan, and writes the table row by row.
func (p *Plan) Write(ctx context.Context, to io.Writer) error {
	if _, ok := sleeps[p.Sleep]; !ok {
		return fmt.Errorf("unknown sleep backend %q; there are: jec, futex", p.Sleep)
	}
	for _, n := range p.Workers {
		if n < 1 || n > simulate.MaxProcessors {
			return fmt.Errorf("--workers is %d, must be 1 to %d", n, simulate.MaxProcessors)
		}
	}
	fmt.Fprintf(to, "%s\n\n", title())
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "workload\tworkers\tlow\tspeed-up\thigh\tGraham\tof bound\tramp, µs\twork\there\tlines\trest\thottest\t")
	for _, r := range p.Rows {
		cells, err := p.row(ctx, r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
		for _, c := range cells {
			fmt.Fprintf(t, "%s\t%d\t%.3g\t%.3g\t%.3g\t%.3g\t%.2f\t%s\t\n", r.Name, c.workers, c.low, c.base, c.high,
				float64(r.cost.work)/float64(r.cost.bound(c.workers)), c.ofBound(), c.account())
		}
	}
	fmt.Fprintln(t)
	for _, r := range p.Rows {
		fmt.Fprintf(t, "%s: %s\n", r.Name, r.About)
	}
	return t.Flush()
}

func title() string {
	if simulate.Predicts {
		return "predicted by simulation, not measured: the code that ships, on a model of a server with 64 processors;\n" +
			"to refute it, run the same command without -tags explore on such a machine: less than low, or more than high"
	}
	return fmt.Sprintf("measured: %d processors, %s/%s, %s; with -tags explore it is predicted for 64",
		runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// row returns the cells of one row.
func (p *Plan) row(ctx context.Context, r *Row) (cells []cell, err error) {
	plain, err := r.alone()
	if err != nil {
		return nil, err
	}
	one, err := p.perform(ctx, r, 1, simulate.Base)
	if err != nil {
		return nil, err
	}
	for _, workers := range p.Workers {
		c := cell{row: r, workers: workers, one: one.Elapsed}
		var gains [3]float64
		for v := range gains {
			report, err := p.perform(ctx, r, workers, simulate.Variation(v))
			if err != nil {
				return nil, err
			}
			gains[v] = float64(plain) / float64(report.Elapsed)
			if v == int(simulate.Base) {
				c.Report = report
			}
		}
		c.base = gains[simulate.Base]
		// If a run is faster with dearer operations, that is luck of the schedule.
		c.low, c.high = slices.Min(gains[:]), slices.Max(gains[:])
		cells = append(cells, c)
	}
	return cells, nil
}

// alone returns how long the plain program takes: the fastest of three where it is
// measured.
func (r *Row) alone() (least simulate.Time, err error) {
	if simulate.Predicts {
		return r.cost.work, nil
	}
	least = math.MaxInt64
	for range 3 {
		report, err := simulate.Run(simulate.Machine{}, func() { r.plain() })
		if err != nil {
			return 0, err
		}
		least = min(least, report.Elapsed)
	}
	return least, nil
}

// perform runs a row on a pool that has run it once and has gone to sleep: the first run
// on a pool is not like others.
func (p *Plan) perform(ctx context.Context, r *Row, workers int, v simulate.Variation) (*simulate.Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var answer uint64
	var failed error
	report, err := simulate.Run(simulate.Server(v), func() {
		open, err := pool.New(append(slices.Clone(sleeps[p.Sleep]), pool.WithWorkers(workers))...)
		if err != nil {
			failed = err
			return
		}
		defer open.Close()
		simulate.Work(1000 * µs)
		if answer, failed = r.pool(open); failed != nil {
			return
		}
		simulate.Work(1000 * µs)
		simulate.Measure(func() { answer, failed = r.pool(open) })
	})
	if err = cmp.Or(err, failed); err == nil && answer != r.answer {
		err = fmt.Errorf("the answer is %d, must be %d", answer, r.answer)
	}
	return report, err
}

// ramp is when all workers have first worked that the program has parallelism for.
func (c *cell) ramp() simulate.Time {
	useful := min(c.workers, int(math.Ceil(c.row.cost.parallelism())))
	if useful <= len(c.FirstWork) {
		return min(c.Elapsed, c.FirstWork[useful-1])
	}
	return c.Elapsed
}

// ofBound is the part of a greedy schedule's speed-up over one worker: (T₁/P + T∞)/TP.
func (c *cell) ofBound() float64 {
	one := float64(c.one)
	return (one/float64(c.workers) + one/c.row.cost.parallelism()) / float64(c.Elapsed)
}

// account is the last columns.
func (c *cell) account() string {
	if !simulate.Predicts {
		return "-\t-\t-\t-\t-\t-"
	}
	percent := func(t simulate.Time) string {
		return fmt.Sprintf("%.0f%%", 100*float64(t)/float64(c.Elapsed)/float64(c.workers))
	}
	all := c.Elapsed * simulate.Time(c.workers)
	hottest := "-"
	if len(c.Lines) > 0 {
		hottest = c.Lines[0].Name + " " + percent(c.Lines[0].Waited)
	}
	return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s", c.ramp()/µs, percent(c.Work), percent(c.Local), percent(c.Miss),
		percent(max(0, all-c.Work-c.Local-c.Miss)), hottest)
}
