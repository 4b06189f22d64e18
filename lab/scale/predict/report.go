package predict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/tools/columns"
)

// begins is what each title begins with.
const begins = "predicted by simulation, not measured"

// A Report is a prediction.
type Report struct {
	// Title says first of all that nothing here was measured.
	Title string
	Sleep string
	// Checks are what the simulator was validated by, just before.
	Checks []Check
	Cells  []Cell
}

// A Check compares the simulator with what is known.
type Check struct {
	Name string
	// What is what the simulator says, and what it should say.
	What string
	OK   bool
	// Advisory checks do not stop a report. It lists those that are off.
	Advisory bool
	// Skipped checks had nothing to compare with. The report lists them, and
	// counts them neither as well nor as off.
	Skipped bool
}

// A Cell is the prediction for one workload with one number of workers.
type Cell struct {
	Workload string
	About    string
	Workers  int
	// Low, Base and High are speed-ups over the plain program: with all
	// constants of the machine at their pessimistic end, as believed in, and at
	// their optimistic end.
	Low  float64
	Base float64
	High float64
	// Bound is Graham's.
	Bound float64
	// Limit is what keeps Base from Bound: see the rule in the documentation
	// of the package.
	Limit Limit
	// OfBound is which part Base is, as a speed-up over one worker of the same
	// pool, of the most that a greedy schedule promises: see the documentation
	// of the package.
	OfBound float64
	// Ramp is the time until all workers that the program has parallelism for
	// have first worked, in nanoseconds. It is Elapsed if some never do.
	Ramp float64
	// Elapsed is in nanoseconds, of Base.
	Elapsed float64
	// Hottest are the lines that cost most, of Base.
	Hottest []HotLine
}

// A HotLine is what the cache lines of one name cost in a run.
type HotLine struct {
	Name string
	// Share is the time of their misses, as a part of all workers' time.
	Share float64
}

func (c Check) String() string { return fmt.Sprintf("%s: %s", c.Name, c.What) }

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
		t.Row(name, c.Workers, columns.Times(c.Low), columns.Times(c.Base), columns.Times(c.High), columns.Times(c.Bound), columns.Digits(c.OfBound), columns.Nanos(c.Ramp), c.Limit)
	}
	fmt.Fprintf(&b, "%s\n", t.Fit(width))
	fmt.Fprintf(&b, "\nThe cache lines that cost most, with the most workers, as a part of all workers' time:\n\n%s\n", r.hottest().Fit(width))
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
	var notes []string
	held, made := 0, 0
	for _, c := range r.Checks {
		switch {
		case c.Skipped:
			notes = append(notes, "  "+c.String()+"\n")
			continue
		case c.OK:
			held++
		default:
			notes = append(notes, "  off: "+c.String()+"\n")
		}
		made++
	}
	fmt.Fprintf(b, "validated anew: %d of %d checks of the simulator hold", held, made)
	if skipped := len(r.Checks) - made; skipped > 0 {
		fmt.Fprintf(b, ", %d skipped", skipped)
	}
	fmt.Fprintf(b, "\n%s\n", strings.Join(notes, ""))
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
