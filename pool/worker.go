package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A Worker is one of the participants of a [Pool]. Every job is handed the one
// that runs it, and passes it on to what it calls.
//
// A Worker belongs to the goroutine that runs the job, for as long as the job
// runs; another goroutine must not use it.
type Worker struct {
	pool  *Pool
	index int
	deque api.Deque[Job]

	stack

	// stop is set when the pool closes. The worker's goroutine sleeps on it
	// at its root.
	stop latch.Core
	// rootIdle is used by the worker's own goroutine at its root, joinIdle by
	// whoever waits in a job: while a seat is lent, both are in use.
	rootIdle, joinIdle api.Idle
	// look is what stands between a worker and its sleep.
	look func() bool

	random uint64
	// victim is the worker from which this one took its last job.
	victim int
	// seasoned says that the pool has been used, as far as the worker knows.
	seasoned bool
	// ended counts the submitted jobs that this worker has ended, borrowed how
	// often its seat was.
	ended, borrowed uint64
	// raised is the panic that this worker last passed on, in the job that it
	// runs now, from a job to the one that waited for it.
	raised *PanicError
	// occupancies has the records of the first level ones in use, and of
	// those that were in use before.
	occupancies []*occupancy
	level       int
	// entry is the frame of the last Run on this seat, for the next one.
	entry any
	// hosted is the job that the seat was borrowed for by Submit, until a new
	// goroutine has begun to serve it.
	hosted *Job
	serve  func() // serveGuest; made once, because a method value allocates

	_ [64]byte // what follows is written by others
	// wanted asks the worker to publish.
	//
	// Writers: idle workers (to 1, after they are counted inactive); thieves
	// (to 1, when they have taken a job); the worker itself, when it answers (to
	// 0, before it looks at its deque and pushes), and when it pops (to 1, if
	// more workers are inactive than jobs are left).
	// Pairs:   see "The flag and the sleepers" in the README.
	wanted prim.Uint32
	_      [60]byte
	stats  workerStats
}

func newWorker(p *Pool, index int, d api.Deque[Job]) *Worker {
	w := &Worker{pool: p, index: index, deque: d, random: uint64(index)*2 + 1}
	prim.Declare(w)
	w.stack.init(nextID())
	w.look = func() bool { return p.hasWork() || w.stop.Probe() }
	w.serve = w.serveGuest
	w.wanted.Store(1) // on behalf of those who sleep before this one first forks
	return w
}

// Pool returns the pool that the worker is one of.
func (w *Worker) Pool() *Pool { return w.pool }

// Index returns the worker's number, 0 to Workers-1.
func (w *Worker) Index() int { return w.index }

// main is what the worker's own goroutine does.
func (w *Worker) main() {
	stopped := false
	defer func() {
		if stopped {
			w.pool.shutdown.workers.Done()
			return
		}
		// A job has called runtime.Goexit, which ends this goroutine. The
		// worker goes on with another one. Its stack is empty: every job
		// that was on this goroutine has cleaned up on the way out.
		prim.Go(w.main)
	}()
	w.occupy(false, (*rootTask)(w))
	stopped = true
}

// rootTask is the loop of a worker's own goroutine.
type rootTask Worker

func (t *rootTask) run(w *Worker) {
	for {
		j := w.find()
		if j == nil {
			if j = w.idle(&w.rootIdle, &w.stop, true); j == nil {
				return
			}
		}
		w.execute(j)
	}
}

func (t *rootTask) done(*Worker, *failure) {}

// wait runs other jobs until the latch is set, and sleeps when there are none.
func (w *Worker) wait(l api.Latch) {
	for !l.Probe() {
		w.publishAll() // what stays private would wait for this worker
		j := w.find()
		if j == nil {
			w.substituteOthers()
			if j = w.idle(&w.joinIdle, l, false); j == nil {
				return
			}
		}
		w.execute(j)
	}
}

// find begins a job of the worker's own deque, another worker's or the
// injector, in this order, or returns nil.
func (w *Worker) find() *Job {
	if j := w.take(); j != nil {
		return j
	}
	return w.search(false)
}

// idle looks for a job until there is one, and sleeps between; it returns nil
// when the latch is set. The worker is counted inactive meanwhile.
func (w *Worker) idle(idle *api.Idle, l api.Latch, root bool) *Job {
	w.rest()
	s := w.pool.sleep
	*idle = s.StartLooking(w.index, root) // B1
	for !l.Probe() {
		// The worker's own deque is empty, unless the seat was lent
		// meanwhile.
		j := w.take()
		if j == nil {
			j = w.search(true)
		}
		if j != nil {
			s.Found(idle)
			return j
		}
		s.NoWork(idle, l, w.look)
	}
	s.Found(idle)
	return nil
}

// search tries to begin a job of the worker that it last took one from, then of
// each other, beginning anywhere, and then of the injector. want says that this
// worker is counted inactive and asks those whose deques are empty to publish.
// An attempt that was lost to another is no answer, nor is a job that somebody
// else has begun: the search is repeated.
func (w *Worker) search(want bool) *Job {
	p := w.pool
	if w.seasoned = w.seasoned || p.used(); !w.seasoned {
		return nil
	}
	for lost := true; lost; {
		lost = false
		last, next := w.victim, w.randomWorker()
		for i := -1; i < len(p.deques); i++ {
			n := last
			if i >= 0 {
				n = next
				if next++; next == len(p.deques) {
					next = 0 // no division for each visit
				}
				if n == last {
					continue
				}
			}
			if n == w.index {
				continue
			}
			prim.Touch(&p.deques[n], false)
			switch j, outcome := p.deques[n].Steal(); outcome {
			case api.Stolen:
				p.want(n) // the deque may be empty now, for others who look
				if !j.begin() {
					lost = true
					continue
				}
				w.stats.steals.Add(1)
				w.victim = n
				w.ask(max(w.demand.unmet, min(len(p.workers)-1, stolenAsk)))
				return j
			case api.Lost:
				lost = true
			case api.Empty:
				if want {
					p.want(n)
				}
			}
		}
		switch j, outcome := p.injector.Steal(); outcome {
		case api.Stolen:
			if j.begin() {
				return j
			}
			lost = true
		case api.Lost:
			lost = true
		case api.Empty:
		}
	}
	return nil
}

// randomWorker returns a worker's number, by Marsaglia's xorshift64.
func (w *Worker) randomWorker() int {
	w.random ^= w.random << 13
	w.random ^= w.random >> 7
	w.random ^= w.random << 17
	return int(w.random % uint64(len(w.pool.workers)))
}
