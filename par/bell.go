package par

import "github.com/rouse-go/rouse/api/prim"

// A bell wakes a goroutine that waits until a stream has come to some element. One at a time
// waits there.
type bell struct {
	// at is twice the number of the element, and one more if the goroutine also wants to know
	// when few elements wait to be begun; or 0 if nobody waits, for numbers begin with 1.
	//
	// Writers: the waiter; a goroutine that rings, by CAS to 0.
	// Readers: a goroutine that has changed what the waiter may wait for.
	// Pairs:   the one that waits stores it, then looks at what it waits for; others change
	// that, then read it. So one of the two finds the other.
	at prim.Int64
	// The first waiter makes parker. A permit may be left in it, so a waiter looks again.
	parker *prim.Parker
}

// wait waits by block until somebody rings, unless what the caller waits for is already so. Soon after
// it has become so somebody rings.
func (b *bell) wait(number int64, hungry bool, already func() bool, block func(func())) {
	if b.parker == nil {
		b.parker = prim.NewParker()
	}
	at := number << 1
	if hungry {
		at |= 1
	}
	if b.at.Store(at); !already() {
		block(b.parker.Park)
	}
	b.at.Store(0)
}

// ring wakes the one that waits, whatever for.
func (b *bell) ring() { b.ringAs(b.at.Load()) }

// ringFor wakes one that waits for this very element, and reports whether there was one.
func (b *bell) ringFor(number int64) bool {
	at := b.at.Load()
	return at>>1 == number && b.ringAs(at)
}

// ringHungry wakes one that wants to know when few elements wait.
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
