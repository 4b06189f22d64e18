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
	b.WriteString("Graham's bound counts nothing but work and span. The word says what keeps base from it.\n")
	b.WriteString("Ramp: until all useful workers have first worked. Of bound: (T1/P + T∞)/TP, where T1 is the time with one worker of the pool.\n\n")
	t := columns.New(1, "workload", "workers", "low", "base", "high", "Graham", "of bound", "ramp", "limit")
	last := ""
	for _, c := range r.Cells {
		name := ""
		if c.Workload != last {
			name = c.Workload
		}
		last = c.Workload
		t.Row(name, c.Workers, times(c.Low), times(c.Base), times(c.High), times(c.Bound), part(c.OfBound), duration(c.Ramp), c.Limit)
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

// writeChecks says how many checks hold, which advisory ones do not, and which
// were skipped.
func (r *Report) writeChecks(b *strings.Builder) {
	sum, notes := r.validation()
	fmt.Fprintf(b, "%s\n", sum)
	for _, n := range notes {
		fmt.Fprintf(b, "  %s\n", n)
	}
	b.WriteString("\n")
}

// validation says how many checks hold, and notes those that do not or were not
// made.
func (r *Report) validation() (sum string, notes []string) {
	held, made := 0, 0
	for _, c := range r.Checks {
		switch {
		case c.Skipped:
			notes = append(notes, c.String())
			continue
		case c.OK:
			held++
		default:
			notes = append(notes, "off: "+c.String())
		}
		made++
	}
	sum = fmt.Sprintf("validated anew: %d of %d checks of the simulator hold", held, made)
	if skipped := len(r.Checks) - made; skipped > 0 {
		sum += fmt.Sprintf(", %d skipped", skipped)
	}
	return sum, notes
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

// part writes a part of a whole.
func part(x float64) string { return fmt.Sprintf("%.2f", x) }

// least writes nanoseconds that are the least found, or that none were.
func least(ns float64) string {
	if ns == 0 {
		return "none tried"
	}
	return duration(ns)
}

// duration writes nanoseconds with three digits.
func duration(ns float64) string {
	for _, unit := range []string{"ns", "µs", "ms"} {
		if ns < 1000 {
			return fmt.Sprintf("%.3g %s", ns, unit)
		}
		ns /= 1000
	}
	return fmt.Sprintf("%.3g s", ns)
}
