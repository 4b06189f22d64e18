//go:build explore

package explore

import "github.com/rouse-go/rouse/api/prim"

// settle is Exec.Settle. Its steps are part of the schedule, so that a replay
// need not know of it, but none of them is a decision or a preemption.
func (e *engine) settle(f func()) {
	t := e.beginSettle()
	f()
	e.endSettle(t)
}

//go:norace
func (e *engine) beginSettle() *thread {
	t := e.enter()
	if e.settler != nil {
		e.fail(BadOption, "Settle while another Settle is under way")
		t.unwind()
	}
	e.settler = t
	e.doesAny() // what others do next, they could have done before
	return t
}

//go:norace
func (e *engine) endSettle(t *thread) {
	t.patient = true
	e.point(t, prim.OpYield, nil)
	t.patient = false
	e.settler = nil
}

// settles is decide while a thread is in Exec.Settle.
//
//go:norace
func (e *engine) settles(t *thread, goesOn bool) *thread {
	if goesOn && t != e.settler {
		return t
	}
	var yielded *thread
	for _, u := range e.threads {
		if u == e.settler || u.ended || !e.canRun(u) {
			continue
		}
		if !u.yielded {
			return u
		}
		if yielded == nil {
			yielded = u
		}
	}
	if yielded != nil {
		for _, u := range e.threads {
			u.yielded = u.yielded && u == e.settler
		}
		return yielded
	}
	if !e.settler.ended && e.canRun(e.settler) {
		return e.settler
	}
	e.deadlock()
	return nil
}
