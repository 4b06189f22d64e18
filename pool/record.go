package pool

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// A Recording is what the workers and jobs of a pool have done for a while: see [Pool.Record].
// Package picture shows it. It is plain data, which you may change.
type Recording struct {
	// Workers is how many workers the pool has, Processors how many can compute at a time
	// (GOMAXPROCS).
	Workers, Processors int
	// Began is when the recording began, Length how long it went on.
	Began  time.Time
	Length time.Duration
	// Asleep is how many workers slept as it began.
	Asleep int
	// Limit is how many events there was room for. Dropped is how many came later, and are
	// lost: the recording has all that came before the first of them, and nothing after it.
	Limit   int
	Dropped uint64
	// Events are in the order of time.
	Events []Event
}

// FullAfter returns for how long the recording has all events: until the last one that there
// was room for, or to the end.
func (r *Recording) FullAfter() time.Duration {
	if r.Dropped == 0 {
		return r.Length
	}
	if n := len(r.Events); n > 0 {
		return r.Events[n-1].At
	}
	return 0
}

// An Event is something that has happened at a moment. Which of the fields from Other on have
// a meaning depends on its kind; the others are zero.
type Event struct {
	// At is the time since the recording began.
	At   time.Duration
	Kind EventKind
	// Worker is the number of the worker that the event is about, or that the job has, from 0
	// on; it is NoWorker if the job has none.
	Worker int
	// Job is the number of the job, from 1 on, in the order in which the recording comes to
	// them. It is 0 if the event is about no job.
	Job int
	// Other is the worker from which a job was stolen, at once or with another one, or NoWorker.
	Other int
	// Parent is the job beneath one that begins, on the same goroutine, or 0.
	Parent int
	// Count says of a steal how many other jobs were taken along for later, and of a
	// publication how many forks it made visible.
	Count int
	// Lo and Hi are the elements of a piece, from Lo to Hi-1. At the end of a piece they are
	// those that were done, and Hi is 0 if one has failed. Of a loop, Hi is how many there are.
	Lo, Hi int
	// Loop is the number of a loop, from 1 on.
	Loop int
	// JobKind says what kind of job begins.
	JobKind JobKind
	// Failed says that a job has ended by a panic or [runtime.Goexit].
	Failed bool
	// Func is the function of a job or a loop, as [runtime.Func.Name] has it.
	Func string
}

// NoWorker stands for a worker where there is none.
const NoWorker = -1

// An EventKind says what has happened.
type EventKind uint8

// The kinds of events.
const (
	// EventSleep: the worker sleeps, for it has found no work.
	EventSleep EventKind = iota + 1
	// EventWake: the worker sleeps no more, and looks for work.
	EventWake
	// EventClose: the worker ends, because the pool closes.
	EventClose
	// EventSteal: the worker has stolen a job from the worker Other, or a guest (NoWorker), and Count others for
	// later. It begins the job next.
	EventSteal
	// EventBegin: the job begins, on the worker or without one. Other is the worker from which it
	// was stolen. Parent has called it, or is in a scope that waits for it.
	EventBegin
	// EventEnd: the job has ended. If it has not begun in the recording, it began before.
	EventEnd
	// EventPublish: the job has made Count of its forks visible to other workers.
	EventPublish
	// EventWait: the job waits for other jobs. Its worker looks for work meanwhile, until the
	// job leaves it.
	EventWait
	// EventBlock: the job is in [Worker.Block].
	EventBlock
	// EventGoOn: the wait, or the function of Block, is over.
	EventGoOn
	// EventLeave: the job leaves the worker to other jobs, because it waits.
	EventLeave
	// EventTake: the job has the worker from now on.
	EventTake
	// EventSeatless: the job goes on as a guest, without a worker, because none slept.
	EventSeatless
	// EventLoop: the job begins a loop of package par.
	EventLoop
	// EventLoopEnd: the loop has ended.
	EventLoopEnd
	// EventPiece: the job begins a piece of a loop. Others may take the upper part of it.
	EventPiece
	// EventPieceEnd: the piece is done.
	EventPieceEnd
)

var eventKinds = [...]string{"?", "sleep", "wake", "close", "steal", "begin", "end", "publish", "wait",
	"block", "go on", "leave", "take", "seatless", "loop", "loop end", "piece", "piece end"}

// String returns a word or two.
func (k EventKind) String() string {
	if int(k) >= len(eventKinds) {
		k = 0
	}
	return eventKinds[k]
}

// A JobKind says where a job is from.
type JobKind uint8

// The kinds of jobs.
const (
	// JobOfRun: the function of [Run] and its kin, on the caller's goroutine.
	JobOfRun JobKind = iota + 1
	// JobForked: a fork that was not joined in place.
	JobForked
	// JobSpawned: a job of a scope or a group.
	JobSpawned
	// JobSubmitted: a job of [Submit] and its kin.
	JobSubmitted
)

var jobKinds = [...]string{"?", "Run", "fork", "spawned", "submitted"}

