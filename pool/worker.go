package pool

import (
	"context"
	"reflect"
	"runtime/pprof"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/span"
	"github.com/rouse-go/rouse/pool/record"
)

// A Worker stands for a job that runs: every job is handed one, forks and joins
// with it, and passes it on to the functions that it calls.
//
// A Worker belongs to the goroutine that runs the job, for as long as the job
// runs; another goroutine must not use it.
type Worker struct {
	// The first cache line has all that a job needs to begin on a worker at rest, the
	// second all that a fork needs.

	pool *Pool
	// seat is nil once the worker is retired, and while the worker is set aside or blocks, unless it is a
	// guest. last is the seat, or the last one that it had.
	seat, last *seat
	// number is on the stack of its goroutine: see [spell.Call].
	number uint32
	state  state
	origin origin
	large  bool // a frame may be larger than a worker at rest keeps
	// successor is a worker that gets this one's seat when the present job has ended.
	successor *Worker
	// raised is the last panic that the present job has got from another one that it waited
	// for.
	raised *PanicError
	// tally has the submitted jobs that the worker has ended and not told of, the forks that it has told
	// of, and how often somebody had asked for Stats then: see reportCounts.
	tally struct {
		ended int
		forks uint64
		asked uint32
	}
	stack stack
	// beneath are the workers of the jobs that wait beneath on the same goroutine, innermost first. It is nil
	// while nobody knows them.
	beneath workers
	// aside is where the worker waits while it is set aside. The parker is nil before the first time, seat
	// is the one with which the worker is resumed, or nil.
	aside struct {
		parker *prim.Parker
		seat   *seat
	}
	// credit is the worker's share of the count of a scope. Only the worker touches it.
	credit credit

	// entry is the frame of the last Run, for the next one.
	entry any

	// probe measures the present job, or is nil: see observe.go.
	probe *span.Probe

	// shown is for Dump alone, and so no step of the explorer: what the worker waits for, and one more than
	// the number of its seat, which may be a guest's.
	shown struct {
		waits prim.Report[waiting]
		on    prim.ReportNumber
	}

	_ [80]byte // others write the fields below
	// wanted has two bits, which are raised by Or, and which the worker lowers by And: wantForks asks the
	// worker for forks, and wantProbe, which only the worker writes, is up while its job is measured, so
	// that its forks and joins take the long way.
	//
	// Writers of wantForks: idle seats (up, after they are counted inactive); thieves (up,
	// when they have taken a job); the worker, when it answers (down, before it looks at its
	// deque and pushes), when it pops (up, if more seats are inactive than jobs are left), and
	// when it takes a seat of which it was not the occupant, or a guest's, or leaves one (up).
	// Pairs:   see "The flag and the sleepers" in INTERNALS.md.
	wanted prim.Uint32
	_      [60]byte
}

// A state says what the job of a worker does. Stats has a gauge for all but the first two: see setState.
type state uint8

const (
	idle    state = iota // there is none
	running              // with the seat of a worker, or it is about to go on
	guest                // as a guest
	beside               // as a guest, and counted in inbox.beside
	covered              // it lies beneath one that waits or has waited, on the same goroutine
	blocked              // it is in Block
	aside                // it is set aside
	states
)

// setState changes the state.
func (w *Worker) setState(s state) {
	c := w.counts()
	if w.state >= guest {
		c.doing[w.state].Add(^uint32(0))
	}
	if w.state == beside {
		w.pool.inbox.beside.Add(^uint32(0))
	}
	if s >= guest {
		c.doing[s].Add(1)
	}
	if s == guest || s == beside {
		c.seatless.Add(1)
	}
	w.state = s
}

// setRunning notes that the job runs, or goes on, with the seat that the worker has.
func (w *Worker) setRunning() {
	switch {
	case !w.seat.isGuest():
		if w.state != running {
			w.setState(running)
		}
	case w.origin == fromQueue:
		w.pool.inbox.beside.Add(1)
		w.setState(beside)
	default:
		w.setState(guest)
	}
}

// An origin is where a worker's goroutine is from.
type origin uint8

const (
	fromPool  origin = iota // it was started for a seat, or for a job that goes on
	fromRun                 // it called Run
	fromQueue               // it was started for a queued job, as a guest
)

// The bits of Worker.wanted.
const (
	wantForks uint32 = 1 << iota // a worker without work asks for forks
	wantProbe                    // the worker's job is measured
)

// Pool returns the pool that the worker is one of.
func (w *Worker) Pool() *Pool { return w.pool }

// checkJob panics if it is plain that the caller is not the job of the worker: there
// is none, or it is set aside.
func (w *Worker) checkJob() {
	if w.state == idle || w.state == aside {
		panic(astray)
	}
}

// A waiting says what a job waits for that is set aside or blocks.
type waiting struct {
	since time.Time
	cause
}

// A cause says what a worker waits for: a job, a scope, or neither of them in Block.
type cause struct {
	job   *Job
	scope *Scope
}

// A Job is the header of a unit of work, embedded in the frame that holds its
// function and result. Deques and the injector move pointers to it; nothing
// outside this package can be done with one.
type Job struct {
	task task
	// claim is a claim.
	//
	// Writers: by CAS, a worker that will run the job (begun), and a caller that takes it
	// back (withdrawn); the owner of a frame, when it makes that public (unclaimed).
	// Pairs:   the owner's store publishes the frame. Of all that have a pointer to it, the
	// one whose CAS succeeds runs it: see "Which worker runs a job" in INTERNALS.md.
	claim prim.Uint32
	// runner is the number of the worker that has begun the job. It is for Dump alone, and
	// so no step of the explorer.
	runner prim.ReportNumber
}

// The claims of a job.
const (
	unclaimed uint32 = iota
	begun
	withdrawn
)

// begin claims the job for the caller, which must then run it. If it returns false, another
// one has claimed it, and the caller drops its pointer.
func (j *Job) begin() bool { return j.claim.CompareAndSwap(unclaimed, begun) }

// withdraw claims the job for nobody.
func (j *Job) withdraw() bool { return j.claim.CompareAndSwap(unclaimed, withdrawn) }

// isClaimed reports whether nobody can begin the job any more.
func (j *Job) isClaimed() bool { return j.claim.Load() != unclaimed }

// A task is the frame that a [Job] is the header of.
type task interface {
	// run calls the function. It may panic or exit.
	run(w *Worker)
	// done is called when run has ended; f is nil if it has returned. It rouses the job's
	// waiters, to which the frame belongs from then on.
	done(w *Worker, f *failure)
	// about says for a recording what the job is, before run is called.
	//
	// from is the seat to whose deque a fork was pushed, or nil.
	about() (kind record.JobKind, code uintptr, from *seat)
}

// codeOf returns where the code of a function begins, or 0 if there is none.
func codeOf(f any) uintptr {
	if f == nil {
		return 0
	}
	return reflect.ValueOf(f).Pointer()
}

// unlabel takes off the profiler's labels, which a goroutine has from the one that started it,
// or from a job that has ended. It is called before each job, and before a seat waits for work.
// So the labels of a job also cover the next steps of its goroutine: it tells the end, and
// looks once for the next job, or gives the seat back.
func unlabel() { pprof.SetGoroutineLabels(context.Background()) }
