// Package tape is a row of places for events, which whoever has one writes at once: the part of a
// recording that needs no pool.
package tape

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/record"
)

// A Tape records what a pool does, until it is stopped.
type Tape struct {
	start  time.Duration
	about  record.Recording // what is known from the beginning
	places []place
	// next is how many events have come; those beyond the number of places are dropped. It has the
	// bit sealed once the recording has stopped.
	//
	// Writers: whatever records an event; Stop.
	// Pairs:   Stop raises sealed. An event that comes before is counted, and Stop waits until it is
	// written; one that comes after is not recorded.
	next prim.ReportCount

	mu   prim.Mutex
	done *record.Recording // guarded by mu
}

// sealed, in next, says that the recording has stopped.
const sealed = 1 << 63

// An entry is an event that lacks the number of its job and the name of its function. It is small and has no
// pointer: what an event costs is the memory that it is written to.
type entry struct {
	at time.Duration
	// code is where that of the function begins, or 0: to find its name takes longer than to record it.
	code   uintptr
	lo, hi int
	// worker tells jobs apart whose goroutines are others.
	worker                   uint32
	seat, other, count, loop int32
	kind                     record.EventKind
	job                      record.JobKind
	failed                   bool
}

// A place has an entry: 64 bytes.
type place struct {
	entry
	// written says that all of it is there.
	//
	// Writers: whatever records the event, last.
	// Pairs:   Stop reads it before the rest.
	written prim.ReportBool
}

// New returns a tape with room for so many events, of a pool with that many workers, of which some
// sleep.
func New(limit, workers, asleep int) *Tape {
	return &Tape{
		start: prim.Now(), places: make([]place, limit),
		about: record.Recording{Workers: workers, Processors: prim.Processors(), Began: time.Now(), Asleep: asleep, Limit: limit},
	}
}

// Add records an event of now: of a job of the worker with that number, and of a function whose code begins
// there, if it has these.
func (t *Tape) Add(worker uint32, code uintptr, e record.Event) {
	at := prim.Now() - t.start
	i := t.next.Add(1) - 1
	if i >= uint64(len(t.places)) { // also after the end
		return
	}
	t.places[i].entry = entry{
		at: at, code: code, lo: e.Lo, hi: e.Hi, worker: worker, seat: int32(e.Worker), other: int32(e.Other),
		count: int32(e.Count), loop: int32(e.Loop), kind: e.Kind, job: e.JobKind, failed: e.Failed,
	}
	t.places[i].written.Store(true)
}

// Stop ends the recording and returns it, the same one each time. The caller has seen to it that no
// further events come, but for those on their way.
func (t *Tape) Stop() *record.Recording {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done != nil {
		return t.done
	}
	n := t.next.Or(sealed)
	all := make([]entry, min(n, uint64(len(t.places))))
	r := t.about
	r.Length, r.Dropped = prim.Now()-t.start, n-uint64(len(all))
	for i := range all {
		for !t.places[i].written.Load() { // its writer may have lost the processor
			prim.Yield()
		}
		all[i] = t.places[i].entry
	}
	r.Events = decode(all)
	t.done = &r
	return t.done
}

// decode puts events in the order of time, and numbers their jobs.
func decode(from []entry) []record.Event {
	slices.SortStableFunc(from, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
	d := decoder{jobs: map[uint32][]int{}, stolen: map[uint32]int{}, loops: map[int32]int{}, all: make([]record.Event, 0, len(from))}
	for i := range from {
		d.add(&from[i])
	}
	return d.all
}

type decoder struct {
	// jobs are those that each worker has, the innermost last.
	jobs map[uint32][]int
	last int // the number of the last job
	// stolen is, for each worker, the steal whose job it begins next.
	stolen map[uint32]int
	// loops are the numbers of the loops here, by those that they have in the program.
	loops map[int32]int
	all   []record.Event
}

func (d *decoder) add(from *entry) {
	e := record.Event{
		At: from.at, Func: NameOf(from.code), Lo: from.lo, Hi: from.hi, Worker: int(from.seat), Other: int(from.other),
		Count: int(from.count), Kind: from.kind, JobKind: from.job, Failed: from.failed,
	}
	if n := from.loop; n != 0 {
		if d.loops[n] == 0 {
			d.loops[n] = len(d.loops) + 1
		}
		e.Loop = d.loops[n]
	}
	jobs := d.jobs[from.worker]
	switch e.Kind {
	case record.EventSleep, record.EventWake, record.EventClose:
	case record.EventSteal:
		d.stolen[from.worker] = len(d.all)
	case record.EventBegin:
		if len(jobs) > 0 {
			e.Parent = jobs[len(jobs)-1]
		}
		e.Job = d.begin(from.worker)
		if steal, ok := d.stolen[from.worker]; ok {
			d.all[steal].Job = e.Job
			delete(d.stolen, from.worker)
		}
	default:
		if len(jobs) == 0 {
			d.begin(from.worker) // before the recording did: it gets its number now
			jobs = d.jobs[from.worker]
		}
		e.Job = jobs[len(jobs)-1]
		if e.Kind == record.EventEnd {
			d.jobs[from.worker] = jobs[:len(jobs)-1]
		}
	}
	d.all = append(d.all, e)
}

// begin numbers a job, the innermost one of its worker.
func (d *decoder) begin(worker uint32) int {
	d.last++
	d.jobs[worker] = append(d.jobs[worker], d.last)
	return d.last
}

// NameOf returns the name of the function whose code begins there, or nothing.
func NameOf(code uintptr) string {
	if f := runtime.FuncForPC(code); f != nil {
		return f.Name()
	}
	return ""
}
