//go:build explore

package explore

import (
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// Dynamic partial-order reduction by source sets, with sleep sets (Abdulla, Aronis, Jonsson and
// Sagonas, POPL 2014): of the executions that differ only in the order of steps that do not
// depend on each other, one is run to its end.
//
// Each step has a clock, which says which steps of each thread happen before it. Two steps that
// conflict, and are ordered by nothing else, are a race: the node of the first one is told to try
// a thread with which the second one comes first.
//
// A step that was blocked, or had to give way, before another one could not have come before
// that. Such a pair is no race, but behind it there may be one: of two Locks with an Unlock in
// between, the Locks are a race.

// A record is what is known of a step of this execution.
type record struct {
	thread  int
	effect  effect
	most    effect // if it had not turned out to do less
	cell    *cell
	more    [2]int // from and to: cells of the operation besides
	woken   int    // of those, how many it turned out to change, whatever its effect on the others
	ordinal int32  // of the thread's steps, from 1
	prev    int    // the step before of the thread, or -1
	node    int    // the decision for it, or -1 if there was none
	since   int    // how many steps there were when the thread came to it
	by      int    // the step that has ended its wait, or -1
	waits   bool   // it is one that may have to wait
	asks    bool   // it is of a twin, and what it waits for is not known
	opens   bool   // a step that waits could not have come before it
	either  bool   // more than one step could have ended its wait
	idle    bool   // it has waited for the end of all threads but daemons
	patient bool   // it has waited until no thread could go on that is not
	met     bool   // what it waited for another step has done
}

// A dpor has the records of an execution and what is found in them.
type dpor struct {
	records []record
	more    []*cell // of all records
	clocks  []int32 // a row for each record
	width   int     // of a row: the threads that there can be
	open    bool    // the last record may still change
	newborn uint64  // the threads that it has started
	// supposed says that the last record is of a step that was not performed.
	supposed bool
	node     int // of the step to come, or -1
	lastAny  int // the last step that depends on every other one, or -1

	// asleep are threads whose next step was explored, in another order, with
	// what it did; vain those whose return for no reason was.
	asleep, vain uint64
	did          [maxThreads]effects
	touched      []touch // of those asleep

	// anyJoin says that Exec.Wait may be held up by threads that are started
	// meanwhile, so that it depends on all steps.
	anyJoin bool

	before, races []int   // scratch
	seen          []int32 // scratch, as wide as a clock
	first, kept   []int32
}

//go:norace
func (e *engine) resetDPOR() {
	d := &e.dpor
	d.width = max(d.width, e.config.maxThreads)
	d.newborn = 0
	if len(d.seen) < d.width {
		d.seen, d.first = make([]int32, d.width), make([]int32, d.width)
	}
	d.records, d.clocks, d.more = d.records[:0], d.clocks[:0], d.more[:0]
	d.open, d.node, d.lastAny = false, -1, -1
	d.asleep, d.vain = 0, 0
	d.touched = d.touched[:0]
}

// A touch is a cell that the step of a thread turned out to touch.
type touch struct{ thread, cell int }

// clock returns the clock of step i.
//
//go:norace
func (d *dpor) clock(i int) []int32 { return d.clocks[i*d.width : (i+1)*d.width] }

//go:norace
func join(a, b []int32) {
	b = b[:len(a)]
	for k, n := range b {
		if n > a[k] {
			a[k] = n
		}
	}
}

// record notes the step that t now performs. What it does is not known for sure before the
// thread comes to its next step.
//
//go:norace
func (e *engine) record(t *thread) {
	d := &e.dpor
	if !e.recording {
		return
	}
	r := record{thread: t.index, effect: t.effectOf(), cell: t.cell, prev: t.last, node: d.node, since: t.since, by: t.by, patient: t.patient}
	if r.effect == effectNone && r.by < 0 && t.cell != nil {
		r.by = t.woken - 1
		if t.op >= ofTwin {
			r.by = t.cell.woken - 1
		}
	}
	r.waits = t.op == prim.OpLock || t.op == prim.OpGroupWait || t.op == prim.OpPark || t.op == ofTwin+prim.Op(drive.OpWLock)
	r.asks = t.ready != nil && !r.waits || t.ready != nil && t.op == prim.OpGroupWait
	due := t.op == ofTwin+prim.Op(drive.OpTimerDue) || t.op == ofTwin+prim.Op(drive.OpSleep)
	r.either = t.ctx != nil && r.effect == effectAny || due && !t.patient || t.ready != nil && len(t.more) > 1
	r.idle = t.op == ofTwin+prim.Op(drive.OpIdle)
	r.opens = t.op == prim.OpUnlock || t.op == ofTwin+prim.Op(drive.OpWUnlock) || t.op == ofTwin+prim.Op(drive.OpWLockReturn)
	r.more = [2]int{len(d.more), len(d.more) + len(t.more)}
	//lint:ignore S1011 a slice that is appended shows itself to the race detector
	for _, c := range t.more {
		d.more = append(d.more, c)
	}
	r.most = r.effect
	if t.op == prim.OpJoin {
		r.by = -1
		if d.anyJoin {
			r.effect = effectAny
		}
	}
	if t.inVain {
		t.inVain = false
		r.effect, r.by = effectVain, -1
	}
	t.steps++
	r.ordinal = t.steps
	t.last = len(d.records)
	d.records = append(d.records, r)
	d.open, d.node, d.newborn = true, -1, 0
}

// does says that the step under way turned out to have another effect than its operation's.
//
//go:norace
func (e *engine) does(effect effect) {
	if d := &e.dpor; d.open {
		d.records[len(d.records)-1].effect = effect
	}
}

// doesAny says that the step under way affects all others.
//
//go:norace
func (e *engine) doesAny() {
	d := &e.dpor
	i := len(d.records) - 1
	if i < 0 || !e.recording {
		return
	}
	d.records[i].effect = effectAny
	if d.open {
		return
	}
	d.again(i) // it was a Wait, after which nothing is recorded
	e.account()
}

// opens says that a step that waits could not have come before the step under way.
//
//go:norace
func (e *engine) opens() {
	if d := &e.dpor; d.open {
		d.records[len(d.records)-1].opens = true
	}
}

// account orders the last step after those that it depends on, and looks for its races.
//
//go:norace
func (e *engine) account() {
	d := &e.dpor
	if !d.open {
		return
	}
	d.open = false
	i := len(d.records) - 1
	r := &d.records[i]
	t := e.threads[r.thread]
	if r.node >= 0 {
		n := &e.path[r.node]
		n.did[r.thread] |= 1 << r.effect
		n.touches(r.thread, d.more[r.more[1]-r.woken:r.more[1]])
	}
	if r.met {
		r.effect = r.most // before another thread did what it waits for, it could do more
	}
	e.conflicting(i, t)
	if r.met {
		r.effect = effectNone
	}
	seen := d.seen
	//lint:ignore S1001 copy shows itself to the race detector
	for k, n := range t.clock {
		seen[k] = n
	}
	d.races = d.races[:0]
	for _, j := range d.before {
		s := &d.records[j]
		if seen[s.thread] < s.ordinal && e.reversible(j, r) {
			d.races = append(d.races, j)
			if r.certain(j) {
				join(seen, d.clock(j))
			}
		}
		if !r.met {
			join(t.clock, d.clock(j))
		}
	}
	if r.by >= 0 {
		join(t.clock, d.clock(r.by))
	}
	if t.op == prim.OpJoin || t.op == ofTwin+prim.Op(drive.OpIdle) {
		e.joinClocks(t)
	}
	t.clock[t.index] = r.ordinal
	for b := d.newborn; b != 0; b &= b - 1 {
		join(e.threads[bits.TrailingZeros64(b)].clock, t.clock)
	}
	//lint:ignore S1011 a slice that is appended shows itself to the race detector
	for _, n := range t.clock {
		d.clocks = append(d.clocks, n)
	}
	if e.oracle != nil && !d.supposed {
		e.fingerprint(t, r)
	}
	if e.config.reduce && !e.coasting {
		for _, j := range d.races {
			e.reverse(j, i)
		}
	}
	if d.asleep|d.vain != 0 && !d.supposed {
		e.rouse(r)
	}
}

// joinClocks orders t after the threads for whose end it has waited.
//
//go:norace
func (e *engine) joinClocks(t *thread) {
	for _, u := range e.threads {
		if u.ended && (u.joined || t.op != prim.OpJoin && !u.daemon) {
			join(t.clock, u.clock)
		}
	}
}

// conflicting collects the steps that step i, of t, depends on, the last one first: as many as
// have all others before them.
//
//go:norace
func (e *engine) conflicting(i int, t *thread) {
	d := &e.dpor
	r := &d.records[i]
	d.before = d.before[:0]
	if r.effect == effectAny {
		for _, u := range e.threads {
			if u == t {
				continue
			}
			for j := u.last; j >= 0 && d.records[j].ordinal > t.clock[u.index]; j = d.records[j].prev {
				d.insert(j)
				if e.reversible(j, r) && r.certain(j) {
					break
				}
			}
		}
		d.lastAny = i
		return
	}
	if j := d.lastAny; j >= 0 && d.records[j].thread != t.index {
		d.insert(j)
	}
	if c := r.cell; c != nil && r.effect != effectNone {
		e.visit(c, i, r, false)
	}
	for k := r.more[0]; k < r.more[1]; k++ {
		e.visit(d.more[k], i, r, k >= r.more[1]-r.woken)
	}
	if r.effect == effectVain {
		e.visit(&e.budget, i, r, false)
	}
}

// visit collects what i depends on at one cell, and adds i to the steps there.
//
//go:norace
func (e *engine) visit(c *cell, i int, r *record, woken bool) {
	d := &e.dpor
	does := r.effect
	if woken {
		does = effectStep
	}
	left := conflicts[does]
	for h := len(c.steps) - 1; h >= 0 && left != 0; h-- {
		j, did := c.steps[h].number, c.steps[h].does
		s := &d.records[j]
		if !did.conflicts(does) || r.met && j > r.by {
			continue
		}
		if s.thread != r.thread {
			d.insert(j)
		}
		if e.threads[r.thread].clock[s.thread] < s.ordinal && !(e.reversible(j, r) && r.certain(j)) {
			continue
		}
		switch { // all others were before this one, or those of some effects
		case did == effectWrite && !c.waited || did == effectLock || did == effectPark || did == effectStep:
			left = 0
		case did == effectPut:
			left &= 1 << effectTake
		case did == effectTake:
			left &= 1 << effectPut
		}
	}
	if d.supposed || r.met {
		return
	}
	n := len(c.steps)
	switch {
	case c.waited:
	case does != effectRead && does != effectWrite:
		c.waited = true
	case does == effectWrite:
		n = 0
	case n > 0 && d.records[c.steps[n-1].number].thread == r.thread && c.steps[n-1].does == effectRead:
		n--
	}
	c.steps = append(c.steps[:n], onCell{i, does})
}

// insert adds a step to those before, if it is not there.
//
//go:norace
func (d *dpor) insert(j int) {
	k := len(d.before)
	for k > 0 && d.before[k-1] < j {
		k--
	}
	if k > 0 && d.before[k-1] == j {
		return
	}
	d.before = append(d.before, 0)
	for m := len(d.before) - 1; m > k; m-- {
		d.before[m] = d.before[m-1]
	}
	d.before[k] = j
}

// reversible reports whether the step r could have come before step j.
//
//go:norace
func (e *engine) reversible(j int, r *record) bool {
	s := &e.dpor.records[j]
	if s.node < 0 {
		return false // nothing was to be decided: in Exec.Settle
	}
	if r.patient && !s.patient && (r.since > j || e.path[s.node].candidates>>r.thread&1 == 0) {
		return false // the other thread could go on
	}
	if r.either && (r.effect == effectAny || e.dpor.beside(j, len(e.dpor.records)-1, 1<<effectStep)) {
		return true // what could have ended its wait is independent of j
	}
	if r.idle {
		return e.threads[s.thread].daemon // or the thread has not ended
	}
	if r.since <= j { // it was about to take place
		n := &e.path[s.node]
		if r.effect == effectVain {
			return n.vain>>r.thread&1 != 0
		}
		return n.candidates>>r.thread&1 != 0 || e.enabledBeside(j, r)
	}
	return !(s.opens && r.waits)
}

// enabledBeside reports whether step r can have come before step j because what has ended its wait
// came after j, and does not depend on it.
//
//go:norace
func (e *engine) enabledBeside(j int, r *record) bool {
	s := &e.dpor.records[j]
	return r.by > j && e.dpor.clock(r.by)[s.thread] < s.ordinal
}

// certain reports whether it is known that r could have come before j. If not, there may be a
// race behind j.
//
//go:norace
func (r *record) certain(j int) bool { return !r.asks || !r.either && r.since <= j && r.by <= j }

// reverse sees to it that step i is tried before step j, if that was not done: it looks for a
// thread that can begin with what comes after j and does not depend on it.
//
//go:norace
func (e *engine) reverse(j, i int) {
	d := &e.dpor
	q, ordinal := d.records[j].thread, d.records[j].ordinal
	n := &e.path[d.records[j].node]
	for k := range d.first {
		d.first[k] = 0
	}
	var seen, initials, vain uint64
	for k := j + 1; k <= i; k++ {
		r := &d.records[k]
		if seen>>r.thread&1 != 0 {
			continue
		}
		clock := d.clock(k)
		if k != i && clock[q] >= ordinal {
			continue // after j
		}
		seen |= 1 << r.thread
		d.first[r.thread] = r.ordinal
		// If it came before j, it may do all that its operation can do.
		initial := k != i || r.most == r.effect || !d.beside(j, i, 1<<r.most)
		for u := seen &^ (1 << r.thread); u != 0; u &= u - 1 {
			m := bits.TrailingZeros64(u)
			if clock[m] >= d.first[m] {
				initial = false
				break
			}
		}
		switch {
		case initial && r.effect == effectVain:
			vain |= 1 << r.thread
		case initial:
			initials |= 1 << r.thread
		}
	}
	can := initials & n.candidates
	if t := uint64(1) << d.records[i].thread; can&t != 0 {
		if can = t; d.supposed || d.records[i].met {
			initials = t // what it would touch besides is not known, so those that sleep may depend on it
		}
	}
	if initials&(n.backtrack|n.asleep) != 0 || vain&n.vain != 0 {
		return
	}
	if at := d.records[j].node; at < e.base {
		e.want(at, initials, can&-can)
		return
	}
	n.backtrack |= can & -can
}

// beside reports whether one of the steps between j and i that do not depend on j does so on a step that
// has these effects on the cells of i.
//
//go:norace
func (d *dpor) beside(j, i int, has effects) bool {
	q, r := &d.records[j], &d.records[i]
	for k := j + 1; k < i; k++ {
		s := &d.records[k]
		if s.thread != r.thread && d.clock(k)[q.thread] < q.ordinal && d.conflict(s, has, r.cell, d.more[r.more[0]:r.more[1]]) {
			return true
		}
	}
	return false
}

// conflict reports whether the step depends on one that has these effects on these cells.
//
//go:norace
func (d *dpor) conflict(r *record, has effects, c *cell, more []*cell) bool {
	if c != nil && has.conflict(d.does(r, c.number)) {
		return true
	}
	for _, c := range more {
		if has.conflict(d.does(r, c.number)) {
			return true
		}
	}
	return false
}

// rouse takes those out of the sleep sets whose next step depends on the one that was performed.
//
//go:norace
func (e *engine) rouse(r *record) {
	d := &e.dpor
	if r.effect == effectAny {
		d.asleep, d.vain = 0, 0
		return
	}
	t := uint64(1) << r.thread
	d.asleep &^= t
	d.vain &^= t
	for s := d.asleep; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		if d.did[k]>>effectAny&1 != 0 || d.meet(e.threads[k], d.did[k], r) {
			d.asleep &^= 1 << k
		}
	}
	for s := d.vain; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		if r.effect == effectVain || d.meet(e.threads[k], 1<<effectVain, r) {
			d.vain &^= 1 << k
		}
	}
}

