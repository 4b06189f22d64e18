package pool

import (
	"fmt"

	"github.com/rouse-go/rouse/pool/internal/tape"
	"github.com/rouse-go/rouse/pool/record"
)

// defaultEvents is for how many events a recording has room by default.
const defaultEvents = 100_000

// Record begins to record what the workers and jobs of the pool do, from now until you call stop.
// It has room for the given number of events, or for 100,000 if that is 0,
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
// It returns [record.ErrRecording] if another recording of the pool goes on; an error, too, if limit is
// below 0. Any goroutine may call it, also a job, at any time; of a closed pool nothing is
// recorded. While no recording goes on, it costs an atomic load at the beginning and at the
// end of a job; an event costs some 50 ns, and some more if many workers record one at
// the same time.
//
// The events of all jobs that ended before stop are in the recording. Any goroutine may call stop, also a job,
// and any number of times: the result is the same one. It waits for no job, and costs some 100 ns for each event.
// Package picture shows a recording.
func (p *Pool) Record(limit int) (stop func() *record.Recording, err error) {
	switch {
	case limit < 0:
		return nil, fmt.Errorf("pool: Record(%d): the number of events must not be below 0", limit)
	case limit == 0:
		limit = defaultEvents
	case p.tape.Load() != nil:
		return nil, record.ErrRecording // without the memory
	}
	_, asleep := p.sleep.Counts()
	t := tape.New(limit, len(p.seats), asleep)
	if !p.tape.CompareAndSwap(nil, t) {
		return nil, record.ErrRecording
	}
	return func() *record.Recording {
		p.tape.CompareAndSwap(t, nil)
		return t.Stop()
	}, nil
}

// The functions record that follow do so if there is a recording. They are inlined, what they
// call is not.

// record records an event of the job that w has.
func (w *Worker) record(k record.EventKind) {
	if t := w.pool.tape.Load(); t != nil {
		w.recordOn(t, tape.Event{Kind: k})
	}
}

// recordEnd records that the job that w has has ended.
func (w *Worker) recordEnd(returned bool) {
	if t := w.pool.tape.Load(); t != nil {
		w.recordOn(t, tape.Event{Kind: record.EventEnd, Failed: !returned})
	}
}

// recordOn makes the event one of the job that w has.
//
//go:noinline
func (w *Worker) recordOn(t *tape.Tape, e tape.Event) {
	e.Worker, e.Seat = w.id(), record.NoWorker
	if w.seat != nil {
		e.Seat = w.seat.recorded()
	}
	t.Add(e)
}

// record records an event of the seat.
func (s *seat) record(k record.EventKind) {
	if t := s.pool.tape.Load(); t != nil {
		s.recordOn(t, tape.Event{Kind: k})
	}
}

// recordSteal records that the seat has stolen a job from the n-th seat.
func (s *seat) recordSteal(n, along int) {
	if t := s.pool.tape.Load(); t != nil && !s.isGuest() {
		e := tape.Event{Kind: record.EventSteal, A: along}
		if n < len(s.pool.seats) {
			e.From = int32(n) + 1
		}
		s.recordOn(t, e)
	}
}

// recorded is what a recording says of the seat: the number of its worker, or none for a guest.
func (s *seat) recorded() int32 {
	if s.isGuest() {
		return record.NoWorker
	}
	return int32(s.index)
}

//go:noinline
func (s *seat) recordOn(t *tape.Tape, e tape.Event) {
	e.Seat = s.recorded()
	t.Add(e)
}

// recordBegin records that w begins a job.
//
//go:noinline
func (w *Worker) recordBegin(t *tape.Tape, j *Job) {
	kind, code, from := j.task.about()
	e := tape.Event{Kind: record.EventBegin, Job: kind, Code: code}
	if from != nil && from != w.seat {
		e.From = from.recorded() + 1 // also of one that was taken along with another
	}
	w.recordOn(t, e)
}

// recordRun records that w begins the function of a Run.
//
//go:noinline
func recordRun[A, R any](w *Worker, fn func(*Worker, A) R, arg A) {
	if t := w.pool.tape.Load(); t != nil {
		w.recordOn(t, tape.Event{Kind: record.EventBegin, Job: record.JobOfRun, Code: codeOfRun(fn, arg)})
	}
}

// recordEndOfRun records that the function of a Run has ended, and that the worker sleeps, if the Run is
// about to give it back: one look whether there is a recording does for both.
//
//go:noinline
func (w *Worker) recordEndOfRun(t *tape.Tape, returned bool) {
	w.recordOn(t, tape.Event{Kind: record.EventEnd, Failed: !returned})
	if s := w.seat; s != nil && s.lent && w.successor == nil {
		s.recordOn(t, tape.Event{Kind: record.EventSleep})
	}
}
