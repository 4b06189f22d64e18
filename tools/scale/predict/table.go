package predict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/tools/columns"
)

// Text writes the report for a reader, on lines of the given width; 0 is no
// limit.
func (r *Report) Text(width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Title)
	r.writeChecks(&b)
	fmt.Fprintf(&b, "Speed-up over the plain program, with sleep backend %s: low with all assumptions pessimistic, high with all optimistic.\n", r.Sleep)
	b.WriteString("Graham's bound counts nothing but work and span. The word says what keeps base from it.\n\n")
	t := columns.New(1, "workload", "workers", "low", "base", "high", "Graham", "limit")
	last := ""
	for _, c := range r.Cells {
		name := ""
		if c.Workload != last {
			name = c.Workload
		}
		last = c.Workload
		t.Row(name, c.Workers, times(c.Low), times(c.Base), times(c.High), times(c.Bound), c.Limit)
	}
	fmt.Fprintf(&b, "%s\n", t.Fit(width))
	fmt.Fprintf(&b, "\nThe cache lines that cost most, with the most workers, as a part of all workers' time:\n\n%s\n", r.hottest().Fit(width))
	if len(r.Assumptions) > 0 {
		fmt.Fprintf(&b, "\nThe assumption that matters most, moved alone to both of its ends:\n\n%s\n", r.assumptions().Fit(width))
	}
	if len(r.Thumbs) > 0 {
		fmt.Fprintf(&b, "\nRules of thumb: the least that P workers run at least P/2 times as fast. A Run of %d leaves for each worker; leaves of which there are %d for each worker.\nJobs come from eight callers; the model has no allocation, of which a job needs some.\n\n%s\n",
			leavesOfRun, leavesOfLoop, r.thumbs().Fit(width))
	}
	b.WriteString("\n")
	var named []string
	for _, c := range r.Cells {
		if !slices.Contains(named, c.Workload) {
			named = append(named, c.Workload)
			fmt.Fprintf(&b, "%s: %s\n", c.Workload, c.About)
		}
	}
	return b.String()
}

// writeChecks says how many checks hold, and which advisory ones do not.
func (r *Report) writeChecks(b *strings.Builder) {
	var off []string
	for _, c := range r.Checks {
		if !c.OK {
			off = append(off, c.String())
		}
	}
	fmt.Fprintf(b, "validated just now: %d of %d checks of the simulator hold\n", len(r.Checks)-len(off), len(r.Checks))
	for _, c := range off {
		fmt.Fprintf(b, "  off: %s\n", c)
	}
	b.WriteString("\n")
}

// hottest is the table of the hottest lines, of the last cell of each workload.
func (r *Report) hottest() *columns.Table {
	t := columns.New(2, "workload", "lines", "workers")
	for i, c := range r.Cells {
		if i+1 == len(r.Cells) || r.Cells[i+1].Workload != c.Workload {
			t.Row(c.Workload, c.lines(), c.Workers)
		}
	}
	return t
}

// lines names the hottest lines that cost at least a percent.
func (c *Cell) lines() string {
	var all []string
	for _, l := range c.Hottest {
		if l.Share >= 0.01 {
			all = append(all, fmt.Sprintf("%s %.0f%%", l.Name, 100*l.Share))
		}
	}
	if all == nil {
		return "none costs a percent"
	}
	return strings.Join(all, ", ")
}

func (r *Report) assumptions() *columns.Table {
	t := columns.New(2, "workload", "assumption", "workers", "speed-up", "from", "to")
	for _, a := range r.Assumptions {
		name := a.Constant
		if name == "" {
			name = "none: nothing moves it"
		}
		t.Row(a.Workload, name, a.Workers, times(a.Base), times(a.Low), times(a.High))
	}
	return t
}

func (r *Report) thumbs() *columns.Table {
	t := columns.New(0, "workers", "smallest Run", "leaf: Invoke by halves", "flat loop", "scope", "empty jobs a second")
	for _, x := range r.Thumbs {
		t.Row(x.Workers, least(x.Run), least(x.Tree), least(x.Flat), least(x.Scope), fmt.Sprintf("%.2g million", x.Jobs/1e6))
	}
	return t
}

func times(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.2f×", x)
	}
	return fmt.Sprintf("%.1f×", x)
}

// least writes nanoseconds that are the least found, or that none were.
func least(ns float64) string {
	if ns == 0 {
		return "none tried"
	}
	for _, unit := range []string{"ns", "µs", "ms"} {
		if ns < 1000 {
			return fmt.Sprintf("%.3g %s", ns, unit)
		}
		ns /= 1000
	}
	return fmt.Sprintf("%.3g s", ns)
}
