package pool

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Measure is [Run], and says how much of the function could run at the same time: its work, its
// span, and the call sites that the span lies in. That is a property of the program and its input,
// not of the pool. So it answers why a program is not faster, and how much faster more processors
// could make it: work by span times, the [Profile.Parallelism]. That is a bound: there is as much
// parallelism, or more.
//
// The work is the time that all jobs take together, one after the other; the span is the time of
// the longest chain of them in which each must wait for the one before. Forks, [Invoke], [Both],
// scopes, groups, and the calls of package par are measured, wherever they are within the
// function; so are the calls of Run and Measure of the same pool within it. A Run of another pool is a
// part of its caller, or a wait. Time in [Worker.Block], and in a wait for
// a handle, counts to the span and not to the work, since other jobs can have the worker meanwhile.
//
// A nil ctx or fn panics. Errors, panics and Goexit are those of Run, and there is no profile then.
//
// # What it costs
//
// The measured job runs on one worker, as others would disturb the clock. Only what it spawns runs
// beside it, and forks while it waits. So it takes the time of the work, a millisecond, and about a
// microsecond for each fork: fib(25), which forks at each call, takes a hundred times as long as
// otherwise. The rest of the pool goes on, unmeasured; only each
// Run and each call of package par in the program looks at the stack meanwhile, as [RunHere] does. Any
// number of goroutines may measure at once: if they compete for processors, each sees the other as
// work of its own.
//
// # How exact it is
//
// It goes by the clock, whose cost is measured before, and taken off. That is known to some
// nanoseconds, and a strand, which lies between a fork or a join and the next one, may take as
// little. So of the work the most is taken off that the clock may cost, and of the span the least: the
// work is at least what the profile says, and the span at most, or the whole of that work. Where strands
// take a microsecond, both are right within some hundredths. Where forks come thick there may be much
// more parallelism than it says.
//
// If the system takes the processor away, that counts to the strand that it meets, which may be the
// one that makes the span. Measure again, and believe the smallest span. In a bubble of
// testing/synctest all is exact.
//
// # What is not covered
//
// A job of [Submit] or [Go] is not measured; nor is a goroutine that the function starts. Elements
// of a call of package par with a limit, with a live source, or of a Pipe count as a wait, since
// helpers do them. The limit of a group does not count. A loop of short elements counts as pieces
// of up to 10 µs, as others would get them: so its parallelism is at most its time by that. Sorts
// and the like cut their input for the workers of the pool: measure them on one with as many as
// you mean to have.
func Measure[A, R any](ctx context.Context, p *Pool, fn func(w *Worker, arg A) R, arg A) (R, Profile, error) {
	switch {
	case ctx == nil:
		panic("pool: Measure with a nil context: use context.Background")
	case fn == nil:
		panic("pool: Measure of a nil function")
	}
	m := newMeasurement(siteOf(fn))
	measuring.Add(1)
	defer measuring.Add(^uint32(0))
	result, err := Run(ctx, p, measured[A, R], measuredCall[A, R]{m, fn, arg})
	if err != nil {
		return result, Profile{}, err
	}
	return result, m.profile(), nil
}

// A job of Measure calls a measuredCall.
type measuredCall[A, R any] struct {
	m   *measurement
	fn  func(*Worker, A) R
	arg A
}

func measured[A, R any](w *Worker, c measuredCall[A, R]) R {
	outer := w.probe
	if outer != nil {
		outer.stop()
	}
	c.m.calibrate()
	q, limit := &probe{m: c.m}, w.head
	w.setProbe(q)
	defer func() {
		q.stop()
		w.setProbe(outer)
		c.m.whole = q
		if outer != nil {
			outer.include(q)
			outer.start()
		}
	}()
	q.start()
	result := c.fn(w, c.arg)
	if w.head > limit {
		w.settle(limit)
	}
	return result
}

// A Profile says how much of a function could run at the same time: see [Measure].
type Profile struct {
	// Work is the time that all jobs took together at least, without waits.
	Work time.Duration
	// Span is the time at most of the longest chain of jobs and waits, each of which follows the one
	// before.
	Span time.Duration
	// Burdened is the span if each fork on it costs a [Burden] that another worker takes, and each
	// one that had better not be taken is not.
	Burdened time.Duration
	// Waited is the time that all jobs took together in [Worker.Block] and in waits for handles.
	Waited time.Duration
	// Forks is how many jobs the function has forked or spawned, and into how many further pieces
	// its loops could be cut.
	Forks int
	// Sites are the call sites that the span lies in, the largest share first: at most eight.
	Sites []Site
	// Rest is the share of the span of all other sites.
	Rest time.Duration
}

