package pool

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/rouse-go/rouse/api"
)

// Stats tells what a pool does now, in Queued and Running. All other fields count what it has
// done since it was made. The counts are kept where that costs nothing, so they lag while jobs
// run: a worker hands over its count of forks when it publishes one, or finds nothing to do.
// Once the pool is at rest they are exact (rule P26).
type Stats struct {
	// Workers is how many workers the pool has.
	Workers int
	// Queued is how many jobs of [Submit], [SubmitErr], [SubmitAll] and [Go], and calls of
	// [Run] and its kin, have been accepted, were queued, and have not begun. A job that was
	// taken back is not queued any more; one that waits for room is not yet. With
	// [WithQueueLimit] it is what the limit bounds. While jobs come and begin it may be off by
	// those that do so just now. Forks and spawned jobs do not count.
	//
	// Without a limit the first call of Stats may say too much, and those that follow, until
	// each worker has begun another job, or has none: then it tells which ones it had begun
	// before. From then on a job that was queued costs an atomic write more.
	Queued int
	// Running is how many workers have a job. Jobs in [Worker.Block] and others that go on
	// without a worker do not count, and a worker that looks for work has none.
	Running int
	// Forks is the number of forks, those of [Invoke] and [Both] included.
	Forks uint64
	// Published is how many of the forks were made visible to other workers.
	Published uint64
	// Spawned is the number of jobs spawned in scopes.
	Spawned uint64
	// Injected is the number of jobs that came from outside and were queued.
	Injected uint64
	// Borrowed is how often the seat of a sleeping worker was taken: by a
	// Run, on the caller's own goroutine, for a submitted job, on a new one, or by
	// a job that had given up its seat and goes on.
	Borrowed uint64
	// Steals is how often a worker took a job from another one and began it. When it takes
	// one of several, it also takes along some of the others, for later: these are not
	// counted.
	Steals uint64
	// SetAside is how often a job gave up its seat and was blocked, because it
	// waited for other jobs.
	SetAside uint64
	// Seatless is how often a job went on without a seat, because none was free.
	Seatless uint64
	// Parks is how often a worker blocked for want of work, Wakes how often
	// one was woken. Both are zero if the sleep backend does not count.
	Parks, Wakes uint64
}

// Stats returns the counts so far. It may be called by any goroutine at any time, also after
// Close. It costs some loads for each worker.
func (p *Pool) Stats() Stats {
	if !p.watched.Load() {
		p.watched.Store(true)
	}
	inactive, _ := p.sleep.Counts()
	s := Stats{Workers: len(p.seats), Queued: p.waiting(), Running: max(0, len(p.seats)-inactive), Injected: p.injected.Load()}
	for _, seat := range p.seats {
		s.add(&seat.stats)
	}
	if m, ok := p.sleep.(api.Meter); ok {
		metered := m.Meter()
		s.Parks, s.Wakes = metered.Parks, metered.Wakes
	}
	return s
}

// waiting returns how many jobs are queued. They leave the queue in no order, so a pool without
// a limit counts those that have left it where they begin: in one word, to which all workers
// write, they would hinder each other.
func (p *Pool) waiting() int {
	if r := p.queued.room; r != nil {
		return r.waits()
	}
	left := p.withdrawn.Load()
	for _, s := range p.seats {
		left += s.stats.begun.Load()
	}
	// A job is counted as queued when it lies where workers find it, and may have begun.
	return max(0, int(int32(uint32(p.injected.Load())-left)))
}

func (s *Stats) add(c *counts) {
	s.Forks += c.forks.Load()
	s.Published += c.published.Load()
	s.Spawned += c.spawned.Load()
	s.Steals += c.steals.Load()
	s.Borrowed += c.borrowed.Load()
	s.SetAside += c.aside.Load()
	s.Seatless += c.seatless.Load()
}

// tell hands over what the worker has counted plainly.
func (w *Worker) tell() {
	c := w.counts()
	if forks := w.forks(); forks != w.told.forks {
		c.forks.Add(forks - w.told.forks)
		w.told.forks = forks
	}
	if w.submitted != w.told.submitted {
		w.pool.leaveCounted(c, w.submitted-w.told.submitted)
		w.told.submitted = w.submitted
	}
	w.tellBegun()
}

