package pool

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/pool/record"
)

// CheckStack returns what is wrong with the stack. Who calls it is the worker, or
// comes after the pool was closed.
func (s *stack) CheckStack() error {
	bottom := s.bottom()
	if s.public < bottom || s.public > s.head || int(uint32(s.head)) > len(s.frames) {
		return fmt.Errorf("head %d and public %d with %d slots", s.head-bottom, s.public-bottom, len(s.frames))
	}
	newest, above := uint64(0), false
	for i, frame := range s.frames {
		f, position := frame.header(), bottom+uint64(i)
		live := position < s.head && f.seq != 0
		switch number := f.seq &^ guarded; {
		case f.position != position:
			return fmt.Errorf("the frame in slot %d takes itself to be in %d", i, f.position-bottom)
		case live && (number <= newest || number > s.seq):
			return fmt.Errorf("fork %d lies above fork %d, and %d is the newest", number, newest, s.seq)
		case live && (f.seq&guarded != 0) != (above || position < s.public):
			return fmt.Errorf("the frame in slot %d is guarded: %t; above a hole %t, public %t", i, f.seq&guarded != 0, above, position < s.public)
		case live:
			newest = number
		case position < s.head && !allCleared(frame):
			return fmt.Errorf("slot %d is a hole, but keeps what the user handed over", i)
		}
		above = !live
		if position+1 == s.head && !live {
			return fmt.Errorf("the slot below head, %d, is a hole", i)
		}
	}
	return s.checkHoles()
}

// checkHoles returns what is wrong with the rows of holes.
func (s *stack) checkHoles() error {
	isHole := func(position uint64) bool { return position < s.head && s.frameAt(position).seq == 0 }
	for p := s.bottom(); p < s.head; p++ {
		if !isHole(p) {
			continue
		}
		first := p
		for isHole(p + 1) {
			p++
		}
		if f, l := s.otherEnd(s.frameAt(p)), s.otherEnd(s.frameAt(first)); f != first || l != p {
			return fmt.Errorf("the holes from %d to %d take themselves to go from %d to %d", uint32(first), uint32(p), uint32(f), uint32(l))
		}
	}
	return nil
}

// cleared reports whether the frame refers to nothing of the user's.
func (f *typedFrame[A, R]) cleared() bool {
	return f.fn == nil && f.failed == nil && reflect.ValueOf(&f.arg).Elem().IsZero() && reflect.ValueOf(&f.result).Elem().IsZero()
}

// allCleared says the same of the frame and of those that its slot had before.
func allCleared(f frame) bool {
	for ; f != nil; f = f.header().other {
		if !f.(interface{ cleared() bool }).cleared() {
			return false
		}
	}
	return true
}

// CheckStacks returns what is wrong with the stacks of a closed pool, which are
// to be empty.
func (p *Pool) CheckStacks() error {
	for i, s := range p.seats {
		for _, w := range s.spares.workers {
			if err := w.stack.CheckStack(); err != nil {
				return fmt.Errorf("seat %d: %w", i, err)
			}
			if n := w.Depth(); n != 0 {
				return fmt.Errorf("seat %d: %d slots in use", i, n)
			}
		}
	}
	return nil
}

// A looked is a frame that counts how often it is looked at.
type looked struct {
	fork
	looks *int
}

func (l *looked) header() *fork                           { *l.looks++; return &l.fork }
func (l *looked) run(*Worker)                             {}
func (l *looked) done(*Worker, *failure)                  {}
func (l *looked) about() (record.JobKind, uintptr, *seat) { return 0, 0, nil }
func (l *looked) drop()                                   {}
func (l *looked) join(*Worker)                            {}
func (l *looked) cleared() bool                           { return true }

// A pile is a stack without a worker: forks are made, published and joined, and do nothing.
type pile struct {
	stack
	t *testing.T
	// looks counts the looks at frames, forks the forks.
	looks, forks int
}

func newPile(t *testing.T) *pile {
	p := &pile{t: t}
	p.init(7)
	return p
}

func (p *pile) fork() *fork {
	i := uint32(p.head)
	if int(i) == len(p.frames) {
		p.frames = append(p.frames, &looked{fork: fork{position: p.head}, looks: &p.looks})
	}
	f := &p.frames[i].(*looked).fork
	p.seq += seqStep
	f.seq = p.seq
	p.head++
	p.forks++
	return f
}

// publish makes the oldest private fork public.
func (p *pile) publish() {
	if p.skipHoles(); p.public < p.head {
		p.frameAt(p.public).seq |= guarded
		p.public++
	}
}

