package par

import (
	"reflect"

	"github.com/rouse-go/rouse/api/prim"
)

// A loan is the buffer of a sort, or of one that has ended: so most short sorts need not make
// one, which takes longer than to sort elements nearly in order.
type loan struct{ of any }

// loanMost is how many bytes are kept, at most.
const loanMost = 1 << 17

// spareLoan is there for the next sort of the same type.
//
// Writers: a sort that takes it, and one that puts one there.
// Pairs:   the Store with the Swap that takes it.
var spareLoan prim.Pointer[loan]

// borrow returns a buffer of n elements for a caller that writes each of them before it reads
// it, and that may give it back. One that is too large to be kept is no loan.
func borrow[E any](n int) ([]E, *loan) {
	if n*int(reflect.TypeFor[E]().Size()) > loanMost {
		return uncleared[E](n), nil
	}
	if l := spareLoan.Swap(nil); l != nil {
		if all, ok := l.of.([]E); ok && len(all) >= n {
			return all[:n], l
		}
	}
	all := make([]E, n)
	return all, &loan{all}
}

// giveBack keeps what was borrowed, without a pointer in it.
func giveBack[E any](buf []E, l *loan) {
	if l != nil {
		if pointers(reflect.TypeFor[E]()) {
			clear(buf)
		}
		spareLoan.Store(l)
	}
}
