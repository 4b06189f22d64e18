// Package measure measures the rows of package scale on the machine at hand, and
// keeps what was measured in a file that others can read.
package measure

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"github.com/rouse-go/rouse/lab/internal/machine"
	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/columns"
)

// A File is what was measured on one machine.
type File struct {
	Machine Machine `json:"machine"`
	// Command is what measures the same again.
	Command string `json:"command"`
	// Sleep is the sleep backend of the pools.
	Sleep string `json:"sleep"`
	Rows  []Row  `json:"rows"`
	// Leaf is how long one leaf sleeps if it is alone, which is longer than it
	// asks for.
	Leaf Times `json:"leaf"`
	// Sleeping are the rows whose leaves sleep.
	Sleeping []Sleeper `json:"sleeping"`
}

// A Machine is where and of what something was measured.
type Machine struct {
	machine.Machine
	// Cores is how many cores the processor package has, Threads how many
	// hardware threads; 0 if the processor does not say.
	Cores   int `json:"cores"`
	Threads int `json:"threads"`
}

// ThisMachine describes the machine at hand.
func ThisMachine(m machine.Machine) Machine {
	return Machine{m, cpuid.CPU.PhysicalCores, cpuid.CPU.LogicalCores}
}

// A Row is what was measured of one row. All times are in nanoseconds.
type Row struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Unit  string `json:"unit"`
	Units int    `json:"units"`
	// Work and Span are what the row counts for itself.
	Work float64 `json:"work_ns"`
	Span float64 `json:"span_ns"`
	// Plain is of the sequential function.
	Plain Times  `json:"plain"`
	Pools []Pool `json:"pools"`
}

// A Pool is what was measured of a row with one number of workers.
type Pool struct {
	Workers int   `json:"workers"`
	Times   Times `json:"times"`
	// Copies is what so many plain programs take that run side by side, with
	// nothing in common: more than one alone if processors share a core, slow
	// down when all of them work, or wait for the same memory.
	Copies Times `json:"copies"`
}

// Times are those of all runs, in the order of measuring.
type Times []float64

// Median is the median of the runs, in nanoseconds.
func (t Times) Median() float64 { return median(slices.Clone(t)) }

// Fastest is the fastest run, in nanoseconds: the one that was interrupted
// least.
func (t Times) Fastest() float64 { return slices.Min(t) }

// any reports whether there are some, and each of them took time.
func (t Times) any() bool { return len(t) > 0 && t.Fastest() > 0 }

// spread is how far half of the runs are from the median, in percent of it.
func (t Times) spread() string {
	m, away := t.Median(), make([]float64, len(t))
	for i, ns := range t {
		away[i] = math.Abs(ns - m)
	}
	return fmt.Sprintf("%.0f%%", 100*median(away)/m)
}

// median sorts the numbers, of which there is at least one.
func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// A Sleeper is what was measured of leaves that sleep, two for each worker.
type Sleeper struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Workers int    `json:"workers"`
	Times   Times  `json:"times"`
}

// Write prints the file, on one line: it is for programs.
func (f *File) Write(w io.Writer) error { return json.NewEncoder(w).Encode(f) }

// Read reads what Write has printed. The error says what is wrong with it.
func Read(r io.Reader) (*File, error) {
	f := new(File)
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("no measurements in JSON: %w", err)
	}
	return f, f.check()
}

//go:embed amd-epyc-2.json
var calibration []byte

// Calibration returns the file that the simulator is validated by. Its machine is this-2 of
// package simulate.
func Calibration() (*File, error) { return Read(bytes.NewReader(calibration)) }

// check returns an error if the file lacks what a reader counts on.
func (f *File) check() error {
	if f.Machine.Processors < 1 || f.Machine.Go == "" {
		return errors.New("no measurements in JSON: they do not say on what machine")
	}
	if len(f.Rows) == 0 {
		return errors.New("no measurements in JSON: there are no rows")
	}
	for _, r := range f.Rows {
		times := []Times{r.Plain}
		for _, p := range r.Pools {
			times = append(times, p.Times, p.Copies)
		}
		for _, t := range times {
			if !t.any() || r.Units < 1 {
				return fmt.Errorf("no measurements in JSON: %s lacks some of its times", r.Name)
			}
		}
	}
	for _, s := range f.Sleeping {
		if !s.Times.any() || !f.Leaf.any() {
			return fmt.Errorf("no measurements in JSON: %s of leaves that sleep lacks some of its times", s.Name)
		}
	}
	return nil
}

