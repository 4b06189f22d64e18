package measure

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/columns"
)

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
