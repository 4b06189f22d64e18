//go:build explore

package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/api/prim"
)

// Predicts says whether this build simulates.
const Predicts = true

var (
	// turns keeps runs from meeting.
	turns sync.Mutex
	// running is the engine of the run that is under way.
	running atomic.Pointer[engine]
)

func run(m Machine, program func()) (*Report, error) {
	if m.Processors < 1 || m.Processors > MaxProcessors || m.cluster < 1 {
		return nil, fmt.Errorf("simulate: a machine of %d processors in clusters of %d: must be 1 to %d, made by Server", m.Processors, m.cluster, MaxProcessors)
	}
	turns.Lock()
	defer turns.Unlock()
	e := newEngine(m)
	prim.Drive(e)
	running.Store(e)
	defer func() {
		running.Store(nil)
		prim.Drive(nil)
	}()
	if e.run(program); e.failure != nil {
		return nil, fmt.Errorf("simulate: %w", e.failure)
	}
	return e.report(), nil
}

func measure(f func()) {
	if e := running.Load(); e != nil {
		e.measure(f)
	}
}

func work(d Time) {
	if e := running.Load(); e != nil {
		e.work(d)
	}
}

func own(d Time) { work(d) }

// A kind says what a processor does.
type kind int

const (
	working kind = iota
	local
	missing
	idling
	kinds
)

// A segment is a stretch of a thread's time, up to its end.
type segment struct {
	kind kind
	end  Time
}

// An account says what happened from one time until another.
type account struct {
	from, until Time
	times       [kinds]Time
	misses      map[string]Time // by the name of the line
	ramp        []Time
	// part counts calls of Measure. It tells threads that have worked before from
	// those that have worked since.
	part int
}

// measure restricts the account to a call of f. All threads have reached the time at
// which it begins, and the time at which it ends: what they have done beyond these
// times has not been booked yet.
func (e *engine) measure(f func()) {
	e.account = account{from: e.sync().clock, until: never, misses: map[string]Time{}, part: e.part + 1}
	f()
	e.until = e.sync().clock
}

// charge lets the thread, and its processor, spend time on something.
func (e *engine) charge(t *thread, k kind, d Time) {
	if d <= 0 {
		return
	}
	t.clock += d
	if n := len(t.log); n > 0 && t.log[n-1].kind == k {
		t.log[n-1].end = t.clock
		return
	}
	t.log = append(t.log, segment{k, t.clock})
}

// book accounts for what the thread has done, once all threads have reached its clock.
func (e *engine) book(t *thread) {
	for _, s := range t.log {
		e.times[s.kind] += e.overlap(t.booked, s.end)
		t.booked = s.end
	}
	t.log = t.log[:0]
}

// overlap is how much of a stretch of time the account is of.
func (a *account) overlap(from, until Time) Time {
	return max(0, min(until, a.until)-max(from, a.from))
}

// work is [Work].
func (e *engine) work(d Time) {
	t := e.current
	if t.worked != e.part && e.until == never {
		t.worked = e.part
		e.ramp = append(e.ramp, t.clock-e.from)
	}
	e.charge(t, working, d)
}

func (e *engine) report() *Report {
	e.until = min(e.until, e.reached)
	for p := range e.Machine.Processors { // all are idle at the end
		e.times[idling] += e.overlap(e.free[p], e.until)
	}
	slices.Sort(e.ramp)
	r := &Report{
		Elapsed: e.until - e.from, FirstWork: e.ramp,
		Work: e.times[working], Local: e.times[local], Miss: e.times[missing], Idle: e.times[idling],
	}
	for name, waited := range e.misses {
		r.Lines = append(r.Lines, Line{name, waited})
	}
	slices.SortFunc(r.Lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Name, b.Name))
	})
	return r
}
