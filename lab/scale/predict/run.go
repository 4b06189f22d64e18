package predict

import (
	"fmt"
	"math"
	"slices"
	"strings"

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

// A Limit is a word for what keeps a run from its bound.
type Limit string

// The limits. The documentation of the package has the rule.
const (
	OK       Limit = "ok"
	Ramp     Limit = "ramp"
	Counters Limit = "counters"
	Fork     Limit = "fork"
	Steals   Limit = "steals"
	Wait     Limit = "wait"
)

// parts are those that time is divided into, in the order in which the larger of
// two equal ones is looked for.
var parts = []Limit{Ramp, Counters, Fork, Steals, Wait}

// enough is the part of the bound that a run which nothing limits gets.
const enough = 0.9

// limit returns what limits a run, and how the time beyond the bound is divided,
// as parts of all workers' time. forks is the time of operations that one
// worker needs when it runs the program alone.
func (r *run) limit(forks simulate.Time) (Limit, map[Limit]float64) {
	lost := r.lost(forks)
	bound := r.row.Cost.Bound(r.workers)
	if float64(bound) >= enough*float64(r.elapsed) {
		return OK, lost
	}
	largest := parts[0]
	for _, p := range parts {
		if lost[p] > lost[largest] {
			largest = p
		}
	}
	return largest, lost
}

// lost divides the time of all workers beyond the bound.
func (r *run) lost(forks simulate.Time) map[Limit]float64 {
	s, all := r.section, simulate.Time(r.workers)*r.elapsed
	part := map[Limit]simulate.Time{
		Ramp:     r.ramp(),
		Counters: lines(s, "Counters."),
	}
	awake := s.Local + s.Miss + s.Pause - part[Counters]
	part[Fork] = min(forks, max(0, awake))
	awake -= part[Fork]
	asleep := max(0, s.Idle+s.Wake-r.unavoidable())

	// Before they first work, workers sleep or look for work.
	looked := max(0, part[Ramp]-asleep)
	part[Steals] = max(0, awake-looked)
	part[Wait] = max(0, asleep-part[Ramp])
	shares := map[Limit]float64{}
	for p, d := range part {
		if d > 0 {
			shares[p] = float64(d) / float64(all)
		}
	}
	return shares
}

// useful is the number of workers that the program has parallelism for.
func (r *run) useful() int {
	return min(r.workers, int(math.Ceil(r.row.Cost.Parallelism())))
}

// unavoidable is the time in which processors have no thread even if only the work takes time.
func (r *run) unavoidable() simulate.Time {
	unused := simulate.Time(max(0, r.section.Processors-r.workers)) * r.section.Elapsed
	more := simulate.Time(r.workers-r.useful()) * r.elapsed
	span := simulate.Time(r.workers)*r.row.Cost.Bound(r.workers) - r.row.Cost.Work
	return unused + max(more, span)
}

// ramp is the time of workers before they first work, for as many as the
// program has parallelism for.
func (r *run) ramp() (total simulate.Time) {
	for i := range r.useful() {
		total += r.firstWork(i)
	}
	return total
}

// firstWork is from the start until the worker that is the i-th to work first
// does, from 0 on: the elapsed time if so many never do.
func (r *run) firstWork(i int) simulate.Time {
	if i >= len(r.section.FirstWork) {
		return r.elapsed
	}
	return min(r.elapsed, r.section.FirstWork[i])
}

// ramped is when all workers that the program has parallelism for have first
// worked.
func (r *run) ramped() simulate.Time { return r.firstWork(r.useful() - 1) }

// ofBound is the part of a greedy schedule's speed-up over one worker that the run
// has, given the run with one: (T1/P + T∞)/TP.
func (r *run) ofBound(one *run) float64 {
	t1 := float64(one.elapsed)
	span := t1 / r.row.Cost.Parallelism()
	return (t1/float64(r.workers) + span) / float64(r.elapsed)
}

// lines is the time of misses on the lines whose names begin like this.
func lines(s simulate.Section, prefix string) (total simulate.Time) {
	for _, l := range s.Lines {
		if strings.HasPrefix(l.Name, prefix) {
			total += l.Waited
		}
	}
	return total
}
