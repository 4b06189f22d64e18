package predict

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measure"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/backends"
)

// A Plan says what to predict.
type Plan struct {
	Machine *simulate.Machine
	Rows    []*scale.Row
	// Workers are in order.
	Workers []int
	Sleep   backends.Sleep
	// Recorded is what the simulator is validated by: measurements of the
	// machine Of, with the backend OfSleep.
	Recorded *measure.File
	Of       *simulate.Machine
	OfSleep  backends.Sleep
	// Watch, if not nil, is called before each run, with how many of all Runs
	// are done.
	Watch func(doing string, done int)

	done int
}

// Runs returns how many runs there are, or some more.
func (p *Plan) Runs() int {
	validation := 2 + 2*len(p.Recorded.Rows) + len(p.Recorded.Sleeping)
	return validation + len(p.Rows)*(1+3*len(p.Workers))
}

// Run validates the simulator, and predicts. The error is an [*OffError] if the
// validation is off, and that of ctx if it ends first.
func (p *Plan) Run(ctx context.Context) (*Report, error) {
	report := &Report{Title: p.title(), Sleep: p.Sleep.Name}
	var err error
	if report.Checks, err = p.validate(ctx); err != nil {
		return nil, err
	}
	for _, r := range p.Rows {
		cells, err := p.row(ctx, r)
		if err != nil {
			return nil, err
		}
		report.Cells = append(report.Cells, cells...)
	}
	return report, nil
}

// title is the first line of a report.
func (p *Plan) title() string {
	m := p.Recorded.Machine
	return fmt.Sprintf(begins+": the code that ships, on the model %s of %d processors, calibrated on %s",
		p.Machine.Name, p.Machine.Processors, m.Machine)
}

// perform runs a row of the pool with p's backend, the caller alone before.
func (p *Plan) perform(ctx context.Context, m *simulate.Machine, r *scale.Row, workers int) (*run, error) {
	return p.performAfter(ctx, m, r, workers, p.Sleep, alone)
}

// performRecorded runs a row as it was measured.
func (p *Plan) performRecorded(ctx context.Context, r *scale.Row, workers int, settle func()) (*run, error) {
	return p.performAfter(ctx, p.Of, r, workers, p.OfSleep, settle)
}

func (p *Plan) performAfter(ctx context.Context, m *simulate.Machine, r *scale.Row, workers int, sleep backends.Sleep, settle func()) (*run, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.Watch != nil {
		p.Watch(fmt.Sprintf("%s, %d workers", r.Name, workers), p.done)
	}
	p.done++
	done, err := perform(m, r, workers, sleep, settle)
	if err == nil && !done.kept {
		err = &OffError{Check{Name: conservation, What: fmt.Sprintf("%s with %d workers: what the processors did does not add up to their time", r.Name, workers)}}
	}
	return done, err
}

// row predicts one row for all numbers of workers.
func (p *Plan) row(ctx context.Context, r *scale.Row) (cells []Cell, err error) {
	one, err := p.perform(ctx, p.Machine, r, 1)
	if err != nil {
		return nil, err
	}
	for _, workers := range p.Workers {
		base := one
		if workers > 1 {
			if base, err = p.perform(ctx, p.Machine, r, workers); err != nil {
				return nil, err
			}
		}
		c := Cell{
			Workload: r.Name, About: r.About, Workers: workers,
			Base: base.speedup(), Bound: r.Cost.Speedup(workers),
			Elapsed: base.elapsed.Seconds() * 1e9, Hottest: base.hottest(),
			OfBound: base.ofBound(one), Ramp: base.ramped().Seconds() * 1e9,
		}
		c.Limit, _ = base.limit(one.section.Local)
		for v, speedup := range map[simulate.Variation]*float64{simulate.High: &c.Low, simulate.Low: &c.High} {
			varied, err := p.perform(ctx, p.Machine.With(v), r, workers)
			if err != nil {
				return nil, err
			}
			*speedup = varied.speedup()
		}
		// If a run is faster with dearer operations, that is luck of the schedule.
		c.Low, c.High = min(c.Low, c.Base, c.High), max(c.Low, c.Base, c.High)
		cells = append(cells, c)
	}
	return cells, nil
}

// shown is how many lines a report names for each run.
const shown = 3

// hottest returns the lines that cost most.
func (r *run) hottest() (hot []HotLine) {
	all := float64(r.workers) * float64(r.elapsed)
	for _, l := range r.section.Lines[:min(shown, len(r.section.Lines))] {
		hot = append(hot, HotLine{l.Name, float64(l.Waited) / all})
	}
	return hot
}
