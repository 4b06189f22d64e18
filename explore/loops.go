//go:build explore

package explore

import (
	"math/bits"
	"runtime"
	"slices"
	"strings"
)

// A loop in which a thread gives way, or waits for time, could go round and round before another
// thread takes a step. So a thread comes to such a place at any moment a few times, and after that
// only when no other thread can go on: see REDUCTION.md. What that leaves out is told.

// A visit is to a place in the program, by the calls that led there.
type visit struct {
	calls       [16]uintptr
	value       int64
	acts        int // of the thread, by then
	times, idle int
}

// visits are those of a thread, and the number of the last one's place from 1.
type visits struct {
	all  []visit
	last int
}

//go:norace
func (v *visits) reset() { v.all, v.last = v.all[:0], 0 }

// again is [drive.Again] for a thread that has performed so many operations that do something. The
// caller's caller is at the place.
//
//go:norace
func (v *visits) again(value int64, acts int) (times, idle int) {
	var calls [16]uintptr
	hide()
	runtime.Callers(3, calls[:])
	unhide()
	for i := range v.all {
		p := &v.all[i]
		if p.calls != calls {
			continue
		}
		v.last = i + 1
		acted := p.acts != acts
		p.acts = acts
		if p.value != value {
			p.value = value
			return 0, 0
		}
		p.times++
		if !acted {
			p.idle++
		}
		return p.times, p.idle
	}
	v.all = append(v.all, visit{calls: calls, value: value, acts: acts})
	v.last = len(v.all)
	return 0, 0
}

// holdups are where threads were held up though they could go on, in the executions of a search.
type holdups struct {
	any    bool
	timer  bool
	places [][16]uintptr
	told   []string // by other processes
}

// hold notes that these threads, which have given way, were not tried.
//
//go:norace
func (e *engine) hold(threads uint64) {
	h := &e.held
next:
	for ; threads != 0; threads &= threads - 1 {
		t := e.threads[bits.TrailingZeros64(threads)]
		if t.noted {
			continue
		}
		t.noted, h.any = true, true
		if t.daemon {
			h.timer = true
		}
		if t.been.last == 0 {
			continue
		}
		calls := t.been.all[t.been.last-1].calls
		for _, p := range h.places {
			if p == calls {
				continue next
			}
		}
		h.places = append(h.places, calls)
	}
}

// where lists the places.
func (h *holdups) where() []string {
	all := slices.Clone(h.told)
	for _, p := range h.places {
		n := slices.Index(p[:], 0)
		if n < 0 {
			n = len(p)
		}
		if s := place(p[:n]); s.line > 0 {
			all = append(all, s.String())
		}
	}
	if h.timer {
		all = append(all, "a timer")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// exhausted says that all schedules were run, up to where threads were held up.
func (e *engine) exhausted() {
	e.report.Exhausted = true
	if !e.held.any {
		return
	}
	e.report.UpTo = plural(e.config.rounds, "round") + " of loops that wait"
	if where := e.held.where(); len(where) > 0 {
		e.report.UpTo += ": " + strings.Join(where, ", ")
	}
}
