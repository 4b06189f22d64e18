package pool

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
)

// unserve has the queue looked at as if nobody had taken a job from it for long.
func unserve(p *Pool) {
	p.inbox.served.Store(false)
	p.lookAtQueue()
}

// If this fails, a job stays in the queue, or one begins that a worker would have taken.
func TestLookAtQueue(t *testing.T) {
	p := onlyWorker(t, func(p *Pool, w *Worker) {
		isQueued := func(want bool, when string) {
			t.Helper()
			equal(t, !p.inbox.queue.Empty(), want, "P32: a job lies in the queue of a pool whose worker has a job, %s:", when)
		}
		for range 3 { // what was canceled does not begin, and does not count
			h := submit(t, p, func(*Worker) int { return 1 })
			expect(t, h.Cancel(), "P24: a job that waits in the queue cannot be canceled")
			isQueued(true, "which was canceled, before a look")
			unserve(p)
			isQueued(false, "which was canceled, after a look")
			equal(t, p.inbox.beside.Load(), 0, "P32: a look has found nothing to begin, and as beside others count")
		}
		looked := make(chan bool)
		h := submit(t, p, func(w *Worker) int {
			<-looked // a look that has begun a job has no place for another one
			expect(t, w.origin == fromQueue && w.seat.isGuest(), "P32: a job that begins beside others has the seat of a worker")
			return 1
		})
		p.inbox.served.Store(true)
		p.lookAtQueue()
		isQueued(true, "and the queue was served")
		p.inbox.beside.Store(1)
		unserve(p)
		isQueued(true, "and a job runs beside that")
		p.inbox.beside.Store(0)
		unserve(p)
		close(looked)
		isQueued(false, "after a look")
		for !h.isDone() { // w keeps its seat
			prim.Yield()
		}
	})
	equal(t, p.inbox.beside.Load(), 0, "P32: all jobs have ended, and as beside others count")
}

// If this fails, a wake that is missed looks like a delay; or a job that is queued waits forever beside
// workers that look for work, and find forks first.
func TestLookAtQueueBesideInactive(t *testing.T) {
	l := newLone(t, 3)
	stands := func(want bool, when string) {
		t.Helper()
		equal(t, l.pool.queueStands(), want, "P32: a queue from which nobody has taken a job, %s, stands still:", when)
	}
	stands(false, "and two workers sleep")
	l.sleep.looking = 1
	stands(true, "and one worker sleeps, and another one looks for work")
	l.sleep.inactive, l.sleep.looking = 0, 0
	stands(true, "and all workers have jobs")
	l.sleep.inactive = 2
	l.queue()
	unserve(l.pool)
	expect(t, l.pool.takeQueued() != nil, "P32: a job begins beside others, and a worker has none")
	expect(t, l.pool.inbox.served.Load(), "P32: a worker has taken a queued job, and the timer does not know of it")
}

// A filled queue gets a job as somebody has found it empty.
type filled struct {
	queue
	fill func()
}

func (q *filled) Empty() bool {
	is := q.queue.Empty()
	if fill := q.fill; is && fill != nil {
		q.fill = nil
		fill()
	}
	return is
}

// If this fails, a job that is queued as the last look finds nothing waits for the end of endless work.
func TestLastLookAtQueue(t *testing.T) {
	l := newLone(t, 1)
	q := &filled{queue: l.pool.inbox.queue}
	q.fill = func() { l.queue(); l.pool.attendQueue() }
	l.pool.inbox.queue = q
	l.pool.inbox.attended.Store(true)
	l.pool.lookAtQueue()
	expect(t, l.pool.inbox.attended.Load(), "P32: a job was queued as the timer found the queue empty, and no timer is set")
	l.pool.takeQueued()
}

// If this fails, the queue of a pool that was used in a bubble is never looked at again: the timer is gone
// with the bubble. Or Stats does not say how old the job is that is queued.
func TestQueueAfterBubble(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		onlyWorker(t, func(p *Pool, w *Worker) {
			h := submit(t, p, func(*Worker) int { return 1 })
			expect(t, !p.inbox.attended.Load(), "P32: a timer is set in a bubble")
			time.Sleep(time.Second) // a moment of 0 is none
			p.LeaveQueue()          // as if there were one, and it has just looked
			p.inbox.front.Store(uint64(prim.ReportNow()))
			time.Sleep(time.Second)
			equal(t, p.Stats().Oldest, time.Second, "P26: a job has been queued for a second, and Stats.Oldest is")
			h.Cancel()
			equal(t, p.Stats().Oldest, 0, "P26: no job is queued, and Stats.Oldest is")
		})
	})
}

// If this fails, a timer from before a bubble begins a job of that outside, where the clock of the bubble does not
// wait for it; or the queue of a pool that was used in a bubble stands still after that.
func TestTimerFromBeforeBubble(t *testing.T) {
	p, err := New(WithWorkers(1), WithSleep(builtInSleep))
	check(t, err == nil, "P28: a pool whose workers sleep without a goroutine: %v", err)
	p.LeaveQueue() // the only looks are those of this test
	stands := func(want bool, where string) {
		began, hold := make(chan bool), make(chan bool)
		first := submit(t, p, func(*Worker) int { close(began); <-hold; return 1 })
		<-began
		second := submit(t, p, func(*Worker) int { return 1 })
		p.inbox.served.Store(false)
		equal(t, p.queueStands(), want, "P32: nobody has taken a job, %s, and a timer from outside may begin it:", where)
		close(hold)
		for !first.isDone() || !second.isDone() {
			time.Sleep(time.Millisecond)
		}
		for !p.inbox.rested.Load() {
			time.Sleep(time.Millisecond)
		}
	}
	for range 2 {
		stands(true, "outside")
		testrule.Bubble(t, func(t *testing.T) { stands(false, "in a bubble") })
	}
	p.Close()
}

