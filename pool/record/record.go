// Package record has what a recording of a pool says: which job began, waited and ended where, what
// was stolen, and when workers slept. Pool.Record of package pool makes one; package picture shows it.
package record

import (
	"errors"
	"time"
)

// ErrRecording is the error of Pool.Record while there is another recording of the pool.
var ErrRecording = errors.New("pool: Record: the pool is being recorded already: stop that recording first")

// A Recording is what the workers and jobs of a pool have done for a while: see Pool.Record of package pool.
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
	// Limit is how many events there was room for. Dropped is how many are lost: there was no room for
	// them. The first First of Events came before them, the others after them; there is no other gap.
	Limit   int
	Dropped uint64
	First   int
	// Events are in the order of time.
	Events []Event
	// Usage is what the whole process used meanwhile.
	Usage Usage
}

// A Usage is what a process used for a while, jobs or not. What the platform does not say is 0.
type Usage struct {
	// CPU is processor time, by user and system.
	CPU time.Duration
	// Delay is how long threads waited for a processor, one added to the other. Only Linux says so.
	Delay time.Duration
	// Locks is how long goroutines waited for a [sync.Mutex] or [sync.RWMutex], and Ready how long they
	// waited until they ran again, when they could. The runtime estimates both from one wait in eight.
	Locks, Ready time.Duration
	// Collections is how many garbage collections ended, and Collecting the processor time that they took
	// from the program: not what they did on processors that had nothing else to do.
	Collections int
	Collecting  time.Duration
}

// FullAfter returns for how long the recording has all events from its beginning on: until the last
// one before those that were dropped, or to the end.
func (r *Recording) FullAfter() time.Duration {
	switch {
	case r.Dropped == 0:
		return r.Length
	case r.First > 0:
		return r.Events[r.First-1].At
	}
	return 0
}

// Resumes returns from when on the recording has all events again: from the first one after those that
// were dropped. It is Length if none was dropped, or no other one came.
func (r *Recording) Resumes() time.Duration {
	if r.Dropped > 0 && r.First < len(r.Events) {
		return r.Events[r.First].At
	}
	return r.Length
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
	// Func is the function of a job or a loop, as [runtime.Func.Name] has it. File and Line are where it
	// begins, if the program knows.
	Func string
	File string
	Line int
	// Forks is how many forks the worker of the job had made by then, those included that it ran where
	// it joined them. Only the difference between two events of a job has a meaning.
	Forks uint64
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
	// EventBlock: the job is in Worker.Block.
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
	// JobOfRun: the function of Run and its kin, on the caller's goroutine.
	JobOfRun JobKind = iota + 1
	// JobForked: a fork that was not joined in place.
	JobForked
	// JobSpawned: a job of a scope or a group.
	JobSpawned
	// JobSubmitted: a job of Submit and its kin.
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