// forget forgets what the steps have touched of threads that do not sleep any more. Who wakes for no reason is
// run once more, and what it then comes before is taken for covered.
//
//go:norace
func (d *dpor) forget() {
	n := 0
	for _, x := range d.touched {
		if (d.asleep|d.vain)>>x.thread&1 != 0 {
			d.touched[n] = x
			n++
		}
	}
	d.touched = d.touched[:n]
}

// meet reports whether the step that t is about to perform, which has these effects, depends on r.
//
//go:norace
func (d *dpor) meet(t *thread, has effects, r *record) bool {
	for _, x := range d.touched {
		if x.thread == t.index && d.does(r, x.cell).conflicts(effectStep) {
			return true
		}
	}
	return d.conflict(r, has, t.cell, t.more)
}

// does returns what the step has done to the cell of this number.
//
//go:norace
func (d *dpor) does(r *record, number int) effect {
	does := effectNone
	if r.cell != nil && r.cell.number == number {
		does = r.effect
	}
	for k := r.more[0]; k < r.more[1]; k++ {
		switch {
		case d.more[k].number != number:
		case k >= r.more[1]-r.woken:
			return effectStep
		default:
			does = r.effect
		}
	}
	return does
}

// touches notes which other cells the step of a thread has touched. What it does may depend on
// what is chosen in it, so there may be some from before.
//
//go:norace
func (n *node) touches(thread int, cells []*cell) {
	for _, c := range cells {
		n.touch(touch{thread, c.number})
	}
}

