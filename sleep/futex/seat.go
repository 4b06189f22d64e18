package futex

import "github.com/rouse-go/rouse/api/prim"

// A seat is where a worker sleeps.
type seat struct {
	// word is what the sleeper waits on, while it is not awake.
	//
	// Writers: the sleeper (to asleep, and back to awake by its own claim);
	// wakers (to claimed, then awake); borrowers (to lent, then back to asleep).
	// Pairs: the store of asleep, then B5, with a push, then A2 to A4.
	word prim.Uint32
	// parker is nil where the sleeper blocks in the kernel.
	parker *prim.Parker
	meter  *meter
	_      [64]byte // neighbours are woken by others
}

func (p *seat) init(thread bool, m *meter) {
	p.meter = m
	if !thread {
		p.parker = prim.NewParker()
	}
}

// block waits until the word is awake. Whatever makes a wait return early, a
// signal, a change before the wait or a stale permit, is not a wake: only the
// word says.
func (p *seat) block() {
	word := p.word.Load()
	if word == awake {
		return
	}
	p.meter.parks.Add(1)
	for ; word != awake; word = p.word.Load() {
		if p.parker != nil {
			p.parker.Park()
		} else {
			p.meter.syscalls.Add(1)
			futexWait(&p.word, word)
		}
	}
}

// wake lets the sleeper look at its word again.
func (p *seat) wake() {
	if p.parker != nil {
		p.parker.Unpark()
	} else {
		p.meter.syscalls.Add(1)
		futexWake(&p.word)
	}
}
