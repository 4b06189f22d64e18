package pool

import (
	"runtime"

	"github.com/rouse-go/rouse/api/prim"
)

// A function that is called without a worker, but on the goroutine of one, must
// be told apart from one outside: it may not wait for a seat that its own caller
// holds. Go has no goroutine-local storage, but a goroutine has a stack: a worker
// calls through functions that spell its number, a digit each, and a look at the
// stack reads it back. To spell costs a few calls; the look takes longer the further
// the worker is, and is taken only where a caller would otherwise block or says that it is
// a job.

// spell runs t with the number rest on the stack.
//
//go:noinline
func spell(w *Worker, rest uint32, t task) {
	if rest == 0 {
		spelled(w, t)
		return
	}
	digits[rest%16](w, rest/16, t)
}

// spelled is called when the whole number is on the stack. That refers to t for as long as it
// spells the number, also when a panic or a Goexit passes: see lostNumber.
//
//go:noinline
func spelled(w *Worker, t task) {
	t.run(w)
	runtime.KeepAlive(t)
}

// The table is filled in init: its functions refer to it through spell.
var digits [16]func(*Worker, uint32, task)

//go:noinline
func digit0(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit1(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit2(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit3(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit4(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit5(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit6(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit7(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit8(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digit9(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digitA(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digitB(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digitC(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digitD(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digitE(w *Worker, rest uint32, t task) { spell(w, rest, t) }

//go:noinline
func digitF(w *Worker, rest uint32, t task) { spell(w, rest, t) }

// letters tells what a return address on the stack stands for: 0 to 15 a digit, or
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
	digits = [...]func(*Worker, uint32, task){
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

func (l *learner) done(*Worker, *failure) {}

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
