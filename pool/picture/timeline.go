package picture

import (
	"cmp"
	"slices"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

// A state is what a lane shows for a while.
type state uint8

const (
	unknown state = iota
	own
	stolen
	looking
	asleep
	closed
	aside
	blocked
	seatless
	loops
	piece
	states // how many there are
)

var stateNames = [states]string{
	"not known", "own work", "stolen work", "looking for work", "asleep", "ended", "set aside", "in Block",
	"works without a worker", "loop", "piece of a loop",
}

// A timeline is a recording as lanes.
type timeline struct {
	end   time.Duration
	lanes []lane // first those of the workers
	// arrows lead from lane to lane: steals, and jobs that go on elsewhere.
	arrows []arrow
	steals []int // of each worker
	jobs   int   // that have begun
	// idle is the time that workers had no work, by why.
	idle map[reason]time.Duration
	// lost is that without workers for which there was no processor.
	lost map[reason]time.Duration
	// rows is how many lanes there are of each state without a worker.
	rows [states]int
	// Between gapFrom and gapTo nothing is known, if these differ.
	gapFrom, gapTo time.Duration
	// where has the file and line of each function.
	where map[string]string
	// work is what each job did, by its number; alone is when one job ran, and workers were idle.
	work  map[int]*work
	alone []alone
	// ran is how long all jobs ran, one added to the other; over is for how long of that there was no
	// processor for them, and full how long there were at least as many as processors.
	ran, over, full time.Duration
	// lastRan is when a job ran last.
	lastRan time.Duration
	// whole is how long the process was watched.
	whole time.Duration
}

// A work is what a job did.
type work struct {
	kind  record.JobKind
	name  string
	took  time.Duration // while it ran
	ended bool
	marks []mark
}

// A mark is how many forks the worker of a job had made at a moment, and how many it made visible then.
type mark struct {
	at      time.Duration
	forks   uint64
	visible int
}

// An alone is a time in which only one job ran, and so many workers were idle.
type alone struct {
	from, to time.Duration
	idle     int
	lost     int // of these, those for which there was a processor
	job      int
	fn       string
	inLoop   bool
}

// A lane shows one thing at a time, and what that has within.
type lane struct {
	name  string
	state state // of its spans, if it is for jobs without a worker
	spans []span
	// open are the spans that go on, each within the one before.
	open []span
}

type span struct {
	from, to time.Duration
	state    state
	depth    int
	job      int // or 0
	name     string
	detail   string
}

type arrow struct {
	from, to         int // lanes
	leaves, arrives  time.Duration
	job              int
	steal, nextBegin bool
}

// A reason says what went on while a worker had no work.
type reason struct {
	// running is how many jobs ran: 0, 1, or 2 for more. fn is their function, if they had one.
	running int
	fn      string
	// waiting says that jobs waited, or were in Block.
	waiting bool
	// forked says of the only job that runs what it forked meanwhile.
	forked forked
}

func newTimeline(r *record.Recording) *timeline {
	t := &timeline{end: r.FullAfter(), whole: r.Length, steals: make([]int, r.Workers), idle: map[reason]time.Duration{}, lost: map[reason]time.Duration{}, work: map[int]*work{}, where: map[string]string{}}
	first := r.Events
	if r.Resumes() < r.Length {
		t.gapFrom, t.gapTo, t.end, first = t.end, r.Resumes(), r.Length, r.Events[:r.First]
	}
	b := newBuilder(t, r)
	b.begin(first, 0)
	for i := range first {
		b.add(&first[i])
	}
	if last := r.Events[len(first):]; len(last) > 0 {
		b.lose(t.gapFrom, t.gapTo)
		b.begin(last, t.gapTo)
		for i := range last {
			b.add(&last[i])
		}
	}
	b.pass(t.end)
	for n := range t.lanes {
		b.closeTo(n, 0, t.end)
		slices.SortStableFunc(t.lanes[n].spans, func(a, b span) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.depth, b.depth))
		})
	}
	t.tellApart()
	// Where a recording ends nothing is shown of a job that arrives there.
	t.arrows = slices.DeleteFunc(t.arrows, func(a arrow) bool { return a.nextBegin || a.arrives >= t.end })
	return t
}