// A Site is the place of a call that forks, spawns or loops. What it calls is its share. What the
// measured function does by itself has the place of that function.
type Site struct {
	Function string // that has the call
	File     string // empty if nobody knows it
	Line     int
	Span     time.Duration // its share of the span
}

// Burden is what a fork is taken to cost that another worker takes: as long as a wake of a worker
// takes until it is at work.
const Burden = 40 * time.Microsecond

// Parallelism is how many times faster than on one processor the function can be at least, if the
// machine has processors enough. It is the work by the span. It is below 1 if that has waits which
// make it the longer one: then no further processor helps.
func (p Profile) Parallelism() float64 { return ratio(p.Work, p.Span) }

// BurdenedParallelism is the work by the burdened span: about how many times faster the function
// can be with a [Burden] for each fork that another worker takes.
func (p Profile) BurdenedParallelism() float64 { return ratio(p.Work, p.Burdened) }

func ratio(work, span time.Duration) float64 {
	if work == span {
		return 1 // also of nothing
	}
	return float64(work) / float64(max(span, 1))
}

// String says it in a sentence for people, and then has a line for each site.
func (p Profile) String() string {
	var b strings.Builder
	if p.Span > p.Work { // it waits on one processor, too
		fmt.Fprintf(&b, "Your span is longer than your work, as it has waits: %v, whatever the machine", rounded(p.Span))
	} else {
		fmt.Fprintf(&b, "Your parallelism is at least %s: the span is at most %s of the work",
			factor(p.Parallelism()), percent(100*ratio(p.Span, p.Work)))
	}
	if len(p.Sites) > 0 {
		fmt.Fprintf(&b, ", most of it in %v", p.Sites[0])
	}
	fmt.Fprintf(&b, ".\nWork %v, span %v; with %v for each fork that another worker takes the parallelism is %s; %d forks.\n",
		rounded(p.Work), rounded(p.Span), Burden, factor(p.BurdenedParallelism()), p.Forks)
	if p.Waited > 0 {
		fmt.Fprintf(&b, "Jobs waited for %v, which counts to the span alone.\n", rounded(p.Waited))
	}
	b.WriteString("The span lies in\n")
	line := func(span time.Duration, what any) {
		fmt.Fprintf(&b, "  %6s  %10v  %v\n", percent(100*ratio(span, max(p.Span, 1))), rounded(span), what)
	}
	for _, s := range p.Sites {
		line(s.Span, s)
	}
	if p.Rest > 0 {
		line(p.Rest, "other places")
	}
	return b.String()
}

func percent(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.2g %%", x)
	}
	return fmt.Sprintf("%.0f %%", x)
}

// rounded returns d with three or four digits.
func rounded(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 10000 {
		unit *= 10
	}
	return d.Round(unit)
}

func factor(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// String returns the file without its folder, the line and the function without its module.
func (s Site) String() string {
	name := s.Function[strings.LastIndexByte(s.Function, '/')+1:]
	if s.File == "" {
		return name
	}
	return fmt.Sprintf("%s:%d (%s)", filepath.Base(s.File), s.Line, name)
}

// mostSites is how many sites a profile names.
const mostSites = 8

// profile says what was measured. The measured job has ended.
func (m *measurement) profile() Profile {
	q := m.whole
	p := Profile{Work: m.work(q.sums, m.most), Waited: q.waited, Forks: q.forks}
	p.Span = min(q.at.span, p.Work+p.Waited)
	p.Burdened = max(q.at.burdened, p.Span)
	for i, span := range q.at.shares {
		if span > 0 {
			s := m.sites[i]
			s.Span = span
			p.Sites = append(p.Sites, s)
		}
	}
	slices.SortStableFunc(p.Sites, func(a, b Site) int { return cmp.Compare(b.Span, a.Span) })
	if len(p.Sites) > mostSites {
		for _, s := range p.Sites[mostSites:] {
			p.Rest += s.Span
		}
		p.Sites = p.Sites[:mostSites:mostSites]
	}
	return p
}
