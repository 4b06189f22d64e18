package main

import (
	"path/filepath"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/tools/census"
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