// join takes a fork off, on the short way where Forked.Join does.
func (p *pile) join(f *fork) {
	if p.head == f.position+1 && f.seq&guarded == 0 {
		p.head--
		return
	}
	p.remove(f)
}

// check looks at all, and counts none of these looks.
func (p *pile) check(what string) {
	p.t.Helper()
	looks := p.looks
	if err := p.CheckStack(); err != nil {
		p.t.Fatalf("P1: %s: %v", what, err)
	}
	p.looks = looks
}

// cost checks what all joins together have cost. A join out of order looks at five
// frames, and its hole pays for two slots of a move, with two looks at most each. To close a row
// and to pass by it takes one more each; a fork is made public once.
func (p *pile) cost(what string) {
	p.t.Helper()
	if most := 12 * p.forks; p.looks > most {
		p.t.Errorf("Holes: %s: %d forks took %d looks at frames, want at most %d: joins in this order are not linear", what, p.forks, p.looks, most)
	}
}

// Orders in which n forks that were made one after the other are joined: which one is the i-th.
var orders = map[string]func(n, i int) int{
	"newest first": func(n, i int) int { return n - 1 - i },
	"oldest first": func(_, i int) int { return i },
	"two batches, the older first, each newest first":     func(n, i int) int { return (n/2 - 1 - i + n) % n },
	"batches of 100, the oldest first, each newest first": func(_, i int) int { return i + 99 - 2*(i%100) },
	"batches of 100, the newest first, each oldest first": func(n, i int) int { return n - 100 - i + 2*(i%100) },
	"all but the newest, newest first":                    func(n, i int) int { return (2*n - 2 - i) % n },
	"every other one, oldest first, then the rest":        func(n, i int) int { return 2*i%n + 2*i/n },
	"from the middle, by turns":                           func(n, i int) int { return n/2 + (i+1)/2*(1-2*(i%2)) },
	"from both ends, by turns":                            func(n, i int) int { return i/2*(1-i%2) + (n-1-i/2)*(i%2) },
	"scattered":                                           func(n, i int) int { return 1237 * i % n },
}

// If this fails, an order of joins takes time that grows with the square of the forks.
func TestJoinsAreLinear(t *testing.T) {
	for name, order := range orders {
		// How many of the forks are public before the joins, and how many become so with each.
		for _, public := range []struct{ before, each int }{{0, 0}, {1000, 0}, {2000, 0}, {100, 1}} {
			what := fmt.Sprintf("%s, of 2000 forks %d public, and %d more with each join", name, public.before, public.each)
			p := newPile(t)
			const n = 2000
			var forks [n]*fork
			for i := range forks {
				forks[i] = p.fork()
			}
			for range public.before {
				p.publish()
			}
			for i := range n {
				j := order(n, i)
				p.join(forks[j])
				for range public.each {
					p.publish()
				}
				if i%97 == 0 {
					p.check(what)
				}
			}
			p.check(what)
			p.cost(what)
		}
	}
}

// A job has a hundred forks, and makes a new one for each that it joins. If this fails, its stack is much
// higher than that, or grows on and on.
func TestHolesAreFew(t *testing.T) {
	const n = 100
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		which string
		next  func() int // of the forks that there are, the oldest first
		most  int
	}{
		{"the oldest", func() int { return 0 }, 2 * n},
		{"the one in the middle", func() int { return n / 2 }, 2 * n},
		{"the newest but one", func() int { return n - 2 }, 2 * n},
		{"any", func() int { return rng.IntN(n) }, 15 * n},
	} {
		p := newPile(t)
		var live []*fork
		for range 100 * n {
			for len(live) < n {
				live = append(live, p.fork())
			}
			i := c.next()
			p.join(live[i])
			live = slices.Delete(live, i, i+1)
			if slots := int(uint32(p.head)); slots > c.most {
				t.Fatalf("Holes: of %d forks the job joins %s: %d slots are in use, want at most %d", n, c.which, slots, c.most)
			}
		}
		p.check(c.which)
	}
}

// Random programs: jobs that fork, publish, join their own forks in any order, and are
// run on top of each other.
func TestJoinsOfPrograms(t *testing.T) {
	for seed := range uint64(300) {
		p, rng := newPile(t), rand.New(rand.NewPCG(seed, 3))
		what := fmt.Sprintf("seed %d", seed)
		p.play(what, rng, 2000, 0)
		equal(t, p.head, p.bottom(), "P1: %s: the head, when all is joined, is", what)
		p.cost(what)
	}
}

