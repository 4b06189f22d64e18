package results

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/tools/bench"
	"github.com/rouse-go/rouse/tools/columns"
)

// A comparison is of the sleep backends alone, as "Blitz: Sleep/Wake Protocol"
// and "Blitz: Lock-Free Futex Wake" have it.
type comparison struct {
	Columns []string
	Rows    []comparisonRow
}

type comparisonRow struct {
	Name  string
	Cells []string // "" if it was not measured
}

// approaches are the names that the documents have, by those of the backends.
var approaches = []struct{ backend, name string }{
	{bench.SequentialName, "(none, for the floor)"},
	{"sleep=spin", "Pure spin"},
	{"sleep=condvar", "Mutex + condvar"},
	{"sleep=jec", "JEC + condvar"},
	{"sleep=futex-goroutine", "Lock-free, goroutine parked"},
	{"sleep=futex", "Lock-free futex"},
}

// sleeps returns the comparison, or nil if nothing of it was measured.
func (r *Report) sleeps() *comparison {
	var c comparison
	rows := make([]comparisonRow, len(approaches))
	for _, column := range []struct{ workload, title string }{
		{"post-awake", "post, nobody asleep"},
		{"post-asleep", "post, one asleep"},
		{"wake", "post to first instruction"},
		{"rest", "CPU of a second idle"},
	} {
		for i := range r.Workloads {
			w := &r.Workloads[i]
			if w.Name != column.workload {
				continue
			}
			c.Columns = append(c.Columns, column.title)
			for j, a := range approaches {
				rows[j].Name = a.name
				rows[j].Cells = append(rows[j].Cells, w.medianOf(a.backend))
			}
		}
	}
	for _, row := range rows {
		if strings.Join(row.Cells, "") != "" {
			c.Rows = append(c.Rows, row)
		}
	}
	if len(c.Rows) < 2 { // of which one is the floor
		return nil
	}
	return &c
}

// medianOf returns the median of an implementation, as it is written.
func (w *Workload) medianOf(implementation string) string {
	for _, r := range w.Rows {
		if r.Implementation == implementation && r.Error == "" {
			return nanos(r.Median)
		}
	}
	return ""
}

// write appends the comparison to a report of lines of this width.
func (c *comparison) write(b *strings.Builder, width int) {
	header := []any{"sleep backends"}
	for _, title := range c.Columns {
		header = append(header, title)
	}
	t := columns.New(1, header...)
	for _, r := range c.Rows {
		row := []any{r.Name}
		for _, cell := range r.Cells {
			row = append(row, cell)
		}
		t.Row(row...)
	}
	fmt.Fprintf(b, "\n%s\n", t.Fit(width))
}