// If this fails, what is submitted waits for the end of jobs that may be endless.
func TestQueuedBeginsBesideEndlessWork(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		for range 2 {
			h := submit(t, p, func(*Worker) int { return 1 })
			for begun := time.Now(); !h.isDone() && time.Since(begun) < 2*time.Second; {
				prim.Yield() // w keeps its seat
			}
			expect(t, !h.Cancel(), "P32: a job has been queued beside endless work for two seconds, and has not begun")
		}
	})
}

// If this fails, more jobs run beside others than there are workers.
func TestBesideIsBounded(t *testing.T) {
	l := newLone(t, 2)
	var let prim.Int32
	come := func() {
		if l.pool.comeBeside() {
			let.Add(1)
		}
	}
	atOnce(t, func() { l.pool.inbox.beside.Store(0); let.Store(0) }, func() {
		expect(t, let.Load() == 2, "P32: on two workers, %d jobs are let begin beside others", let.Load())
	}, come, come, come, come)
}

// If this fails, jobs that begin beside others and wait for some multiply: more and more of them run at
// once, until the queue is empty.
func TestBesideDoesNotMultiply(t *testing.T) {
	l := newLone(t, 2)
	l.detach()
	l.sitOn(l.pool.guestSeat())
	l.setState(beside)
	for n := range uint32(4) {
		j := l.queue()
		l.pool.inbox.beside.Store(n)
		went := l.nextJob()
		expect(t, (went == j) == (n <= 2), "P11: a job on two workers has ended, and it goes on with a queued one: %t, where %d count as beside others", went == j, n)
	}
}

// A guest that runs beside others counts so while it runs. If this fails, more jobs run beside others
// than there are workers, once those have waited; or one that waits keeps others from beginning.
func TestWaitsBeside(t *testing.T) {
	other := open(t, WithWorkers(1))
	untilAllSleep(other)
	p := onlyWorker(t, func(p *Pool, w *Worker) {
		beside := func(want uint32, when string) {
			equal(t, p.inbox.beside.Load(), want, "P32: of jobs that were begun beside others one %s, and the count is", when)
		}
		h := submit(t, p, func(w *Worker) int {
			BlockHere(func() { beside(0, "is in BlockHere") })
			beside(1, "goes on after BlockHere")
			w.Block(func() {
				runJobHere(p, jobHere(func(*Worker) { beside(1, "runs in Block") }))
				beside(0, "is in Block, after a Run there")
			})
			submit(t, other, func(*Worker) int {
				for begun := time.Now(); p.inbox.beside.Load() != 0 && time.Since(begun) < 2*time.Second; {
					prim.Yield() // the one that joins this one is about to wait
				}
				beside(0, "waits")
				return 1
			}).Join(w)
			beside(1, "goes on after a wait")
			Run(context.Background(), other, func(v *Worker, _ int) int {
				v.Block(func() {
					beside(0, "is in Block, above it on its goroutine")
					Run(context.Background(), p, func(*Worker, int) int { return 0 }, 0)
					beside(0, "is still in Block, after a Run")
				})
				return 0
			}, 0)
			beside(1, "goes on after a Run of another pool")
			return 0
		})
		unserve(p)
		for !h.isDone() { // w keeps its seat
			prim.Yield()
		}
	})
	equal(t, p.inbox.beside.Load(), 0, "P32: all jobs have ended, and the number of those that count as begun beside others is")
}

// If this fails, the times of queued jobs are measured no more after the first thousand, or all are.
func TestStamp(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		p := newLone(t, 1).pool
		stamped := func(timed bool, when string) {
			t.Helper()
			j := submission{ticket: &ticket{pool: p}}
			j.stamp(false)
			equal(t, j.timed && j.since == prim.ReportNow(), timed, "P26: the time of a job is measured, which was queued %s:", when)
		}
		p.inbox.samples.Store(0)
		p.lookLater()
		for range mostSamples {
			stamped(true, "soon after a look")
		}
		stamped(false, "after a thousand others")
		p.lookLater()
		stamped(true, "after the next look")
	})
}

// If this fails, what Stats says of the oldest queued job is that of another one.
func TestOldest(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		l := newLone(t, 1)
		l.pool.LeaveQueue()
		is := func(want time.Duration, when string) {
			t.Helper()
			equal(t, l.pool.Stats().Oldest, want, "P26: %s, and Stats.Oldest is", when)
		}
		l.pool.inbox.samples.Store(mostSamples)
		time.Sleep(time.Second) // a moment of 0 is none
		l.pool.inbox.front.Store(uint64(prim.ReportNow()))
		for range 3 { // a job each second
			l.queue()
			time.Sleep(time.Second)
		}
		is(3*time.Second, "the first of three jobs was queued three seconds ago")
		l.pool.takeQueued()
		is(3*time.Second, "it was taken, and the second came a second later")
		l.pool.takeQueued()
		is(2*time.Second, "the second was taken")
	})
}
