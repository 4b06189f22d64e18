// Package tape is a row of places for events, which whoever has one writes at once: the part of a
// recording that needs no pool.
package tape

import (
	"cmp"
	"fmt"
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
	before record.Usage
	// places has room for the first events, and from ring on for the last ones, which take the places of
	// others again and again.
	places []place
	ring   uint64
	// next is how many events have come. It has the bit sealed once the recording has stopped.
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
	// written counts the events that are there, or were.
	//
	// Writers: whatever records an event, last. Each has a number of its own to wait for and to write.
	// Pairs:   the writer of the next event there, and Stop, read it before the rest.
	written prim.ReportCount
}

// place returns where the event with that number goes, and how many went there before. It is nil if
// there is no room.
func (t *Tape) place(i uint64) (p *place, before uint64) {
	size := uint64(len(t.places)) - t.ring
	switch {
	case i < t.ring:
		return &t.places[i], 0
	case size == 0:
		return nil, 0
	}
	return &t.places[t.ring+(i-t.ring)%size], (i - t.ring) / size
}

// defaultEvents is for how many events a recording has room by default; maxEvents take 2 GB.
const (
	defaultEvents = 100_000
	maxEvents     = 1 << 31 / 64
)

// New returns a tape with room for so many events, of a pool with that many workers, of which some
// sleep.
func New(limit, workers, asleep int) (*Tape, error) {
	switch {
	case limit < 0:
		return nil, fmt.Errorf("pool: Record(%d): the number of events must not be below 0", limit)
	case limit > maxEvents:
		return nil, fmt.Errorf("pool: Record(%d): want at most %d events", limit, maxEvents)
	case limit == 0:
		limit = defaultEvents
	}
	return &Tape{
		start: prim.Now(), places: make([]place, limit), ring: uint64(limit - limit/2), before: used(),
		about: record.Recording{Workers: workers, Processors: prim.Processors(), Began: time.Now(), Asleep: asleep, Limit: limit},
	}, nil
}

// Add records an event of now: of a job of the worker with that number, and of a function whose code begins
// there, if it has these.
func (t *Tape) Add(worker uint32, code uintptr, e record.Event) {
	at := prim.Now() - t.start
	i := t.next.Add(1) - 1
	if i >= sealed {
		return
	}
	p, before := t.place(i)
	if p == nil {
		return
	}
	for p.written.Load() != before { // its writer has lost the processor since so many others came
		prim.Yield()
	}
	lo := e.Lo
	if !ofLoop(e.Kind) {
		lo = int(e.Forks)
	}
	p.entry = entry{
		at: at, code: code, lo: lo, hi: e.Hi, worker: worker, seat: int32(e.Worker), other: int32(e.Other),
		count: int32(e.Count), loop: int32(e.Loop), kind: e.Kind, job: e.JobKind, failed: e.Failed,
	}
	p.written.Store(before + 1)
}

func ofLoop(k record.EventKind) bool { return k >= record.EventLoop && k <= record.EventPieceEnd }

// Stop ends the recording and returns it, the same one each time. The caller has seen to it that no
// further events come, but for those on their way.
func (t *Tape) Stop() *record.Recording {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done != nil {
		return t.done
	}
	n := t.next.Or(sealed)
	r := t.about
	r.Length, r.Usage = prim.Now()-t.start, since(t.before)
	first := t.read(0, min(n, t.ring))
	resumes := max(t.ring, n-min(n, uint64(len(t.places))-t.ring))
	last := t.read(resumes, max(n, resumes))
	r.Dropped = n - uint64(len(first)+len(last))
	if r.Dropped == 0 {
		first, last = append(first, last...), nil
	}
	r.Events = decode(first, last)
	r.First = len(first)
	t.done = &r
	return t.done
}

// read returns the events with the numbers from lo to hi-1, when they are written.
func (t *Tape) read(lo, hi uint64) []entry {
	all := make([]entry, 0, hi-lo)
	for i := lo; i < hi; i++ {
		p, before := t.place(i)
		for p.written.Load() != before+1 { // its writer may have lost the processor
			prim.Yield()
		}
		all = append(all, p.entry)
	}
	return all
}

// decode puts events in the order of time, and numbers their jobs. Between the two parts some are lost.
func decode(parts ...[]entry) []record.Event {
	d := decoder{loops: map[int32]int{}}
	for _, part := range parts {
		slices.SortStableFunc(part, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
		d.jobs, d.stolen = map[uint32][]int{}, map[uint32]int{} // nobody knows what is left of those
		for i := range part {
			d.add(&part[i])
		}
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
	if f := runtime.FuncForPC(from.code); f != nil {
		e.File, e.Line = f.FileLine(from.code)
	}
	if !ofLoop(e.Kind) {
		e.Lo, e.Forks = 0, uint64(from.lo)
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
