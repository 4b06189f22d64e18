//go:build explore

package explore

// The order of an execution, as a number: the same for all executions that differ in the order
// of steps that do not depend on each other. It is what the reduction is measured by.

// An oracle is told what executions come to. Neither a deadlock nor a race is a failure then.
type oracle struct {
	orders map[uint64]int // how often each was run to its end
	faults map[uint64]bool
}

func newOracle() oracle { return oracle{make(map[uint64]int), make(map[uint64]bool)} }

// consult tells the oracle what the execution has come to.
func (e *engine) consult() {
	if e.failure != nil && e.failure.Kind == Deadlock {
		e.failure = nil
		var sum uint64
		for _, t := range e.threads {
			if t.blocked {
				sum += mix(t.id ^ uint64(t.op)<<8)
			}
		}
		e.oracle.faults[sum] = true
	}
	if !e.coasting && e.failure == nil {
		e.oracle.orders[e.order()]++
	}
}

// race tells the oracle of two accesses.
func (o *oracle) race(a, b access) {
	number := func(a access) uint64 {
		h := a.id ^ uint64(a.when)<<8 ^ uint64(a.bytes)
		if a.write {
			h = ^h
		}
		return mix(h)
	}
	o.faults[number(a)+number(b)] = true
}

// inherit gives a thread that starts the clock of the one that starts it. It goes on with the steps of
// the one that it follows, if it does.
//
//go:norace
func (e *engine) inherit(t, parent, follows *thread) {
	if len(t.clock) != e.dpor.width {
		t.clock = make([]int32, e.dpor.width)
	}
	if follows == nil {
		t.steps, t.last, t.past = 0, -1, t.past[:0]
	} else {
		t.past = append(t.past, past{t.id, t.hash, t.steps})
	}
	t.since, t.by, t.woken, t.children, t.draws, t.turns = 0, -1, 0, 0, 0, 0
	t.could, t.fresh, t.inVain = false, true, false
	t.chances, t.told, t.patientAt = 1, 0, 0
	for k := range t.clock {
		if parent == nil {
			t.clock[k] = 0
		} else {
			t.clock[k] = parent.clock[k]
		}
	}
	e.inheritHB(t, parent, follows)
	t.id = 1
	if parent != nil {
		parent.children++
		t.id = mix(parent.id + parent.children)
		t.chances = 1 << min(2*(parent.children-1), 6) // see Chance
	}
	t.hash = t.id
}

// after reports whether all steps of other threads happen before the next one of t.
//
//go:norace
func (e *engine) after(t *thread) bool {
	for _, u := range e.threads {
		if t.clock[u.index] < u.steps {
			return false
		}
	}
	return true
}

// chose notes what was chosen in a step of t.
//
//go:norace
func (t *thread) chose(what uint64) { t.hash = mix(t.hash ^ what) }

// fingerprint adds a step to the hash of its thread.
//
//go:norace
func (e *engine) fingerprint(t *thread, r *record) {
	var before uint64
	for k, n := range t.clock {
		if n > 0 {
			before += e.threads[k].before(n)
		}
	}
	t.hash = mix(t.hash ^ before ^ uint64(r.effect)<<8 ^ uint64(t.op))
}

// A past is a thread that another one has followed.
type past struct {
	id    uint64
	hash  uint64
	steps int32 // by then
}

// before returns a number for the first n steps of a thread and of those that it followed. It is the
// same if they have not followed each other, but have ended one after the other.
//
//go:norace
func (t *thread) before(n int32) (sum uint64) {
	begun := int32(0)
	for _, p := range t.past {
		if n <= begun {
			return sum
		}
		if last := min(n, p.steps); last > begun {
			sum += mix(p.id ^ uint64(last-begun))
		}
		begun = p.steps
	}
	if n > begun {
		sum += mix(t.id ^ uint64(n-begun))
	}
	return sum
}

// order returns the number of the execution that has ended.
func (e *engine) order() uint64 {
	var sum uint64
	for _, t := range e.threads {
		sum += mix(t.hash)
		for _, p := range t.past {
			sum += mix(p.hash)
		}
	}
	return sum
}
