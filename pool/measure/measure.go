// Package measure has what Pool.Measure of package pool says of a function: its work, its span, and
// where that lies.
package measure

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// A Profile says how much of a function could run at the same time: see Pool.Measure of package pool.
type Profile struct {
	// Work is the time that all jobs took together at least, without waits.
	Work time.Duration
	// Span is the time at most of the longest chain of jobs and waits, each of which follows the one
	// before.
	Span time.Duration
	// Waited is the time that all jobs took together in Worker.Block and in waits for handles.
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

// Parallelism is how many times faster than on one processor the function can be at least, if the
// machine has processors enough. It is the work by the span. It is below 1 if that has waits which
// make it the longer one: then no further processor helps.
func (p Profile) Parallelism() float64 { return ratio(p.Work, p.Span) }

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
		fmt.Fprintf(&b, "Your parallelism is at least %s: the span is at most %s %% of the work",
			digits(p.Parallelism()), digits(100*ratio(p.Span, p.Work)))
	}
	if len(p.Sites) > 0 {
		fmt.Fprintf(&b, ", most of it in %v", p.Sites[0])
	}
	fmt.Fprintf(&b, ".\nWork %v, span %v; %d forks.\n", rounded(p.Work), rounded(p.Span), p.Forks)
	if p.Waited > 0 {
		fmt.Fprintf(&b, "Jobs waited for %v, which counts to the span alone.\n", rounded(p.Waited))
	}
	b.WriteString("The span lies in\n")
	line := func(span time.Duration, what any) {
		fmt.Fprintf(&b, "  %4s %%  %10v  %v\n", digits(100*ratio(span, max(p.Span, 1))), rounded(span), what)
	}
	for _, s := range p.Sites {
		line(s.Span, s)
	}
	if p.Rest > 0 {
		line(p.Rest, "other places")
	}
	return b.String()
}

// digits writes x with two digits or more.
func digits(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// rounded returns d with three or four digits.
func rounded(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 10000 {
		unit *= 10
	}
	return d.Round(unit)
}

// String returns the file without its folder, the line and the function without its module.
func (s Site) String() string {
	name := s.Function[strings.LastIndexByte(s.Function, '/')+1:]
	if s.File == "" {
		return name
	}
	return fmt.Sprintf("%s:%d (%s)", filepath.Base(s.File), s.Line, name)
}
