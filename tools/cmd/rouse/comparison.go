package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/pick"
	"github.com/rouse-go/rouse/tools/progress"
)

// errDiffer is the error of a comparison whose ways do not agree.
var errDiffer = errors.New("the results differ")

// A comparison is what one call of rouse run does.
type comparison struct {
	dir      string
	ofGo     bool // dir is the source of the Go installation
	deques   []backends.Deque
	sleeps   []backends.Sleep
	workers  int // of each pool
	variants []census.Variant
	repeat   int
	asJSON   bool
	// outputs are the files for a recording, and tracePath is which of them is for Perfetto.
	outputs   []*output
	tracePath string

	stdout, stderr io.Writer
}

// run takes the census of the tree in each way, with the tree in the system's
// cache, and prints the report. If ctx ends, the report is about what has ended.
func (m *comparison) run(ctx context.Context) (err error) {
	recorded := false
	defer func() {
		if !recorded {
			dropOutputs(m.outputs)
		}
	}()
	fsys := os.DirFS(m.dir)
	p := progress.Show(m.stderr, "reading every file once", -1)
	m.tell(p, m.plan())
	files, bytes, err := census.Warm(ctx, fsys, census.WithProgress(func() { p.Done.Add(1) }))
	before, known := census.Share(sample)
	p.Stop()
	if err != nil {
		return err
	}
	w := &watch{m: m, p: progress.Show(m.stderr, "", files*(m.runs()+measurings))}
	m.tell(w.p, fmt.Sprintf("Read every file once, so that none is in a colder cache than others: %d files, %.1f MB.\n", files, float64(bytes)/1e6))
	if known && before < quiet {
		m.tell(w.p, machineIsBusy(before))
	}
	m.tell(w.p, fmt.Sprintf("%s from here.\n\n", m.estimate(bytes, before, known)))
	c, results, err := census.Measure(ctx, fsys, m.variants, m.repeat, w)
	var measured *profile
	if err == nil {
		measured, err = w.profile(ctx, fsys, c)
	}
	w.p.Stop()
	if len(results) == 0 {
		return err
	}
	r := newReport(m.dir, c, results)
	r.wanted = len(m.variants)
	if measured != nil {
		r.Profile, r.Agree = measured, r.Agree && len(measured.Differs) == 0
	}
	if known {
		after, _ := census.Share(sample)
		share := min(before, after)
		r.Share = &share
	}
	if err := errors.Join(err, m.write(r)); err != nil {
		return err
	}
	if !r.Agree {
		return errDiffer
	}
	if len(m.outputs) > 0 {
		recorded = true
		return m.record(ctx, fsys, files, c)
	}
	return nil
}

// write prints the report.
func (m *comparison) write(r *report) error {
	if m.asJSON {
		return pick.WriteJSON(m.stdout, r)
	}
	// Apart from what was told before.
	if _, err := io.WriteString(m.stdout, "\n"); err != nil {
		return err
	}
	return r.writeTable(m.stdout)
}

// runs is how often the census is taken in all.
func (m *comparison) runs() int { return len(m.variants) * m.repeat }

// tell prints a line before the end, unless the report is JSON, which programs read. If it
// cannot be written, neither can the report, and that is an error.
func (m *comparison) tell(p *progress.Line, text string) {
	if !m.asJSON {
		_ = p.Print(m.stdout, text)
	}
}

// plan says what the command is about to do.
func (m *comparison) plan() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Census of %s", m.dir)
	if m.ofGo {
		b.WriteString(", the source of Go")
	}
	fmt.Fprintf(&b, ", in %d ways, %s:\n", len(m.variants), times(m.repeat))
	fmt.Fprintf(&b, "  sequential  one file after the other\n")
	fmt.Fprintf(&b, "  goroutines  a goroutine for each file and directory\n")
	fmt.Fprintf(&b, "  pool        a fork for each, %d workers; deque: %s; sleep backend: %s\n", m.workers,
		backends.Names(m.deques), backends.Names(m.sleeps))
	b.WriteString("Each way reads, hashes and counts every file, and parses those in Go. All must find the same.\n")
	b.WriteString("Then a pool does it once more, measured: how much of it can run at the same time?\n")
	if m.ofGo && m.repeat == 1 {
		b.WriteString("That takes about half a minute on two processors. ")
	}
	b.WriteString("Ctrl-C ends it with what it has.\n\n")
	return b.String()
}

func times(n int) string {
	if n == 1 {
		return "once each"
	}
	return fmt.Sprintf("%d times each", n)
}

// rate is how many bytes of Go source a processor takes the census of in a
// second, on the machine that the README has figures of.
const rate = 35e6

// estimate says how long all runs will take of a tree of so many bytes. Only the
// sequential way uses one processor; the share of each, if it is known, is what
// other programs leave.
func (m *comparison) estimate(bytes int64, share float64, known bool) string {
	one := float64(bytes) / rate * float64(m.repeat)
	all := one + one*float64(len(m.variants)-1)/float64(m.workers) + measurings*float64(bytes)/rate
	if known {
		all /= max(share, 0.01)
	}
	if all < 1 {
		return "Less than a second"
	}
	return fmt.Sprintf("About %.0f s", all)
}

// sample is for how long the command looks whether the machine is busy. All processors spin
// meanwhile, so tests look for less.
var sample = 200 * time.Millisecond

// quiet is the least share of the processors on a machine that is not busy.
const quiet = 0.9

// machineIsBusy is the warning of a run that gets only this share of the processors.
func machineIsBusy(share float64) string {
	return fmt.Sprintf("The machine is busy: of the processor time that this command could use, it gets %.0f %%.\n"+
		"So wall times are too long, and differ by chance, and so do speed-ups. CPU seconds tell more.\n", 100*share)
}

// A watch tells the user what has ended.
type watch struct {
	m     *comparison
	p     *progress.Line
	begun int // how many runs
}

// Start is that of [census.Watcher].
func (w *watch) Start(v census.Variant) {
	w.begun++
	w.p.Say(w.number() + v.String())
}

// File is that of [census.Watcher].
func (w *watch) File() { w.p.Done.Add(1) }

// End is that of [census.Watcher].
func (w *watch) End(v census.Variant, run census.Run) {
	w.m.tell(w.p, fmt.Sprintf("%s%-42v %7.2f s\n", w.number(), v, run.Wall.Seconds()))
}

// measurings is how often the census is measured: where another program takes the processor for a
// while, the span is too long. So the smallest one is shown.
const measurings = 3

// profile has a pool take the census some more times, and measures that.
func (w *watch) profile(ctx context.Context, fsys fs.FS, first *census.Census) (*profile, error) {
	w.p.Say("measured")
	p, err := pool.New(pool.WithWorkers(w.m.workers))
	if err != nil {
		return nil, err
	}
	var least pool.Profile
	var differs []string
	for i := range measurings {
		var c *census.Census
		var measured pool.Profile
		if c, measured, err = census.Profile(ctx, p, fsys, census.WithProgress(w.File)); err != nil {
			break
		}
		if i == 0 || measured.Span < least.Span {
			least = measured
		}
		if len(differs) == 0 {
			differs = first.Diff(c)
		}
	}
	if err = cmp.Or(err, p.Close()); err != nil {
		return nil, fmt.Errorf("measured: %w", err)
	}
	return newProfile(least, differs), nil
}

func (w *watch) number() string {
	all := fmt.Sprint(w.m.runs())
	return fmt.Sprintf("[%*d of %s] ", len(all), w.begun, all)
}
