// Package spell leaves numbers on the stack, and knows what they stand for.
//
// A function that is called without a worker may be on the goroutine of one: then some calls go on as
// that, and one that waits must leave its seat. Go has no goroutine-local storage, but a goroutine has a
// stack: a worker calls through functions that spell its number, a digit each, and a look at the
// stack reads it back. To spell costs a few calls. The look costs more the deeper the worker is. It
// is taken only where a caller is about to block, or says that it is a job.
package spell

import (
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
)

// A Body runs while a number is on the stack.
type Body interface{ Run() }

// Call runs b with the number on the stack, which is not 0. The lowest digit is called first.
func Call(number uint32, b Body) { next(number)(number/16, b) }

// next returns the function for the lowest digit of what is left of a number.
func next(rest uint32) func(rest uint32, b Body) {
	if rest == 0 {
		return spelled
	}
	return digits[rest%16]
}

// spelled is called when the whole number is on the stack. That refers to b for as long as it
// spells the number, also when a panic or a Goexit passes: see [Lose].
//
//go:noinline
func spelled(_ uint32, b Body) {
	b.Run()
	runtime.KeepAlive(b)
}

// The table is filled in init: its functions refer to it through next.
var digits [16]func(rest uint32, b Body)

//go:noinline
func digit0(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit1(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit2(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit3(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit4(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit5(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit6(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit7(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit8(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digit9(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digitA(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digitB(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digitC(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digitD(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digitE(rest uint32, b Body) { next(rest)(rest/16, b) }

//go:noinline
func digitF(rest uint32, b Body) { next(rest)(rest/16, b) }

// letters has the digit for each return address in spelled and in the functions of digits, and
// letterOf that for each name of these. Each makes one call. spelled is a 0: it comes before the highest
// digit. All addresses lie between firstLetter and lastLetter, and little else does.
var (
	letters                 = make(map[uintptr]uint32)
	letterOf                = make(map[string]uint32)
	firstLetter, lastLetter = ^uintptr(0), uintptr(0)
)

func init() {
	digits = [...]func(uint32, Body){
		digit0, digit1, digit2, digit3, digit4, digit5, digit6, digit7,
		digit8, digit9, digitA, digitB, digitC, digitD, digitE, digitF,
	}
	// Each function learns its own address by being run.
	for i := range uint32(len(digits)) {
		var l learner
		Call(i+16, &l) // the digit i, then a one
		letters[l[0]], letters[l[2]] = 0, i
	}
	for pc, letter := range letters {
		letterOf[runtime.FuncForPC(pc-1).Name()] = letter
		firstLetter, lastLetter = min(firstLetter, pc), max(lastLetter, pc)
	}
}

// A learner notes the return addresses in the functions that called it: spelled, digit1, the digit to
// be learnt.
type learner [3]uintptr

func (l *learner) Run() { prim.Callers(1, l[:]) }

// Numbers yields the numbers on the calling goroutine's stack, innermost first. It looks at the
// nearest frames first: most callers need one number, which is among those, and the stack of a
// recursion is long.
func Numbers(yield func(number uint32) bool) {
	var near [nearFrames]uintptr
	pcs, yielded := near[:], 0
	for {
		n := prim.Callers(1, pcs)
		found, number, open := 0, uint32(0), false
		for _, pc := range pcs[:n] {
			letter, ok := uint32(0), false
			if firstLetter <= pc && pc <= lastLetter {
				letter, ok = letters[pc]
			}
			switch {
			case ok:
				number, open = number<<4|letter, true
			case open: // Something has called Call: so a number that ends with pcs is never yielded.
				if found++; found > yielded && !yield(number) {
					return
				}
				number, open = 0, false
			}
		}
		if n < len(pcs) {
			return
		}
		yielded = found
		pcs = make([]uintptr, 8*len(pcs))
	}
}

// nearFrames is more than there are between a parallel loop and the one around it, if user code
// adds as many as package par does.
const nearFrames = 48

// Cut is for the text of a stack, of which a call has two lines. It returns the number that the first
// calls spell, and the lines beneath these; or 0 and all lines.
func Cut(lines []string) (number uint32, beneath []string) {
	for len(lines) > 1 {
		name, _, _ := strings.Cut(lines[0], "(")
		letter, ok := letterOf[name]
		if !ok {
			break
		}
		number, lines = number<<4|letter, lines[2:]
	}
	return number, lines
}
