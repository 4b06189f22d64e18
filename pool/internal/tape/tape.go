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

// A place has an event: 56 bytes, without a pointer.
type place struct {
	Event
	// written says that all of it is there.
	//
	// Writers: whatever records the event, last.
	// Pairs:   Stop reads it before the rest.
	written prim.ReportBool
}

// An Event is one as it is recorded.
type Event struct {
	at   time.Duration
	Code uintptr
	A, B int
	// Worker tells jobs apart whose goroutines are others.
	Worker uint32
	// Seat is the number of a worker, or NoWorker. From is one more than that of the worker from which
	// a job was taken, or 0.
	Seat, From int32
	Loop       uint32
	Kind       record.EventKind
	Job        record.JobKind
	Failed     bool
}

// New returns a tape with room for so many events, of a pool with that many workers, of which some
// sleep.
func New(limit, workers, asleep int) *Tape {
	return &Tape{
		start: prim.Now(), places: make([]place, limit),
		about: record.Recording{Workers: workers, Processors: prim.Processors(), Began: time.Now(), Asleep: asleep, Limit: limit},
	}
}

// Add records an event.
func (t *Tape) Add(e Event) {
	e.at = prim.Now() - t.start
	i := t.next.Add(1) - 1
	if i >= uint64(len(t.places)) { // also after the end
		return
	}
	t.places[i].Event = e
	t.places[i].written.Store(true)
}

// Count returns how many events have come.
func (t *Tape) Count() uint64 { return t.next.Load() }

// Stop ends the recording and returns it, the same one each time. The caller has seen to it that no
// further events come, but for those on their way.
func (t *Tape) Stop() *record.Recording {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done != nil {
		return t.done
	}
	n := t.next.Or(sealed)
	kept := t.places[:min(n, uint64(len(t.places)))]
	r := t.about
	r.Length, r.Dropped = prim.Now()-t.start, n-uint64(len(kept))
	for i := range kept {
		for !kept[i].written.Load() { // its writer may have lost the processor
			prim.Yield()
		}
	}
	r.Events = decode(kept, r.Workers)
	t.done = &r
	return t.done
}

// decode makes events of those that were recorded, in the order of time, and numbers the jobs.
func decode(from []place, workers int) []record.Event {
	order := make([]int, len(from))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(from[a].at, from[b].at) })
	d := decoder{
		names: map[uintptr]string{}, jobs: map[uint32][]int{}, loops: map[uint32]int{}, stolen: make([]int, workers), all: make([]record.Event, 0, len(from)),
	}
	for i := range d.stolen {
		d.stolen[i] = -1
	}
	for _, i := range order {
		d.add(&from[i].Event)
	}
	return d.all
}

type decoder struct {
	names map[uintptr]string
	// jobs are those that each worker has, the innermost last.
	jobs map[uint32][]int
	last int // the number of the last job
	// loops are the numbers of the loops here, by those that they have themselves.
	loops map[uint32]int
	// stolen is, for each seat, the steal whose job begins next there, or -1.
	stolen []int
	all    []record.Event
}

func (d *decoder) add(r *Event) {
	e := record.Event{
		At: r.at, Kind: r.Kind, Worker: int(r.Seat), Other: int(r.From) - 1, JobKind: r.Job, Failed: r.Failed,
		Func: d.name(r.Code),
	}
	switch r.Kind {
	case record.EventSleep, record.EventWake, record.EventClose:
	case record.EventSteal:
		d.stolen[r.Seat], e.Count = len(d.all), r.A
	case record.EventBegin:
		d.last++
		e.Job = d.last
		if jobs := d.jobs[r.Worker]; len(jobs) > 0 {
			e.Parent = jobs[len(jobs)-1]
		}
		d.jobs[r.Worker] = append(d.jobs[r.Worker], e.Job)
		if r.Seat >= 0 && d.stolen[r.Seat] >= 0 {
			steal := &d.all[d.stolen[r.Seat]]
			steal.Job, e.Other = e.Job, steal.Other
			d.stolen[r.Seat] = -1
		}
	case record.EventEnd:
		e.Job = d.job(r.Worker)
		jobs := d.jobs[r.Worker]
		d.jobs[r.Worker] = jobs[:len(jobs)-1]
	case record.EventPublish:
		e.Job, e.Count = d.job(r.Worker), r.A
	case record.EventLoop, record.EventLoopEnd, record.EventPiece, record.EventPieceEnd:
		e.Job, e.Loop, e.Lo, e.Hi = d.job(r.Worker), d.loop(r.Loop), r.A, r.B
	default:
		e.Job = d.job(r.Worker)
	}
	d.all = append(d.all, e)
}

// job returns the innermost job of a worker. If it began before the recording, it gets a number
// now.
func (d *decoder) job(worker uint32) int {
	jobs := d.jobs[worker]
	if len(jobs) == 0 {
		d.last++
		jobs = []int{d.last}
		d.jobs[worker] = jobs
	}
	return jobs[len(jobs)-1]
}

// loop returns the number of a loop.
func (d *decoder) loop(own uint32) int {
	n, ok := d.loops[own]
	if !ok {
		n = len(d.loops) + 1
		d.loops[own] = n
	}
	return n
}

// name returns the name of the function with that code.
func (d *decoder) name(code uintptr) string {
	if code == 0 {
		return ""
	}
	name, ok := d.names[code]
	if !ok {
		name = NameOf(code)
		d.names[code] = name
	}
	return name
}

// NameOf returns the name of the function whose code begins there.
func NameOf(code uintptr) string {
	if f := runtime.FuncForPC(code); f != nil {
		return f.Name()
	}
	return ""
}
