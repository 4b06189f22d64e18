package par

import "github.com/rouse-go/rouse/api/prim"

// A bell wakes a goroutine that waits until a stream has come to some element. One at a time
// waits there.
type bell struct {
	// at is twice the number of the element, and one more if the goroutine also wants to know
	// when no element waits to be begun; or 0 if nobody waits, for numbers begin with 1.
	//
	// Writers: the waiter; a goroutine that rings, by CAS to 0.
	// Readers: a goroutine that has changed what the waiter may wait for.
	// Pairs:   the one that waits stores it, then looks at what it waits for; others change
	// that, then read it. So one of the two finds the other.
	at prim.Int64
	// The first waiter makes parker. A permit may be left in it, so a waiter looks again.
	parker *prim.Parker
}

// set says what the caller waits for, before it looks a last time.
func (b *bell) set(number int64, hungry bool) {
	if b.parker == nil {
		b.parker = prim.NewParker()
	}
	at := number << 1
	if hungry {
		at |= 1
	}
	b.at.Store(at)
}

// wait waits until somebody rings.
func (b *bell) wait() { b.parker.Park() }

// ring wakes the one that waits, whatever for.
func (b *bell) ring() { b.ringAs(b.at.Load()) }

// ringFor wakes one that waits for this very element, and reports whether there was one.
func (b *bell) ringFor(number int64) bool {
	at := b.at.Load()
	return at>>1 == number && b.ringAs(at)
}

// ringUpTo wakes one that waits for this element, or for one below.
func (b *bell) ringUpTo(number int64) {
	if at := b.at.Load(); at>>1 <= number {
		b.ringAs(at)
	}
}

// ringHungry wakes one that wants to know when no element waits.
func (b *bell) ringHungry() {
	if at := b.at.Load(); at&1 != 0 {
		b.ringAs(at)
	}
}

func (b *bell) ringAs(at int64) bool {
	if at == 0 || !b.at.CompareAndSwap(at, 0) {
		return false
	}
	b.parker.Unpark()
	return true
}
