package results

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/tools/columns"
)

// A comparison is a table that several workloads make together.
type comparison struct {
	ID, Title, About string
	// Texts is how many of the columns, at the left, are not numbers.
	Texts  int
	Header []string
	Rows   [][]string // "" where nothing was measured
}

// comparisons returns those of which something was measured.
func (r *Report) comparisons() (all []*comparison) {
	for _, c := range []*comparison{r.sleeps(), r.depths(), r.fills(), r.sweep()} {
		if c != nil {
			all = append(all, c)
		}
	}
	return all
}

// ownTable reports whether a table of its own shows the workload, beside
// others of its kind and with its own numbers of workers.
func (w *Workload) ownTable() bool { return w.isDepth() || w.isFill() || w.isSweep() }

// write appends the comparison to a report of lines of this width.
func (c *comparison) write(b *strings.Builder, width int) {
	t := columns.New(c.Texts, cells(c.Header)...)
	for _, row := range c.Rows {
		t.Row(cells(row)...)
	}
	fmt.Fprintf(b, "\n%s: %s\n\n%s\n", c.Title, c.About, t.Fit(width))
}

// cells are texts as a table takes them.
func cells(texts []string) (all []any) {
	for _, s := range texts {
		all = append(all, s)
	}
	return all
}
