package pool

import (
	"math/bits"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// A guest seat is for a job that runs although no seat of a worker sleeps: a Run from outside, a job
// that goes on after a wait or Block, and one that a join or the queue begins beside others. It is a
// seat like any other, with a deque that thieves visit and an occupant that they ask for forks, but
// it has no place in the sleep backend, and never sleeps: a guest steals nothing but jobs of a scope that
// it waits for. Nobody waits for a seat, since there is always another guest's.
//
// Guests are numbered from the number of workers on, and a number is never taken away: a thief that
// comes late meets an empty deque, or the forks of the next guest there. A search must not pass by
// hundreds of guests that have left, or that never published anything. So it visits those that are
// shown: each has a bit, and those of 512 guests lie on a cache line. While the bit is 0, the deque is
// empty, and the flag of the occupant is up if somebody has the seat (G1): there is nothing to do. What
// keeps that, step by step:
//
//   - A worker that takes the seat stores itself as the occupant, then raises the flag.
//   - A guest that pushes a job then shows the seat, and then posts.
//   - A guest that lowers the flag then shows the seat, and then looks at the counts.
//   - A guest that leaves has an empty deque, which stays empty, since only the owner pushes. It runs no
//     job with the seat any more, and hides it.
//
// See "Guests" in INTERNALS.md for the pairs. Rejected: a list of guests that is copied on each
// change, which cost a fork of a guest more than that of a worker; one queue for the forks of all
// guests, which all of them wrote; a second level of bits, which spared a search a cache line for each 512
// guests that there ever were at once, and took a proof of its own.

// A block has the seats of 512 guests.
type block struct {
	// shown has a bit for each of them: see above.
	//
	// Writers: the guest, by show (Or) and hide (And).
	shown [8]prim.Uint64
	// free has a bit for each seat that was given back and not taken again.
	//
	// Writers: callers that take a seat (CAS), and guests that leave (Or).
	free  [8]prim.Uint64
	seats [512]prim.Pointer[seat]
}

type guests struct {
	// newDeque makes one for a seat, also of a worker. nobody stands for the worker of a guest that has left.
	newDeque func() api.Deque[Job]
	nobody   *Worker
	// blocks are those that there are. There is none until there is a guest.
	//
	// Writers: holders of mu. It only grows.
	blocks prim.Pointer[[]*block]

	_  [64]byte // all searches read the fields above
	mu prim.Mutex
	// made is how many seats there are. mu guards it.
	made int
	// full is how many words from the first one on have no free seat, as far as is known. A seat
	// that is given back there meanwhile may be missed, until the next one is.
	//
	// Writers: callers that take or give back a seat.
	full prim.Uint32
}

// all returns the blocks.
func (g *guests) all() []*block { return *g.blocks.Load() }

// seat returns the n-th seat, for thieves.
func (p *Pool) seat(n int) *seat {
	if n < len(p.seats) {
		return p.seats[n]
	}
	n -= len(p.seats)
	return p.guests.all()[n>>9].seats[n&511].Load()
}

// guestSeat returns a guest seat that nobody has, about the first one: so the same few are used. The
// caller is a job that has entered, or has a seat, or has claimed a job that has entered: so Close waits
// for this one, too.
func (p *Pool) guestSeat() *seat {
	p.shutdown.lives.Add(1)
	g := &p.guests
	all := g.all()
	for k := g.full.Load(); int(k) < len(all)<<3; k++ {
		at := all[k>>3]
		word, first := &at.free[k&7], k&7<<6
		for free := word.Load(); free != 0; free = word.Load() {
			if word.CompareAndSwap(free, free&(free-1)) {
				return at.seats[int(first)+bits.TrailingZeros64(free)].Load()
			}
		}
		if at.seats[first+63].Load() == nil {
			break // the next one is made here
		}
		g.full.CompareAndSwap(k, k+1)
	}
	return p.newGuest()
}

// newGuest makes a seat.
func (p *Pool) newGuest() *seat {
	g := &p.guests
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.made
	s := p.newSeat(len(p.seats) + n)
	if s == nil {
		panic(noDeque)
	}
	g.made++
	if n>>9 == len(g.all()) {
		all := append(g.all(), new(block)) // readers of the old header do not look beyond its length
		prim.Declare(all[n>>9])
		g.blocks.Store(&all)
	}
	s.home = g.all()[n>>9]
	s.home.seats[n&511].Store(s)
	return s
}

// isGuest reports whether the seat is a guest's.
func (s *seat) isGuest() bool { return s.home != nil }

// guestPlace returns the number of a guest, and the word and the bit that it has in its block.
func (s *seat) guestPlace() (n, word int, bit uint64) {
	n = s.index - len(s.pool.seats)
	return n, n >> 6 & 7, 1 << (n & 63)
}

// hide has searches pass by the guest, whose deque is empty and whose flag is up.
func (s *seat) hide() {
	_, word, bit := s.guestPlace()
	if shown := &s.home.shown[word]; shown.Load()&bit != 0 {
		shown.And(^bit)
	}
}

// shownGuests yields the numbers of the guests that are shown. Each turn begins with another one.
func (p *Pool) shownGuests(turn uint64, yield func(n int) bool) {
	first := int(turn & 63)
	for b, of := range p.guests.all() {
		for k := range of.shown {
			for shown := bits.RotateLeft64(of.shown[k].Load(), -first); shown != 0; shown &= shown - 1 {
				if n := b<<9 | k<<6 | (bits.TrailingZeros64(shown)+first)&63; !yield(len(p.seats) + n) {
					return
				}
			}
		}
	}
}

// leaveGuestSeat gives a guest seat back. If there are jobs in its deque that nobody has begun, which were
// spawned into a scope around, or met by a wait for a scope, a new goroutine goes on with it first.
func (s *seat) leaveGuestSeat() {
	if j := s.takeLocal(); j != nil {
		s.start(j)
		return
	}
	s.hide()
	p := s.pool
	g := &p.guests
	n, word, bit := s.guestPlace()
	if s.maxWorkers() == 0 {
		s.occupant.Store(g.nobody)
	}
	s.home.free[word].Or(bit)
	for full := g.full.Load(); full > uint32(n>>6); full = g.full.Load() {
		if g.full.CompareAndSwap(full, uint32(n>>6)) {
			break
		}
	}
	p.shutdown.lives.Done()
}

// warmGuests is how many guests keep a worker with its frames for the next one.
const warmGuests = 16

// maxWorkers returns how many workers the seat keeps.
func (s *seat) maxWorkers() int {
	if !s.isGuest() {
		return maxSpares
	}
	if n, _, _ := s.guestPlace(); n < warmGuests {
		return 1
	}
	return 0
}

// eachSeat yields the seats of all workers, and those of guests, whether somebody has them or not.
func (p *Pool) eachSeat(yield func(s *seat) bool) {
	for _, s := range p.seats {
		if !yield(s) {
			return
		}
	}
	for _, of := range p.guests.all() {
		for i := range of.seats {
			if s := of.seats[i].Load(); s == nil || !yield(s) {
				return
			}
		}
	}
}

// takeWorkerSeat has a guest whose deque is empty go on with the seat of a worker that sleeps, if there is one.
// It is called where somebody asks for forks, before a spawned job is pushed, and after Block, a wait, or a Run.
func (w *Worker) takeWorkerSeat() {
	s := w.seat
	if w.state == blocked || !s.isGuest() || s.deque.Len() > 0 {
		return
	}
	if r := w.pool.borrow(); r != nil {
		w.detach()
		s.leaveGuestSeat()
		w.sitOn(r)
	}
}

// moveToGuestSeat publishes all forks of the job, and leaves the seat of a worker to others: the job lies
// beneath one that is about to wait, on the same goroutine. It counts as blocked until it goes on.
func (w *Worker) moveToGuestSeat() {
	w.publishAll()
	w.setState(covered)
	if s := w.seat; !s.isGuest() {
		w.detach()
		w.sitOn(w.pool.guestSeat())
		s.handOff()
	}
}
