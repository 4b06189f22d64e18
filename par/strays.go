package par

// A strays is a pass over elements that ascend but for a few. It takes out those that are less
// than one before, and those that are more than most that follow. So it keeps the others, which
// ascend, in their order.
//
// Strays that are too high come first then, and those that are too low come last, each in the
// order in which they were. So no element passes its equal:
//
//   - One that is too low is less than all that are kept after it, so its equals are before.
//   - One is too high for the next element, and the one that is kept before it is not. So its
//     equals that are kept come after it.
//   - As one that is too low is taken out, a greater one is kept, and fixed. All that are
//     looked at later and are kept, if only for a while, are not less than that. So a later one
//     that is too high is greater.
type strays[E any] struct {
	s   []E
	buf []E // the low ones from the beginning, and the high ones from the end, the last one first
	// s[:kept] are kept, and s[at:] have not been looked at. Those from fixed on may prove too high.
	kept, fixed, at int
	low, high       int // how many have been taken out
}

// butForStrays sorts s if it ascends but for some strays, and reports whether it did. The first
// known elements ascend. It sorts the strays by sort.
func butForStrays[E any](s []E, known int, by order[E], sort func([]E)) bool {
	buf, loan := borrow[E](straysFew + len(s)/by.strays + strayLook)
	a := strays[E]{s: s, buf: buf, kept: known, at: known}
	a.pass(by)
	giveBack(buf, loan)
	if a.at < len(s) {
		return false
	}
	lo, hi := a.high, a.high+a.kept
	sort(s[:lo])
	sort(s[hi:])
	meld(s[:hi], lo, by.cmp)
	meld(s, hi, by.cmp)
	return true
}

// pass looks at all elements, until there are too many strays.
func (a *strays[E]) pass(by order[E]) {
	defer a.putBack()
	s := a.s
	for a.at < len(s) && a.low+a.high <= straysFew+a.at/by.strays {
		if a.kept == 0 || by.cmp(s[a.at], s[a.kept-1]) >= 0 {
			n := by.ascends(s[a.at:])
			if a.kept < a.at {
				copy(s[a.kept:], s[a.at:a.at+n])
			}
			a.at, a.kept = a.at+n, a.kept+n
			if a.at == len(s) {
				return
			}
		}
		at, kept := a.at, a.kept
		// Either those before are too high for most that follow, or those that follow are too low.
		high, low, below := 1, 1, 1
		for high < strayLook && high < kept && by.cmp(s[at], s[kept-1-high]) < 0 {
			high++
		}
		for i := 1; i < strayLook && at+i < len(s) && below <= high && high < below+strayLook-i; i++ {
			if by.cmp(s[at+i], s[kept-1]) < 0 {
				below++
			}
		}
		if high < below && kept-high >= a.fixed {
			for _, x := range s[kept-high : kept] {
				a.high++
				a.buf[len(a.buf)-a.high] = x
			}
			a.kept -= high
			continue
		}
		for low < strayLook && at+low < len(s) && by.cmp(s[at+low], s[kept-1]) < 0 {
			low++
		}
		a.low += copy(a.buf[a.low:], s[at:at+low])
		a.at += low
		a.fixed = kept
	}
}

// putBack puts the strays back, also if cmp panics.
func (a *strays[E]) putBack() {
	if a.low+a.high == 0 {
		return
	}
	copy(a.s[a.high:], a.s[:a.kept])
	for i := range a.high {
		a.s[i] = a.buf[len(a.buf)-1-i]
	}
	copy(a.s[a.high+a.kept:], a.buf[:a.low])
}