// String returns a word.
func (k JobKind) String() string {
	if int(k) >= len(jobKinds) {
		k = 0
	}
	return jobKinds[k]
}

// A Recorder records what a pool does: see [Pool.Record].
type Recorder struct {
	pool               *Pool
	asleep, processors int
	began              time.Time
	start              time.Duration
	events             []recorded
	// next is how many events have come; those beyond the length of events are dropped. It has the
	// bit sealed once the recording has stopped.
	//
	// Writers: whatever records an event; Stop.
	// Pairs:   Stop raises sealed. An event that comes before is counted, and Stop waits until it is
	// written; one that comes after is not recorded.
	next prim.ReportCount

	mu   prim.Mutex
	done *Recording // guarded by mu
}

// sealed, in next, says that the recording has stopped.
const sealed = 1 << 63

// A recorded is a place for an event: 56 bytes, without a pointer.
type recorded struct {
	raw
	// written says that all of it is there.
	//
	// Writers: whatever records the event, last.
	// Pairs:   Stop reads it before the rest.
	written prim.ReportBool
}

// A raw is an event as it is recorded.
type raw struct {
	at   time.Duration
	code uintptr
	a, b int
	// worker tells jobs apart whose goroutines are others.
	worker      uint32
	seat, other int32
	loop        uint32
	kind        EventKind
	job         JobKind
	failed      bool
}

// DefaultEvents is for how many events a recording has room by default.
const DefaultEvents = 100_000

// Record begins to record what the workers and jobs of the pool do, from now until
// [Recorder.Stop]. It has room for the given number of events, or for [DefaultEvents] if that is 0,
// and takes 56 bytes for each at once. Events for which there is no room are counted, and dropped:
// the recording then has the first ones, without a gap. If you never stop it, it keeps its
// memory as long as the pool lives, and no more.
//
// Recorded is which job begins, waits, blocks and ends where; which is stolen, from which worker;
// when workers sleep; when forks become visible to other workers; and which pieces of the
// loops of package par each job does. A fork that is run where it is joined is no event, nor is a loop
// that is so short that the caller does it alone, nor a wait of less than two microseconds. A loop
// with par.WithLimit above the number of workers has goroutines of its own, which are no workers:
// it shows as a loop without pieces, in a job that is in Block. What has begun before the
// recording did shows when it next does something.
//
// It returns [ErrRecording] if another recording of the pool goes on; an error, too, if limit is
// below 0. Any goroutine may call it, also a job, at any time; of a closed pool nothing is
// recorded. While no recording goes on, it costs an atomic load at the beginning and at the
// end of a job; an event costs some 50 ns, and some more if many workers record one at
// the same time.
func (p *Pool) Record(limit int) (*Recorder, error) {
	switch {
	case limit < 0:
		return nil, fmt.Errorf("pool: Record(%d): the number of events must not be below 0", limit)
	case limit == 0:
		limit = DefaultEvents
	case p.recorder.Load() != nil:
		return nil, ErrRecording // without the memory
	}
	_, asleep := p.sleep.Counts()
	r := &Recorder{pool: p, asleep: asleep, processors: prim.Processors(), events: make([]recorded, limit), began: time.Now(), start: prim.Now()}
	if !p.recorder.CompareAndSwap(nil, r) {
		return nil, ErrRecording
	}
	return r, nil
}

// Stop ends the recording and returns it. The events of all jobs that ended before are in it.
// It may be called by any goroutine, also by a job, and any number of times: the result is the same
// one. It waits for no job, and costs some 100 ns for each event.
func (r *Recorder) Stop() *Recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done != nil {
		return r.done
	}
	r.pool.recorder.Store(nil)
	n := r.next.Or(sealed)
	kept := r.events[:min(n, uint64(len(r.events)))]
	r.done = &Recording{
		Workers: len(r.pool.seats), Processors: r.processors, Began: r.began, Length: prim.Now() - r.start, Asleep: r.asleep, Limit: len(r.events),
		Dropped: n - uint64(len(kept)),
	}
	for i := range kept {
		for !kept[i].written.Load() { // its writer may have lost the processor
			prim.Yield()
		}
	}
	r.done.Events = decode(kept, len(r.pool.seats))
	return r.done
}

// add records an event.
func (r *Recorder) add(e raw) {
	e.at = prim.Now() - r.start
	i := r.next.Add(1) - 1
	if i >= uint64(len(r.events)) { // also after the end
		return
	}
	r.events[i].raw = e
	r.events[i].written.Store(true)
}

// of makes the event one of the job that w has.
func (e raw) of(w *Worker) raw {
	e.worker, e.seat, e.other = w.id(), NoWorker, NoWorker
	if w.seat != nil {
		e.seat = w.seat.recorded()
	}
	return e
}

// The functions record that follow do so if there is a recording. They are inlined, what they
// call is not.

// record records an event of the job that w has.
func (w *Worker) record(k EventKind) {
	if r := w.pool.recorder.Load(); r != nil {
		r.job(w, raw{kind: k})
	}
}