//go:norace
func (n *node) touch(x touch) {
	for _, y := range n.touched {
		if x == y {
			return
		}
	}
	n.touched = append(n.touched, x)
}

// unended looks for races of the steps that threads have not come to, as if they did: a timer
// that was stopped could have fired before.
//
//go:norace
func (e *engine) unended() {
	d := &e.dpor
	d.supposed = true
	for _, t := range e.threads {
		if !t.pending || t.yielded || t.ctx != nil {
			continue
		}
		records, more, any, steps, last := len(d.records), len(d.more), d.lastAny, t.steps, t.last
		d.kept = d.kept[:0]
		//lint:ignore S1011 a slice that is appended shows itself to the race detector
		for _, n := range t.clock {
			d.kept = append(d.kept, n)
		}
		d.node = -1
		e.record(t)
		e.account()
		//lint:ignore S1001 copy shows itself to the race detector
		for k, n := range d.kept {
			t.clock[k] = n
		}
		t.steps, t.last = steps, last
		d.records, d.more, d.clocks, d.lastAny = d.records[:records], d.more[:more], d.clocks[:records*d.width], any
	}
	d.supposed = false
}

// again has step i, the last one, accounted for once more.
//
//go:norace
func (d *dpor) again(i int) { d.clocks, d.open = d.clocks[:i*d.width], true }

