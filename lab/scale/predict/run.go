package predict

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
)

// A run is what the simulator says of one row.
type run struct {
	row     *scale.Row
	workers int
	elapsed simulate.Time
	section simulate.Section
	digest  uint64
	// kept says that the account of the processors' time adds up.
	kept bool
}

func (r *run) speedup() float64 { return float64(r.row.Cost.Work) / float64(r.elapsed) }

// simulated is the section of a run that is timed.
const simulated = "the row"

// perform runs a row on a machine, as lab scale runs it on a real one: on a
// pool that has run it once and has gone to sleep.
func perform(m *simulate.Machine, r *scale.Row, workers int, sleep backends.Sleep, settle func()) (*run, error) {
	var (
		answer  uint64
		failed  error
		elapsed simulate.Time
	)
	report, err := simulate.Run(m, func() {
		p, err := pool.New(pool.WithWorkers(workers), pool.WithSleep(sleep.New))
		if err != nil {
			failed = err
			return
		}
		// The first run on a pool is not like others.
		settle()
		if _, failed = r.Pool(p); failed != nil {
			return
		}
		settle()
		simulate.Mark(simulated)
		start := simulate.Now()
		answer, failed = r.Pool(p)
		elapsed = simulate.Now() - start
		simulate.Mark("after")
	})
	if err == nil {
		err = failed
	}
	if err == nil && answer != r.Answer {
		err = fmt.Errorf("the answer is %d, must be %d", answer, r.Answer)
	}
	if err != nil {
		return nil, fmt.Errorf("%s with %d workers on %s: %w", r.Name, workers, m.Name, err)
	}
	done := &run{row: r, workers: workers, elapsed: elapsed, digest: report.Digest, kept: conserved(report)}
	i := slices.IndexFunc(report.Sections, func(s simulate.Section) bool { return s.Name == simulated })
	if i < 0 {
		return nil, fmt.Errorf("%s with %d workers on %s: the account lacks the section", r.Name, workers, m.Name)
	}
	done.section = report.Sections[i]
	return done, nil
}

// alone has the caller work alone before a run.
func alone() { scale.Alone(scale.Pause) }

// conserved reports whether what the processors did adds up to their time.
func conserved(r *simulate.Report) bool {
	for _, s := range r.Sections {
		if s.Work+s.Local+s.Miss+s.Pause+s.Wake+s.Idle != simulate.Time(s.Processors)*s.Elapsed {
			return false
		}
	}
	return true
}