// recordEnd records that the job that w has has ended.
func (w *Worker) recordEnd(returned bool) {
	if r := w.pool.recorder.Load(); r != nil {
		r.job(w, raw{kind: EventEnd, failed: !returned})
	}
}

//go:noinline
func (r *Recorder) job(w *Worker, e raw) { r.add(e.of(w)) }

// record records an event of the seat.
func (s *seat) record(k EventKind) {
	if r := s.pool.recorder.Load(); r != nil {
		r.seat(s, raw{kind: k, other: NoWorker})
	}
}

// recordSteal records that the seat has stolen a job from the n-th seat, and taken others along.
func (s *seat) recordSteal(n, along int) {
	if r := s.pool.recorder.Load(); r != nil && !s.isGuest() {
		if n >= len(s.pool.seats) {
			n = NoWorker
		}
		r.seat(s, raw{kind: EventSteal, other: int32(n), a: along})
	}
}

// recorded is what a recording says of the seat: the number of its worker, or none for a guest.
func (s *seat) recorded() int32 {
	if s.isGuest() {
		return NoWorker
	}
	return int32(s.index)
}

//go:noinline
func (r *Recorder) seat(s *seat, e raw) {
	e.seat = s.recorded()
	r.add(e)
}

// begins records that w begins a job.
//
//go:noinline
func (r *Recorder) begins(w *Worker, j *Job) {
	kind, code, from := j.task.about()
	e := raw{kind: EventBegin, job: kind, code: code}.of(w)
	if from != nil && from != w.seat {
		e.other = from.recorded() // also of one that was taken along with another
	}
	r.add(e)
}

// recordRun records that w begins the function of a Run.
//
//go:noinline
func recordRun[A, R any](w *Worker, fn func(*Worker, A) R, arg A) {
	if r := w.pool.recorder.Load(); r != nil {
		r.job(w, raw{kind: EventBegin, job: JobOfRun, code: codeOfRun(fn, arg)})
	}
}

// endOfRun records that the function of a Run has ended, and that the worker sleeps, if the Run is
// about to give it back: one look whether there is a recording does for both.
//
//go:noinline
func (r *Recorder) endOfRun(w *Worker, returned bool) {
	r.job(w, raw{kind: EventEnd, failed: !returned})
	if s := w.seat; s != nil && s.lent && w.successor == nil {
		r.seat(s, raw{kind: EventSleep, other: NoWorker})
	}
}

// codeOf returns where the code of a function begins, or 0 if it is nil.
func codeOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }

// codeOfRun is codeOf for the function of a Run, or for the one that an argument of ours has.
func codeOfRun[A, R any](fn func(*Worker, A) R, arg A) uintptr {
	if a, ok := any((*A)(nil)).(coded[A]); ok { // which allocates nothing
		return a.codeOf(arg)
	}
	return codeOf(fn)
}

// coded is implemented by *A if an A has the function that the user has given.
type coded[A any] interface{ codeOf(arg A) uintptr }

// decode makes events of those that were recorded, in the order of time, and numbers the jobs.
func decode(from []recorded, seats int) []Event {
	order := make([]int, len(from))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(from[a].at, from[b].at) })
	d := decoder{
		names: map[uintptr]string{}, jobs: map[uint32][]int{}, loops: map[uint32]int{}, stolen: make([]int, seats), all: make([]Event, 0, len(from)),
	}
	for i := range d.stolen {
		d.stolen[i] = -1
	}
	for _, i := range order {
		d.add(&from[i].raw)
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
	all    []Event
}

func (d *decoder) add(r *raw) {
	e := Event{
		At: r.at, Kind: r.kind, Worker: int(r.seat), Other: int(r.other), JobKind: r.job, Failed: r.failed,
		Func: d.name(r.code),
	}
	switch r.kind {
	case EventSleep, EventWake, EventClose:
	case EventSteal:
		d.stolen[r.seat], e.Count = len(d.all), r.a
	case EventBegin:
		d.last++
		e.Job = d.last
		if jobs := d.jobs[r.worker]; len(jobs) > 0 {
			e.Parent = jobs[len(jobs)-1]
		}
		d.jobs[r.worker] = append(d.jobs[r.worker], e.Job)
		if r.seat >= 0 && d.stolen[r.seat] >= 0 {
			steal := &d.all[d.stolen[r.seat]]
			steal.Job, e.Other = e.Job, steal.Other
			d.stolen[r.seat] = -1
		}
	case EventEnd:
		e.Job = d.job(r.worker)
		jobs := d.jobs[r.worker]
		d.jobs[r.worker] = jobs[:len(jobs)-1]
	case EventPublish:
		e.Job, e.Count = d.job(r.worker), r.a
	case EventLoop, EventLoopEnd, EventPiece, EventPieceEnd:
		e.Job, e.Loop, e.Lo, e.Hi = d.job(r.worker), d.loop(r.loop), r.a, r.b
	default:
		e.Job = d.job(r.worker)
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
		name = nameOf(code)
		d.names[code] = name
	}
	return name
}