// releases notes which step has ended the wait of each thread.
//
//go:norace
func (e *engine) releases() {
	last := len(e.dpor.records) - 1
	for _, t := range e.threads {
		if t.ended {
			continue
		}
		can := e.canRun(t)
		if can && !t.could && !t.fresh {
			t.by = last
		}
		t.could, t.fresh = can, false
	}
}

// decides is branch for a decision about a thread, with the reduction.
//
//go:norace
func (e *engine) decides(k int, candidates, vain uint64) int {
	d := &e.dpor
	awake, awakeVain := candidates&^d.asleep, vain&^d.vain
	if awake|awakeVain == 0 {
		// Whatever comes next was explored in another order.
		for _, t := range e.threads {
			t.pending = !t.ended && !e.canRun(t)
		}
		e.unended()
		e.coasting = true
		return k
	}
	i := e.depth
	e.depth++
	d.node = i
	if i == len(e.path) {
		n := node{candidates: candidates, vain: vain, asleep: d.asleep, asleepVain: d.vain, hash: e.hash}
		switch {
		case awake == 0:
			n.outcome = maxThreads + bits.TrailingZeros64(awakeVain)
		case awake>>k&1 == 0:
			k = bits.TrailingZeros64(awake)
			fallthrough
		default:
			n.outcome, n.backtrack = k, 1<<k
		}
		e.path = append(e.path, n)
		return n.outcome
	}
	n := &e.path[i]
	if n.hash != e.hash || n.candidates != candidates || n.vain != vain {
		e.fail(Nondeterministic, otherwise)
		return -1
	}
	d.forget()
	d.asleep |= n.done
	d.vain |= n.doneVain
	for s := n.done; s != 0; s &= s - 1 {
		u := bits.TrailingZeros64(s)
		d.did[u] = n.did[u]
		for _, x := range n.touched {
			if x.thread == u {
				d.touched = append(d.touched, x)
			}
		}
	}
	return n.outcome
}
