//go:build explore

package simulate

import "math"

// Events that no thread causes at their time: a thread of the system that was woken for
// goroutines is up, or a sleep is over.

// never is the time of what is not expected.
const never = Time(math.MaxInt64)

// sleep is [Sleep].
func (e *engine) sleep(d Time) {
	t := e.sync()
	e.observe(t, -2, nil)
	e.begins(t)
	until := t.clock + max(d, 0)
	e.leave(t, e.cost.sleep/2+e.cost.park)
	e.Parks++
	t.state = asleep
	e.vacate(t)
	t.clock = until
	e.timers.push(t)
	e.foresee()
	t.pause()
	e.sync()
}

// foresee notes the time of the next event.
func (e *engine) foresee() {
	e.event = min(e.started, e.polled)
	if e.polled == never && len(e.timers) > 0 {
		e.event = min(e.event, max(e.reached, e.timers[0].clock+e.cost.timer))
	}
}

// happen handles the next event.
func (e *engine) happen() {
	at := e.event
	e.reached = at
	switch {
	case e.started == at:
		e.started = never
		e.arrive(at)
	case e.polled == at:
		e.polled = never
		e.arrive(at)
	case e.idle.empty():
		e.expire(global, at)
	default: // the idle processor's thread waits for that time, and wakes
		e.polled = at + e.cost.threadLatency
	}
	e.foresee()
}

// ending is what it takes to end n sleeps, for the processor that has noticed.
func (e *engine) ending(n Time) Time { return n * (e.cost.sleep/2 + e.cost.ready) }

// expired reports whether a sleep is over.
func (e *engine) expired(at Time) bool { return len(e.timers) > 0 && e.timers[0].clock <= at }

// expire ends the sleeps that are over. The threads wait in the run queue of p, or
// in the global one. It returns how many there are.
func (e *engine) expire(p int, at Time) (n Time) {
	for ; e.expired(at); n++ {
		e.Wakes++
		e.enqueue(e.timers.pop(), p, at)
	}
	if n > 0 {
		e.foresee()
	}
	return n
}
