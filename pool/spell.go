package pool

import (
	"runtime"
	"weak"

	"github.com/rouse-go/rouse/api/prim"
)

// A function that is called without a worker may be on the goroutine of one: then some calls go on as
// that, and one that waits must leave its seat. Go has no goroutine-local storage, but a goroutine has a
// stack: a worker calls through functions that spell its number, a digit each, and a look at the
// stack reads it back. To spell costs a few calls. The look costs more the deeper the worker is. It
// is taken only where a caller is about to block, or says that it is a job.

// A body runs while a number is on the stack.
type body interface{ run(w *Worker) }

// spell runs b with the number rest on the stack.
//
//go:noinline
func spell(w *Worker, rest uint32, b body) {
	if rest == 0 {
		spelled(w, b)
		return
	}
	digits[rest%16](w, rest/16, b)
}

// spelled is called when the whole number is on the stack. That refers to b for as long as it
// spells the number, also when a panic or a Goexit passes: see lostID.
//
//go:noinline
func spelled(w *Worker, b body) {
	b.run(w)
	runtime.KeepAlive(b)
}

// The table is filled in init: its functions refer to it through spell.
var digits [16]func(*Worker, uint32, body)

//go:noinline
func digit0(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit1(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit2(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit3(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit4(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit5(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit6(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit7(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit8(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digit9(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digitA(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digitB(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digitC(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digitD(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digitE(w *Worker, rest uint32, b body) { spell(w, rest, b) }

//go:noinline
func digitF(w *Worker, rest uint32, b body) { spell(w, rest, b) }

// letters has the meaning of a return address on the stack: 0 to 15 a digit, or
// one of these. Each of the functions makes one call, but for spell, which makes
// two. All lie between firstLetter and lastLetter, and little else does.
const (
	letterBegin = 16 // spelled: digits follow, the highest first
	letterSpell = 17 // between two digits
)

var (
	letters                 map[uintptr]int
	firstLetter, lastLetter uintptr
)

func init() {
	digits = [...]func(*Worker, uint32, body){
		digit0, digit1, digit2, digit3, digit4, digit5, digit6, digit7,
		digit8, digit9, digitA, digitB, digitC, digitD, digitE, digitF,
	}
	// Each function learns its own address by being run.
	letters = make(map[uintptr]int)
	for i := range digits {
		var l learner
		spell(nil, uint32(i)+16, &l) // the digit i, then a one
		letters[l[0]] = letterBegin
		letters[l[1]], letters[l[3]] = letterSpell, letterSpell
		letters[l[4]] = i
	}
	firstLetter = ^uintptr(0)
	for pc := range letters {
		firstLetter, lastLetter = min(firstLetter, pc), max(lastLetter, pc)
	}
}

// A learner notes the return addresses in the functions that called it: spelled,
// spell, digit1, spell, the digit to be learnt.
type learner [5]uintptr

func (l *learner) run(*Worker) { prim.Callers(1, l[:]) }

// spelt yields the numbers on the calling goroutine's stack, innermost first. It looks at the
// nearest frames first: most callers need one number, which is among those, and the stack of a
// recursion is long.
func spelt(yield func(number uint32) bool) {
	var near [nearFrames]uintptr
	pcs, yielded := near[:], 0
	for {
		n := prim.Callers(1, pcs)
		numbers, open := read(pcs[:n])
		whole := n < len(pcs)
		if open && !whole {
			numbers = numbers[:len(numbers)-1]
		}
		for _, number := range numbers[yielded:] {
			if !yield(number) {
				return
			}
		}
		if whole {
			return
		}
		yielded = len(numbers)
		pcs = make([]uintptr, 8*len(pcs))
	}
}

// nearFrames is more than there are between a parallel loop and the one around it, if user code
// adds as many as package par does.
const nearFrames = 48

// read returns the numbers that the return addresses spell, and whether the last one may go on
// beyond them.
func read(pcs []uintptr) (numbers []uint32, open bool) {
	for _, pc := range pcs {
		if pc < firstLetter || pc > lastLetter {
			open = false
			continue
		}
		switch letter, ok := letters[pc]; {
		case ok && letter == letterBegin:
			open = true
			numbers = append(numbers, 0)
		case !open || ok && letter == letterSpell:
		case ok:
			last := &numbers[len(numbers)-1]
			*last = *last<<4 | uint32(letter)
		default:
			open = false
		}
	}
	return numbers, open
}

// workerIDs knows the workers of all pools by number, but keeps none of them in memory. So a pool
// that is forgotten at rest, without a goroutine, is collected; and one with goroutines shows in a
// profile of leaks, which are goroutines that nothing can wake any more.
var workerIDs idTable

type idTable struct {
	mu prim.Mutex
	// all has the place of each number, and none for those that are free or lost. There is no
	// number 0.
	all  []idPlace
	used int // how many have a place
	free idHeap
	// enough is how many numbers there may be in use before somebody looks for those of
	// pools that are gone.
	enough int
}

// An idPlace is where a worker is found: in the list of its pool.
type idPlace struct {
	of   weak.Pointer[poolIDs]
	slot int
}

// A poolIDs has the workers of one pool that have a number, some of them twice, and nil for a
// goroutine that reports a panic. A weak pointer to each would cost New a third of its time.
// The lock of the table guards it.
type poolIDs struct {
	self  weak.Pointer[poolIDs]
	slots []*Worker
	free  []int
}

// add gives a number to w, or to a goroutine of the pool that is no worker, if w is nil. The
// number is not 0, so that it has a digit, and not in use: the smallest that was dropped, or a
// new one.
func (t *idTable) add(of *poolIDs, w *Worker) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used >= t.enough {
		t.prune()
	}
	var number uint32
	if len(t.free) > 0 {
		number = t.free.take()
	} else {
		number = uint32(len(t.all))
		t.all = append(t.all, idPlace{})
	}
	t.used++
	t.all[number] = of.add(w)
	return number
}

// prune drops the numbers of pools that were collected and never closed. There are at most about
// as many of these as others.
func (t *idTable) prune() {
	if t.all == nil {
		t.all = make([]idPlace, 1)
	}
	for number, at := range t.all {
		if at != (idPlace{}) && at.of.Value() == nil {
			t.clear(uint32(number))
			t.free.add(uint32(number))
		}
	}
	t.enough = max(fewNumbers, 2*t.used)
}

// fewNumbers is how many there may be without a look at them.
const fewNumbers = 1024

// drop makes the number stand for nothing, until it is given out again: no stack spells it
// any more.
func (t *idTable) drop(number uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clear(number)
	t.free.add(number)
}

// A lostID is a number that stands for nothing, but that a stack still spells: a look there must
// not take it for another worker's. The stack refers to the lostID (see spelled), and once that is
// garbage, the number can be given out again.
//
// It has a pointer, which nobody reads: a value so small without one may share its memory with
// others, and is garbage only when they are.
type lostID struct{ of *idTable }

// lose is drop for a number that a stack still spells, and may for long. That stack must refer to
// the returned lostID.
func (t *idTable) lose(number uint32) *lostID {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clear(number)
	l := &lostID{t}
	prim.AddCleanup(l, t.find, number)
	return l
}

// find gives a number back that was lost.
func (t *idTable) find(number uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free.add(number)
}

// clear makes the number stand for nothing.
func (t *idTable) clear(number uint32) {
	at := t.all[number]
	if l := at.of.Value(); l != nil {
		l.drop(at.slot)
	}
	t.all[number] = idPlace{}
	t.used--
}

// get returns the worker with the number, or nil.
func (t *idTable) get(number uint32) *Worker {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.at(number)
	if l := at.of.Value(); l != nil {
		return l.slots[at.slot]
	}
	return nil
}

// has reports whether the number is one of the pool with these.
func (t *idTable) has(number uint32, of *poolIDs) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at(number).of.Value() == of
}

// at returns the place of a number that a stack spells. It may be no number at all.
func (t *idTable) at(number uint32) (at idPlace) {
	if int64(number) < int64(len(t.all)) {
		at = t.all[number]
	}
	return at
}

func (l *poolIDs) add(w *Worker) idPlace {
	n := len(l.free)
	if n == 0 {
		l.slots = append(l.slots, w)
		return idPlace{l.self, len(l.slots) - 1}
	}
	slot := l.free[n-1]
	l.free = l.free[:n-1]
	l.slots[slot] = w
	return idPlace{l.self, slot}
}

func (l *poolIDs) drop(slot int) {
	l.slots[slot] = nil
	l.free = append(l.free, slot)
}

// An idHeap has the numbers that may be given out again, the smallest first: the slice is a heap.
// So no more numbers are in use than there ever were workers at once, and a profiler, which sees
// the number on each stack, sees no more different stacks.
type idHeap []uint32

func (n *idHeap) add(number uint32) {
	h := append(*n, number)
	for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	*n = h
}

// take returns the smallest number. There is one.
func (n *idHeap) take() uint32 {
	h := *n
	smallest := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child] < h[least] {
				least = child
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*n = h
	return smallest
}
