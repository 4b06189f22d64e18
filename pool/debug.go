package pool

import (
	"bytes"
	"fmt"
	"io"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/pool/internal/spell"
)

// Dump writes what the jobs of the pool do: which ones run, which ones wait, for
// which job and since when, and where in the program each is. Use it to look for a
// deadlock or a delay; the format may change. Package poolhttp serves it by HTTP, and an example
// below writes it when the program gets a signal. It shows functions, files and lines, and
// profiler labels if Go prints those, but no arguments.
//
// Dump may be called at any time, also while nothing moves. It stops the program
// for as long as [runtime.Stack] does for all goroutines, and writes what holds at
// that moment, but for the waits, which it reads a little later. A job can be
// missing if more than a hundred calls lie above it and a Run beneath it: Go does
// not print the middle of so deep a stack. An error of out ends the writing.
func (p *Pool) Dump(out io.Writer) {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 2) // as text, which a Buffer takes
	all := p.dumped(b.String())
	b.Reset()
	inactive, sleeping := p.sleep.Counts()
	fmt.Fprintf(&b, "pool: jobs begun: %d; workers: %d, without a job: %d, asleep: %d; queued: %d\n",
		len(all), len(p.seats), inactive, sleeping, p.inbox.queue.waits(p))
	for _, d := range all {
		fmt.Fprintf(&b, "\njob %d %s\n", d.number, d.does(all))
		for _, call := range d.calls {
			fmt.Fprintf(&b, "\t%s\n", call)
		}
	}
	_, _ = out.Write(b.Bytes())
}

// A dumpedJob is one that Dump has found on the stack of a goroutine.
type dumpedJob struct {
	worker *Worker
	// number is what the stack spells for the worker: its own may change meanwhile, as a Run ends
	// by a panic. If there are several, it is the outermost one, which the worker has itself.
	number uint32
	// top says that no other job lies above it. state is then what Go says of the
	// goroutine.
	top   bool
	state string
	calls []string
}

// does says what the job does, in words.
func (d *dumpedJob) does(all []dumpedJob) string {
	w := d.worker
	at := w.shown.waits.Load()
	switch {
	case at != nil && at.scope != nil:
		// Workers that run its jobs hold some of the count as credit.
		return fmt.Sprintf("waits for a scope, in which at most %d jobs have not ended, for %v", at.scope.pending.Pending(), round(at.since))
	case at != nil && at.job != nil:
		return fmt.Sprintf("waits for %s, for %v", runnerOf(at.job, all), round(at.since))
	case at != nil:
		return fmt.Sprintf("is in Block [%s], for %v", d.state, round(at.since))
	case !d.top:
		return "has called Run"
	}
	if n := int(w.shown.on.Load()) - 1; n < len(w.pool.seats) {
		return fmt.Sprintf("is on worker %d [%s]", n, d.state)
	}
	return fmt.Sprintf("has no worker [%s]", d.state)
}

// runnerOf says which job a worker waits for.
func runnerOf(j *Job, all []dumpedJob) string {
	if !j.isClaimed() {
		return "a job that has not begun"
	}
	for _, d := range all {
		if n := j.runner.Load(); d.number == n {
			return fmt.Sprintf("job %d", n)
		}
	}
	return "a job that has ended or is about to begin"
}

func round(since time.Time) time.Duration { return time.Since(since).Round(time.Millisecond) }

// dumped finds the pool's jobs in the stacks of all goroutines.
func (p *Pool) dumped(stacks string) (all []dumpedJob) {
	for g := range strings.SplitSeq(stacks, "\n\n") {
		lines := strings.Split(g, "\n")
		_, state, _ := strings.Cut(lines[0], "[")
		state, _, _ = strings.Cut(state, "]")
		var calls []string
		top, first := true, len(all)
		for lines = lines[1:]; len(lines) > 1; {
			number, beneath := spell.Cut(lines)
			if number == 0 {
				if !isInside(lines[0]) {
					calls = append(calls, inShort(lines[0], lines[1]))
				}
				lines = lines[2:]
				continue
			}
			if _, w := workerIDs.Get(number); w != nil && w.pool == p {
				all = append(all, dumpedJob{w, number, top, state, calls})
				for i := range all[first:] {
					if d := &all[first+i]; d.worker == w {
						d.number = number
					}
				}
			}
			calls, top, lines = nil, false, beneath
		}
	}
	return all
}

// isInside reports whether a line of a stack is a call in this package or in one that it uses for that.
func isInside(line string) bool {
	const ours = "github.com/rouse-go/rouse/"
	inside := []string{ours + "pool.", ours + "pool/internal/", ours + "api/prim.", "runtime/pprof."}
	return slices.ContainsFunc(inside, func(path string) bool { return strings.HasPrefix(line, path) })
}

// inShort shortens two lines of a stack to one.
func inShort(function, place string) string {
	if open := strings.LastIndexByte(function, '('); open > 0 {
		function = function[:open]
	}
	place, _, _ = strings.Cut(strings.TrimSpace(place), " +0x")
	return function + "  " + place
}
