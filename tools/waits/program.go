package waits

import (
	"sync/atomic"
	"time"
)

// A program is what a run of it does.
type program = func(s system, size uint64) outcome

// An outcome is what came of a run.
type outcome struct {
	digest uint64
	took   time.Duration // what is measured
	more   *recursion    // nil if there is none
}

// A Program is one that an implementation may hang on, or be late with.
type Program struct {
	Name, About string
	run         program
	usual, most uint64 // sizes
	seeded      bool   // the size is a seed
	// beside says that requests are measured beside a recursion. Nobody knows how often
	// that forks, and no request may be lost.
	beside bool
	// late is what a run takes no longer than if it waits for no other caller's
	// job; 0 if there are no other callers.
	late time.Duration
}

// Programs returns all there are. lab/peers/README.md defines them.
func Programs() []*Program {
	const mostSeeds, longest = 1_000_000, 2000
	return []*Program{
		{
			Name: "locks-once", About: "60 cells, each a sync.Once whose function forks and joins the cells that it needs",
			run: inRounds(locksOnce), usual: 1, most: mostSeeds, seeded: true,
		}, {
			Name: "locks-mutex", About: "jobs that hold one of 4 mutexes while they fork and join jobs that take the next one",
			run: inRounds(locksMutex), usual: 1, most: mostSeeds, seeded: true,
		}, {
			Name: "late", About: "one caller's 3 ms of forks, while another caller queues 8 jobs that sleep for 60 ms each",
			run: late, usual: 8, most: 1000, late: StrangerTime / 2,
		}, {
			Name: "beside", About: "1,000 requests a second that do nothing, while another caller's recursion of 2 s has all workers",
			run: besideRecursion(time.Millisecond), usual: longest, most: 60_000, beside: true, late: StrangerTime / 2,
		}, {
			Name: "beside-busy", About: "the same, one request after the other",
			run: besideRecursion(0), usual: longest, most: 60_000, beside: true, late: StrangerTime / 2,
		},
	}
}

// size returns that of the n-th try: every one has a seed of its own.
func (p *Program) size(n int) uint64 {
	if p.seeded {
		return uint64(n + 1)
	}
	return p.usual
}

// expect returns the right answer and the number of forks.
func (p *Program) expect(size uint64) (answer uint64, forks int64) {
	if p.beside {
		return 0, 0
	}
	var n atomic.Int64
	return p.run(plain{&n}, size).digest, n.Load()
}
