package pool

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// A queued job begins when a worker has no other work. If all have work for long, the oldest queued
// jobs begin beside that, as guests: as many as the pool has workers, at most.
//
// While jobs are queued, a timer looks at the queue now and then. If nobody has taken a job since its
// last look, it begins some: all workers have jobs, or those that look for work find forks first, again
// and again. If some sleep, and none looks, it does nothing: so a wake that is missed stays a hang, which
// tests notice.
//
// Each timer is made anew, and never stopped or reset: callers in a bubble of testing/synctest and
// outside may use the same pool, and a timer belongs to one of them. In a bubble there is none, for
// the bubble may end before it fires; there the clock stands still anyway while anything runs. One from
// before the bubble begins no job of that: the job would run outside. Callers are in a bubble, or outside,
// from one rest of the pool to the next, so the first one looks at the clock.
//
// Pairs: a caller pushes a job, then reads attended. The timer lowers attended, then looks at the
// queue once more. So either the caller finds it lowered, or the timer finds the job. The caller sets bubble
// before it pushes the job, and the timer reads that when it has found one.
//
// Rejected: looks by the workers as they fork and join, by counts and by the clock. They began a job
// within a tenth of a millisecond, and cost each join a comparison and the reader a dozen concepts.
// Rejected, too: a submitted job that begins at once beside others, which made a server under overload
// slower to answer and to refuse.

// unserved is for how long nobody must have taken a queued job, once or twice, before one begins beside
// others. With less, a server under overload loses processors to its queue.
const unserved = 45 * time.Millisecond

// attendQueue has the queue looked at from now on. It is called when a job was pushed.
func (p *Pool) attendQueue() {
	if p.inbox.attended.Load() || !p.inbox.attended.CompareAndSwap(false, true) {
		return
	}
	p.inbox.front.Store(uint64(prim.ReportNow()))
	if !p.lookLater() {
		p.inbox.attended.Store(false)
	}
}

// findBubble finds out whether callers are in a bubble now, if the pool may have been at rest.
func (p *Pool) findBubble() {
	if p.inbox.rested.Load() {
		p.inbox.bubble.Store(prim.InBubble())
		p.inbox.rested.Store(false) // others that come first would find it out as well
	}
}

// lookLater reports whether there will be another look.
func (p *Pool) lookLater() bool {
	p.inbox.served.Store(false)
	p.inbox.samples.Store(mostSamples)
	return prim.Later(unserved, p.lookAtQueue)
}

func (p *Pool) lookAtQueue() {
	if p.inbox.queue.Empty() {
		p.inbox.front.Store(0)
		p.inbox.attended.Store(false)
		if !p.inbox.queue.Empty() {
			p.attendQueue()
		}
		return
	}
	if p.queueStands() {
		p.beginBeside()
	}
	p.lookLater()
}

// queueStands reports whether nobody has taken a job since the last look, nor may have missed a wake. The jobs of a
// bubble are not for the timer.
func (p *Pool) queueStands() bool {
	inactive, sleeping := p.sleep.Counts()
	missed := inactive > 0 && inactive == sleeping
	return !missed && !p.inbox.served.Load() && !p.inbox.bubble.Load()
}

// beginBeside begins queued jobs, until as many run beside others as the pool has workers.
func (p *Pool) beginBeside() {
	for p.comeBeside() {
		j := p.takeQueued()
		if j == nil {
			p.inbox.beside.Add(^uint32(0))
			return
		}
		s := p.guestSeat()
		s.next.beside = true
		s.start(j)
	}
}

// fewBeside reports whether one that runs beside others, whose job has ended, may go on with the next
// queued one: not if more do than have places, since some have waited meanwhile.
func (p *Pool) fewBeside() bool { return p.inbox.beside.Load() <= uint32(len(p.seats)) }

// comeBeside counts a job that is to begin beside others, unless there are enough.
func (p *Pool) comeBeside() bool {
	if p.inbox.beside.Add(1) <= uint32(len(p.seats)) {
		return true
	}
	p.inbox.beside.Add(^uint32(0))
	return false
}
