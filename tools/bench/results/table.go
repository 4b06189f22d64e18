package results

import (
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// WriteTable prints a table for each workload.
func (r *Report) WriteTable(w io.Writer) error {
	if _, err := fmt.Fprintln(w, r.Machine); err != nil {
		return err
	}
	for i := range r.Workloads {
		if _, err := io.WriteString(w, r.Workloads[i].table()); err != nil {
			return err
		}
	}
	if s := r.sleeps(); s != nil {
		_, err := fmt.Fprintf(w, "\n%s\n", s.table())
		return err
	}
	return nil
}

// table renders one workload. Rows without times stand beneath it.
func (w *Workload) table() string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"", "workers", "runs", "p10", "median", "±", "p99", "to seq.", "to best peer", "CPU", "slept", "allocs", "steals", "wakes"})
	var beneath string
	for _, r := range w.Rows {
		if r.Note != "" || r.Error != "" {
			beneath += fmt.Sprintf("%s, %s: %s%s\n", r.Implementation, plural(r.Workers, "worker"), r.Note, r.Error)
		}
		if r.Judged == nil || r.Error != "" {
			continue
		}
		t.AppendRow(table.Row{
			r.Implementation, r.Workers, r.Runs, nanos(r.P10), nanos(r.Median), r.spread(), nanos(r.P99),
			times(r.ToSequential), times(r.ToBestPeer), nanos(r.CPU), count(r.Slept), count(r.Allocs), count(r.Steals), count(r.Wakes),
		})
	}
	columns(t)
	s := fmt.Sprintf("\n%s: %s\ntimes for each %s, compared by the %s; CPU and counts for each run\n", w.Name, w.About, w.Unit, w.Judge)
	if t.Length() > 0 {
		s += t.Render() + "\n"
	}
	return s + beneath
}

func columns(t table.Writer) {
	s := table.StyleDefault
	s.Options = table.OptionsNoBordersAndSeparators
	s.Options.SeparateHeader = true
	s.Box.PaddingLeft = ""
	s.Box.PaddingRight = "  "
	s.Format.Header = text.FormatDefault
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	configs := []table.ColumnConfig{{Number: 1, Align: text.AlignLeft}}
	for n := 2; n <= 14; n++ {
		configs = append(configs, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
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
	case x < 0.01:
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
