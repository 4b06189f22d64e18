package results

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/tools/columns"
)

// WriteTable prints a table for each workload, and after them, where they are
// on the screen in the end, what they amount to. On a terminal it leaves out
// the last columns of what is too wide for it.
func (r *Report) WriteTable(w io.Writer) error {
	all := r.text(0)
	shown := r.text(columns.Width(w))
	if shown != all {
		shown += "\nThe terminal is too narrow for some columns; a file gets them all.\n"
	}
	_, err := io.WriteString(w, shown)
	return err
}

// text is everything in lines of this width.
func (r *Report) text(width int) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Machine)
	if r.Command != "" {
		fmt.Fprintln(&b, r.Command)
	}
	for i := range r.Workloads {
		r.Workloads[i].write(&b, width)
	}
	for _, c := range r.comparisons() {
		c.write(&b, width)
	}
	if g := r.glance(); g != nil {
		g.write(&b, width)
	}
	writeGoals(&b, r.goals(), width)
	if problems := r.problems(); len(problems) > 0 {
		fmt.Fprintln(&b, "\nnot measured, or wrong:")
		for _, p := range problems {
			fmt.Fprintln(&b, "  "+p.Anywhere())
		}
	}
	return b.String()
}

// statistics are the columns of numbers, the most important first.
var statistics = []any{"workers", "p10", "median", "±", "to seq.", "to best peer", "p99", "CPU", "slept", "allocs", "steals", "wakes", "runs"}

func (r *Row) statistics() []any {
	return []any{
		r.Workers, nanos(r.P10), nanos(r.Median), r.spread(), times(r.ToSequential), times(r.ToBestPeer), nanos(r.P99),
		nanos(r.CPU), count(r.Slept), count(r.Allocs), count(r.Steals), count(r.Wakes), r.Runs,
	}
}

// write renders one workload. The combinations of backends have a table of
// their own, and rows without times stand beneath.
func (w *Workload) write(b *strings.Builder, width int) {
	all := columns.New(1, slices.Concat([]any{""}, statistics)...)
	combinations := columns.New(3, slices.Concat([]any{"deque", "sleep", "publish"}, statistics)...)
	for _, r := range w.Rows {
		if r.Judged == nil || r.Error != "" {
			continue
		}
		if c, ok := r.combination(); ok {
			combinations.Row(slices.Concat([]any{c.Deque, c.Sleep, c.Publish}, r.statistics())...)
		} else {
			all.Row(slices.Concat([]any{r.Implementation}, r.statistics())...)
		}
	}
	fmt.Fprintf(b, "\n%s: %s\ntimes for each %s, compared by the %s; CPU and counts for each run", w.Name, w.About, w.Unit, w.Judge)
	if took := w.Took(); took > 0 {
		fmt.Fprintf(b, "; measured for %v", took)
	}
	fmt.Fprintln(b)
	if all.Len() > 0 {
		fmt.Fprintf(b, "\n%s\n", all.Fit(width))
	}
	if combinations.Len() > 0 {
		fmt.Fprintf(b, "\n%s\n", combinations.Fit(width))
	}
	for _, p := range w.problems() {
		fmt.Fprintln(b, p.Here())
	}
}

// nanos writes a time with three digits.
func nanos(ns *float64) string {
	if ns == nil {
		return ""
	}
	x, unit := scale(*ns)
	return digits(x) + " " + unit
}

// scale returns a time in the unit in which it is 1 to 1000, if there is one.
func scale(ns float64) (x float64, unit string) {
	x, unit = ns, "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if x < 1000 {
			break
		}
		x, unit = x/1000, larger
	}
	return x, unit
}

// digits writes a number with three digits, and all those before the point.
func digits(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.1:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case x < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

func times(x *float64) string {
	if x == nil {
		return ""
	}
	return digits(*x) + "×"
}

func count(x *float64) string {
	if x == nil {
		return ""
	}
	return digits(*x)
}

// spread is how far from the median its confidence interval reaches.
func (r *Row) spread() string {
	if r.MedianLow == nil || r.MedianHigh == nil {
		return "?"
	}
	away := max(*r.MedianHigh / *r.Median - 1, 1 - *r.MedianLow / *r.Median)
	return fmt.Sprintf("%.0f%%", 100*away)
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
