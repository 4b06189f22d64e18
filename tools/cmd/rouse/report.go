package main

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/columns"
)

// A report is what `rouse run` prints. The JSON names are part of the command:
// the README lists them.
type report struct {
	Root       string `json:"root"`
	Go         string `json:"go"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	// Share is which part of the processors the command got when it looked, before
	// the first way and after the last: the smaller one; nil where the platform does
	// not say.
	Share *float64 `json:"processor_share"`

	Agree       bool             `json:"agree"`
	Results     []result         `json:"results"`
	Profile     *profile         `json:"profile"` // nil after an interrupt
	Total       census.Dir       `json:"total"`
	Directories []census.Dir     `json:"directories"`
	Unreadable  []census.Problem `json:"unreadable"`
	Unparsable  []census.Problem `json:"unparsable"`

	wanted int // how many ways there would be results of, had there been no interrupt
}

// A result is one row of the table.
type result struct {
	census.Variant
	Wall    float64   `json:"wall_seconds"`
	CPU     *float64  `json:"cpu_seconds"` // nil where the platform does not say
	Speedup float64   `json:"speedup"`
	All     []float64 `json:"all_wall_seconds"`
	Pool    *stats    `json:"pool"` // nil if there was none
	Differs []string  `json:"differs"`
}

// stats are what the pool counted.
type stats struct {
	Workers   int    `json:"workers"`
	Forks     uint64 `json:"forks"`
	Published uint64 `json:"published"`
	Steals    uint64 `json:"steals"`
	Injected  uint64 `json:"injected"`
	Borrowed  uint64 `json:"borrowed"`
	Parks     uint64 `json:"parks"`
	Wakes     uint64 `json:"wakes"`
}

// A profile says how much of the census could run at the same time: see pool.Measure.
type profile struct {
	Work        float64  `json:"work_seconds"`
	Span        float64  `json:"span_seconds"`
	Burdened    float64  `json:"burdened_span_seconds"`
	Waited      float64  `json:"waited_seconds"`
	Parallelism float64  `json:"parallelism"`
	Forks       int      `json:"forks"`
	Sites       []site   `json:"sites"`
	Differs     []string `json:"differs"`

	text string
}

// A site is a place of a call that the span lies in.
type site struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Span     float64 `json:"span_seconds"`
}

func newProfile(p pool.Profile, differs []string) *profile {
	all := &profile{
		p.Work.Seconds(), p.Span.Seconds(), p.Burdened.Seconds(), p.Waited.Seconds(),
		p.Parallelism(), p.Forks, []site{}, append([]string{}, differs...), p.String(),
	}
	for _, s := range p.Sites {
		all.Sites = append(all.Sites, site{s.Function, s.File, s.Line, s.Span.Seconds()})
	}
	return all
}

// newReport compares the results with the first one, which is the sequential
// way's. They are all that were wanted, unless its caller says otherwise.
func newReport(root string, c *census.Census, results []census.Result) *report {
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	r := &report{
		Root: root, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, GOMAXPROCS: runtime.GOMAXPROCS(0),
		wanted: len(results), Agree: true, Total: c.Total(), Directories: c.Dirs,
		// Never null in JSON.
		Unreadable: append([]census.Problem{}, c.Unreadable...),
		Unparsable: append([]census.Problem{}, c.Unparsable...),
	}
	_, hasCPU := census.CPUTime()
	base := results[0].Median().Wall
	for _, t := range results {
		m := t.Median()
		row := result{
			Variant: t.Variant,
			Wall:    m.Wall.Seconds(),
			Speedup: float64(base) / float64(max(m.Wall, time.Nanosecond)),
			Differs: append([]string{}, t.Differs...),
		}
		if hasCPU {
			cpu := m.CPU.Seconds()
			row.CPU = &cpu
		}
		for _, run := range t.Runs {
			row.All = append(row.All, run.Wall.Seconds())
		}
		if s := m.Stats; s != nil {
			row.Pool = &stats{s.Workers, s.Forks, s.Published, s.Steals, s.Injected, s.Borrowed, s.Parks, s.Wakes}
		}
		r.Agree = r.Agree && len(t.Differs) == 0
		r.Results = append(r.Results, row)
	}
	return r
}

// legend says what the columns are.
const legend = `wall s     time from start to end; of a pool, with making and closing it
CPU s      processor time of the whole program, garbage collection included
speed-up   wall time of the sequential way divided by this one's
forks      jobs that the pool was given: one for each file and directory
published  forks that other workers could see and take; here each at once
steals     jobs that a worker took from another one
wakes      times that a sleeping worker was woken
parks      times that a worker found nothing to do and went to sleep
`

// writeTable prints the report for a reader.
func (r *report) writeTable(w io.Writer) error {
	var b strings.Builder
	found := census.Census{Dirs: []census.Dir{r.Total}, Unreadable: r.Unreadable, Unparsable: r.Unparsable}
	fmt.Fprintf(&b, "%s\n%s", r.Root, found.Summary())
	fmt.Fprintf(&b, "\n%s\n\n%s\n", r.table(), legend)
	if r.Profile != nil {
		fmt.Fprintf(&b, "How much of the census can run at the same time, by pool.Measure (the smallest span of %d):\n%s\n", measurings, r.Profile.text)
	}
	if r.Share != nil && *r.Share < quiet {
		fmt.Fprintf(&b, "%s\n", machineIsBusy(*r.Share))
	}
	switch n := len(r.Results); {
	case !r.Agree:
	case n == r.wanted:
		fmt.Fprintf(&b, "All %d ways agree, in every directory.\n", n)
	case n == 1:
		fmt.Fprintf(&b, "Interrupted: only one of %d ways ended.\n", r.wanted)
	default:
		fmt.Fprintf(&b, "Interrupted: %d of %d ways ended. They agree, in every directory.\n", n, r.wanted)
	}
	for _, row := range r.Results {
		if len(row.Differs) > 0 {
			fmt.Fprintf(&b, "%s differs from %s:\n", row.Variant, r.Results[0].Variant)
			b.WriteString(census.List(row.Differs))
		}
	}
	if p := r.Profile; p != nil && len(p.Differs) > 0 {
		fmt.Fprintf(&b, "measured, it differs from %s:\n", r.Results[0].Variant)
		b.WriteString(census.List(p.Differs))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *report) table() string {
	t := columns.New(3, "way", "deque", "sleep", "wall s", "CPU s", "speed-up", "forks", "published", "steals", "wakes", "parks")
	for _, row := range r.Results {
		cells := []any{row.Way, row.Deque, row.Sleep, fmt.Sprintf("%.3f", row.Wall), "-", fmt.Sprintf("%.2f", row.Speedup)}
		if row.CPU != nil {
			cells[4] = fmt.Sprintf("%.3f", *row.CPU)
		}
		if p := row.Pool; p != nil {
			cells = append(cells, p.Forks, p.Published, p.Steals, p.Wakes, p.Parks)
		}
		t.Row(cells...)
	}
	return t.String()
}