// hasBegun counts a job that was queued, and that w begins. An atomic write for each would
// cost an empty job of Submit a sixth more. So while nobody has asked for Stats, the worker
// counts plainly, and hands over when it rests.
func (w *Worker) hasBegun() {
	w.begun++
	if w.pool.watched.Load() {
		w.tellBegun()
	}
}

func (w *Worker) tellBegun() {
	if w.begun != 0 {
		w.counts().begun.Add(w.begun)
		w.begun = 0
	}
}

// Dump writes what the jobs of the pool do: which ones run, which ones wait, for
// which job and since when, and where in the program each is. Use it to look for a
// deadlock or a delay; the format may change.
//
// Dump may be called at any time, also while nothing moves. It stops the program
// for as long as [runtime.Stack] does for all goroutines, and writes what holds at
// that moment, but for the waits, which it reads a little later. A job can be
// missing if more than a hundred calls lie above it and a Run beneath it: Go does
// not print the middle of so deep a stack. An error of out ends the writing.
func (p *Pool) Dump(out io.Writer) {
	all := p.dumped(stacksOfAll())
	inactive, sleeping := p.sleep.Counts()
	queue := "no job is queued"
	if !p.injector.Empty() || !p.unseated.Empty() {
		queue = "jobs are queued"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "pool: jobs begun: %d; workers: %d, without a job: %d, asleep: %d; %s\n",
		len(all), len(p.seats), inactive, sleeping, queue)
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
	at := w.waiting.Load()
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
	for i := range w.pool.occupants {
		if w.pool.occupants[i].Load() == w {
			return fmt.Sprintf("is on worker %d [%s]", i, d.state)
		}
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

func stacksOfAll() string {
	buf := make([]byte, 1<<16)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) || n > 1<<28 {
			return string(buf[:n])
		}
		buf = make([]byte, 4*len(buf))
	}
}

// dumped finds the pool's jobs in the stacks of all goroutines.
func (p *Pool) dumped(stacks string) (all []dumpedJob) {
	for g := range strings.SplitSeq(stacks, "\n\n") {
		lines := strings.Split(g, "\n")
		_, state, _ := strings.Cut(lines[0], "[")
		state, _, _ = strings.Cut(state, "]")
		var calls []string
		top, first := true, len(all)
		for i := 1; i+1 < len(lines); i += 2 {
			name, inside := strings.CutPrefix(lines[i], packagePath)
			switch {
			case strings.HasPrefix(name, "spelled("):
				number := numberFrom(lines[i+2:])
				if w := workerIDs.get(number); w != nil && w.pool == p {
					all = append(all, dumpedJob{w, number, top, state, calls})
					for i := range all[first:] {
						if d := &all[first+i]; d.worker == w {
							d.number = number
						}
					}
				}
				calls, top = nil, false
			case !inside && !strings.Contains(name, "/rouse/api/prim."):
				calls = append(calls, inShort(name, lines[i+1]))
			}
		}
	}
	return all
}

// packagePath is how the names of this package's functions begin.
var packagePath = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndex(name, "/")
	return name[:slash+1+strings.Index(name[slash+1:], ".")+1]
}()

// numberFrom reads a number from the calls beneath spelled.
func numberFrom(lines []string) (number uint32) {
	for i := 0; i < len(lines); i += 2 {
		function, _, _ := strings.Cut(strings.TrimPrefix(lines[i], packagePath), "(")
		digit := strings.Index(digitNames, strings.TrimPrefix(function, "digit"))
		switch {
		case strings.HasPrefix(function, "digit") && digit >= 0:
			number = number<<4 | uint32(digit)
		case function != "spell":
			return number
		}
	}
	return number
}

const digitNames = "0123456789ABCDEF"

// inShort shortens two lines of a stack to one.
func inShort(function, place string) string {
	if open := strings.LastIndexByte(function, '('); open > 0 {
		function = function[:open]
	}
	place, _, _ = strings.Cut(strings.TrimSpace(place), " +0x")
	return function + "  " + place
}