// play is a job of so many moves. All jobs together make no more than 2000 forks or so.
func (p *pile) play(what string, rng *rand.Rand, moves, depth int) {
	limit := p.head
	var live []*fork
	for ; moves > 0 && p.forks < 2000; moves-- {
		switch rng.IntN(6) {
		case 0, 1:
			for range 1 + rng.IntN(1<<rng.IntN(9)) {
				live = append(live, p.fork())
			}
		case 2:
			for range rng.IntN(4) {
				p.publish()
			}
		default:
			order := rng.IntN(5)
			for n := rng.IntN(len(live) + 1); n > 0; n-- {
				last := len(live) - 1
				i := [...]int{last, 0, last / 2, rng.IntN(last + 1), max(0, last-1)}[order]
				f := live[i]
				live = slices.Delete(live, i, i+1)
				p.join(f)
				if depth < 5 && rng.IntN(30) == 0 {
					p.play(what, rng, rng.IntN(20), depth+1)
				}
			}
		}
		p.check(what)
	}
	for range live { // as settle does
		p.join(&p.frames[uint32(p.head-1)].(*looked).fork)
	}
	p.check(what)
	check(p.t, p.head == limit,
		"P1: %s: a job ends %d slots above where it began, want 0: what lay beneath was moved", what, int64(p.head-limit))
}

// If this fails, a panic in the function of Join or Scope takes time for each hole beneath
// what that has forked, or drops what was forked before.
func TestSinceOverHoles(t *testing.T) {
	p := newPile(t)
	var forks [1000]*fork
	for i := range forks {
		forks[i] = p.fork()
	}
	for i := 699; i >= 450; i-- {
		p.join(forks[i])
	}
	for i := 999; i > 700; i-- {
		p.join(forks[i])
	}
	p.check("250 holes beneath the newest fork")
	p.looks = 0
	if at, want := p.since(forks[449].seq), forks[449].position+1; at != want {
		t.Errorf("P2: since the fork beneath 250 holes, the newer ones begin at slot %d, want %d", uint32(at), uint32(want))
	}
	expect(t, p.looks <= 3,
		"Holes: to find the fork above 250 holes takes %d looks at frames, want 3", p.looks)
}

// Two goroutines that fork with one worker leave it a head for which there are no
// frames. If this fails, what is done then recurses until the stack overflows, or
// panics with an index that says nothing.
func TestStackWithoutFrames(t *testing.T) {
	one := func(*Worker) int { return 0 }
	for name, f := range map[string]func(w *Worker){
		"Fork":    func(w *Worker) { Fork(w, leaf, 0) },
		"publish": func(w *Worker) { w.publishAll() },
		"settle":  func(w *Worker) { w.settle(w.stack.bottom()) },
		"discard": func(w *Worker) { w.discard(w.stack.bottom()) },
		"Both":    func(w *Worker) { Both(w, one, one) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newLone(t, 1).Worker // its flag is up, so it goes the long ways
			Fork(w, leaf, 0).Join(w)
			w.stack.head += 7
			defer func() {
				equal(t, recover(), any(astray), "P29: Worker: %s panics with", name)
				equal(t, w.stack.head, w.stack.bottom(), "P29: after %s, which was refused, the height of the stack is", name)
			}()
			f(w)
		})
	}
}

// If this fails, a pool at rest keeps the memory of large arguments and results, for each
// of its workers.
func TestLargeValuesAreLetGo(t *testing.T) {
	type big [1 << 20]byte
	p := open(t, WithWorkers(1))
	same := func(_ *Worker, b big) big { return b }
	var walk func(w *Worker, depth int) int
	walk = func(w *Worker, depth int) int {
		if depth == 0 {
			return 0
		}
		f := Fork(w, same, big{})
		n := walk(w, depth-1)
		f.Join(w)
		return n + 1
	}
	untilAllSleep(p)
	before := Heap()
	keeps := func(what string, err error) {
		check(t, err == nil, "P1: Run returned the error %v", err)
		untilAllSleep(p)
		kept := Heap() - before
		expect(t, kept <= 1<<19, "P8: a pool at rest keeps %d kB for %s", kept>>10, what)
	}
	_, err := Run(t.Context(), p, walk, 3)
	keeps("forks that were joined", err)
	_, err = Run(t.Context(), p, same, big{})
	keeps("a Run that has returned", err)
}