// Row returns the row of the name, or nil.
func (f *File) Row(name string) *Row {
	i := slices.IndexFunc(f.Rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &f.Rows[i]
}

// Of returns what was measured of this very row, of the same size. The error says
// that there is nothing, or of what size it is.
func (f *File) Of(r *scale.Row) (*Row, error) {
	recorded := f.Row(r.Name)
	if recorded == nil {
		return nil, errors.New("not measured")
	}
	if recorded.About != r.About {
		return nil, fmt.Errorf("measured as %q, and is now %q", recorded.About, r.About)
	}
	if recorded.Units != r.Units {
		return nil, fmt.Errorf("measured with %d times a %s, and has %d now", recorded.Units, r.Unit, r.Units)
	}
	return recorded, nil
}

// Gain returns how much faster n workers are than one, with what the machine
// itself slows down taken out: n plain programs side by side, beside one alone.
// It is 0 if not all of them were measured.
//
// It compares the fastest runs. Where others use the machine, too, programs of
// forks were seen to take 1.7 times as long for some seconds, and plain ones 1.2.
func (r *Row) Gain(n int) float64 {
	one, many := r.With(1), r.With(n)
	if one == nil || many == nil {
		return 0
	}
	return one.Times.Fastest() / many.Times.Fastest() * many.Copies.Fastest() / r.Plain.Fastest()
}

// Alone returns the speed-up of one worker, by the fastest runs. It is less than 1
// by what forks cost.
func (r *Row) Alone() float64 {
	one := r.With(1)
	if one == nil {
		return 0
	}
	return r.Plain.Fastest() / one.Times.Fastest()
}

// With returns what was measured with this number of workers, or nil.
func (r *Row) With(workers int) *Pool {
	i := slices.IndexFunc(r.Pools, func(p Pool) bool { return p.Workers == workers })
	if i < 0 {
		return nil
	}
	return &r.Pools[i]
}

// Table writes what was measured, on lines of the given width; 0 is no limit.
func (f *File) Table(width int) string {
	var b strings.Builder
	t := columns.New(1, "workload", "workers", "time", "±", "speed-up", "machine", "Graham")
	for _, r := range f.Rows {
		plain := r.Plain.Median()
		t.Row(r.Name, "plain", columns.Nanos(plain), r.Plain.spread())
		for _, p := range r.Pools {
			m, copies := p.Times.Median(), p.Copies.Median()
			t.Row("", p.Workers, columns.Nanos(m), p.Times.spread(), columns.Times(plain/m),
				columns.Times(float64(p.Workers)*plain/copies), columns.Times(r.cost().Speedup(p.Workers)))
		}
	}
	if t.Len() > 0 {
		fmt.Fprintf(&b, "Measured: the median of %d runs each; ± is how far half of the runs are from it.\n", len(f.Rows[0].Plain))
		b.WriteString("The speed-up is over the plain program. \"Machine\" is that of plain programs side by side, with nothing in common.\n")
		b.WriteString("Graham's bound counts nothing but work and span.\n\n")
		fmt.Fprintf(&b, "%s\n\n", t.Fit(width))
	}
	if len(f.Sleeping) > 0 {
		fmt.Fprintf(&b, "Leaves that sleep %v, two for each worker: they need no processors, so 2 leaf times are perfect on any machine.\n", scale.SleepingLeaf)
		fmt.Fprintf(&b, "One such leaf takes %s when it is alone.\n\n", columns.Nanos(f.Leaf.Median()))
		fmt.Fprintf(&b, "%s\n\n", f.sleeping().Fit(width))
	}
	for _, r := range f.Rows {
		fmt.Fprintf(&b, "%s: %s (%s for each %s)\n", r.Name, r.About, columns.Nanos(r.Plain.Median()/float64(r.Units)), r.Unit)
	}
	return b.String()
}

// sleeping is the table of the leaves that sleep.
func (f *File) sleeping() *columns.Table {
	t := columns.New(1, "shape", "workers", "time", "±", "leaf times")
	for _, s := range f.Sleeping {
		m := s.Times.Median()
		t.Row(s.Name, s.Workers, columns.Nanos(m), s.Times.spread(), fmt.Sprintf("%.1f", m/f.Leaf.Median()))
	}
	return t
}

// cost is the work and the span of the row.
func (r *Row) cost() scale.Cost {
	return scale.Cost{
		Work: simulate.Time(r.Work * float64(simulate.Nanosecond)),
		Span: simulate.Time(r.Span * float64(simulate.Nanosecond)),
	}
}
