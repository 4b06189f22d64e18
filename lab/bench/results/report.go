package results

import (
	"math"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/tools/machine"
)

// A Report is what came of a benchmark. The JSON names are part of the command:
// the README lists them.
type Report struct {
	Machine   machine.Machine `json:"machine"`
	Command   string          `json:"command"` // that prints it
	Quick     bool            `json:"quick"`   // of small sizes, for a first look
	OK        bool            `json:"ok"`      // nothing was missing, failed or answered wrong
	Workloads []Workload      `json:"workloads"`
}

// A Workload is one of the report's tables.
type Workload struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Unit  string `json:"unit"`  // what a time is for
	Ops   int    `json:"ops"`   // how many of them a run is
	Judge string `json:"judge"` // the statistic that ratios compare, median or p10
	Rows  []Row  `json:"rows"`
}

// A Row is one implementation with one number of workers. Times are in
// nanoseconds for each unit. What is not known, or not finite, is null.
type Row struct {
	Implementation string `json:"implementation"`
	Kind           string `json:"kind"` // plain, peer or ours
	Workers        int    `json:"workers"`
	Runs           int    `json:"runs"`
	Took           int64  `json:"took_ns"` // all runs, and what is not timed

	Judged *float64 `json:"judged_ns"` // the workload's statistic
	Median *float64 `json:"median_ns"`
	// The median is between these with a confidence of 95 %.
	MedianLow  *float64 `json:"median_low_ns"`
	MedianHigh *float64 `json:"median_high_ns"`
	P10        *float64 `json:"p10_ns"`
	P99        *float64 `json:"p99_ns"`

	// How long this takes, to one of what the other takes: less is better.
	ToSequential *float64 `json:"to_sequential"`
	ToBestPeer   *float64 `json:"to_best_peer"`
	BestPeer     string   `json:"best_peer,omitempty"`

	// Counts for each run, the pauses between runs included.
	CPU       *float64 `json:"cpu_ns"`
	Slept     *float64 `json:"slept"`     // threads that gave up their processor of themselves
	Preempted *float64 `json:"preempted"` // and those that did not
	Allocs    *float64 `json:"allocs"`
	Bytes     *float64 `json:"bytes"`
	Forks     *float64 `json:"forks"`
	Published *float64 `json:"published"`
	Steals    *float64 `json:"steals"`
	Parks     *float64 `json:"parks"`
	Wakes     *float64 `json:"wakes"`

	Note  string `json:"note,omitempty"`  // why there are no times, by the nature of things
	Error string `json:"error,omitempty"` // why there are none, or that an answer was wrong

	Nanos []float64 `json:"ns"` // all runs in their order
}

// New makes a report of what was measured.
func New(m machine.Machine, cells []*bench.Cell) *Report {
	r := &Report{Machine: m, OK: true}
	var last *bench.Workload
	for _, c := range cells {
		if c.Workload != last {
			last = c.Workload
			r.Workloads = append(r.Workloads, Workload{
				Name: last.Name, About: last.About, Unit: last.Unit, Ops: last.Ops, Judge: last.Judge.String(),
			})
		}
		w := &r.Workloads[len(r.Workloads)-1]
		w.Rows = append(w.Rows, newRow(c))
		r.OK = r.OK && c.Err == nil
	}
	for i := range r.Workloads {
		r.Workloads[i].compare()
	}
	return r
}

// workload returns the one of this name, or nil.
func (r *Report) workload(name string) *Workload {
	for i := range r.Workloads {
		if r.Workloads[i].Name == name {
			return &r.Workloads[i]
		}
	}
	return nil
}

func newRow(c *bench.Cell) Row {
	row := Row{Implementation: c.Implementation, Kind: c.Kind.String(), Workers: c.Workers, Note: c.Unfit, Nanos: c.Nanos, Runs: len(c.Nanos), Took: int64(c.Took)}
	if c.Err != nil {
		row.Error = strings.ReplaceAll(c.Err.Error(), "\n", "; ")
	}
	if len(c.Nanos) == 0 {
		return row
	}
	s := bench.Summarize(c.Nanos)
	row.Median, row.MedianLow, row.MedianHigh = finite(s.Median), finite(s.Low), finite(s.High)
	row.P10, row.P99 = finite(s.P10), finite(s.P99)
	row.Judged = row.Median
	if c.Workload.Judge == bench.Cost {
		row.Judged = row.P10
	}
	per := func(count int64) *float64 {
		if count < 0 || c.Counted == 0 {
			return nil
		}
		return finite(float64(count) / float64(c.Counted))
	}
	u := c.Usage
	row.CPU, row.Slept, row.Preempted = per(int64(u.CPU)), per(u.Slept), per(u.Preempted)
	row.Allocs, row.Bytes = per(u.Allocs), per(u.Bytes)
	row.Forks, row.Published, row.Steals, row.Parks, row.Wakes = per(u.Forks), per(u.Published), per(u.Steals), per(u.Parks), per(u.Wakes)
	return row
}

// Took is how long the workload was measured in all, 0 if that is not known.
func (w *Workload) Took() time.Duration {
	var sum time.Duration
	for _, r := range w.Rows {
		sum += time.Duration(r.Took)
	}
	return sum.Round(100 * time.Millisecond)
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// compare sets the rows' ratios.
func (w *Workload) compare() {
	sequential := w.best(func(r *Row) bool { return r.Implementation == bench.SequentialName })
	for i := range w.Rows {
		row := &w.Rows[i]
		row.ToSequential = ratio(row, sequential)
		if peer := w.bestPeer(row.Workers); peer != nil {
			row.ToBestPeer, row.BestPeer = ratio(row, peer), peer.Implementation
		}
	}
}

// best returns the fastest right row of a kind, or nil.
func (w *Workload) best(kind func(*Row) bool) (best *Row) {
	for i := range w.Rows {
		r := &w.Rows[i]
		if r.Judged != nil && r.Error == "" && kind(r) && (best == nil || *r.Judged < *best.Judged) {
			best = r
		}
	}
	return best
}

func ratio(r, to *Row) *float64 {
	if to == nil || r.Judged == nil || r.Error != "" {
		return nil
	}
	return finite(*r.Judged / *to.Judged)
}
