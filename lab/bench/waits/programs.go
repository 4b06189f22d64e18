package waits

import (
	"sync"
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
	// beside says that requests are measured beside a recursion. How often that forks is not
	// known, and no request may be lost.
	beside bool
	// late is how long a run takes at most if it waits for no other caller's job; 0 if
	// there are no other callers.
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

// rounds is how many graphs or batches of jobs a run has: one takes less than a
// millisecond, which is little time to hang in.
const rounds = 20

// randomNumber is the index-th number of SplitMix64 with seed 1.
func randomNumber(index uint64) uint64 {
	z := 1 + (index+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// grind works for some microseconds, and returns a number below 2^32, so that no
// sum of a graph's numbers overflows.
func grind(x uint64) uint64 {
	for range 1000 {
		x = randomNumber(x)
	}
	return x & (1<<32 - 1)
}

// draw is the k-th random number of a seed, below n; k is below 1000.
func draw(seed uint64, k, n int) int {
	return int(randomNumber(1000*seed+uint64(k)) % uint64(n))
}

// onceCells is a graph of cells, each computed once, from cells with higher
// numbers.
type onceCells [60]struct {
	once  sync.Once
	needs []int
	value uint64
}

func newOnceCells(seed uint64) *onceCells {
	cells := new(onceCells)
	for i := range len(cells) - 1 {
		for k := draw(seed, 4*i, 4); k > 0; k-- {
			cells[i].needs = append(cells[i].needs, i+1+draw(seed, 4*i+k, len(cells)-1-i))
		}
	}
	return cells
}

// get computes a cell, or waits until it is computed.
func (cells *onceCells) get(p place, i int) uint64 {
	cell := &cells[i]
	cell.once.Do(func() {
		sum := grind(uint64(i))
		if n := len(cell.needs); n > 0 {
			sum += p.sumEach(n, func(p place, k int) uint64 { return cells.get(p, cell.needs[k]) })
		}
		cell.value = grind(sum)
	})
	return cell.value
}

// locksOnce gets the first cells of a graph, each in a job of its own.
func locksOnce(s system, seed uint64) uint64 {
	return submitEach(s, 8, newOnceCells(seed).get)
}

// locks are taken in the order of their numbers. Each guards a sum.
type locks [4]struct {
	sync.Mutex
	sum uint64
}

// job holds a lock while it forks and joins jobs that take the next one.
func (l *locks) job(p place, level int, x uint64) uint64 {
	lock := &l[level]
	lock.Lock()
	defer lock.Unlock()
	value := grind(x)
	lock.sum += value
	if level+1 < len(l) {
		value += p.sumEach(2, func(p place, k int) uint64 { return l.job(p, level+1, 2*x+uint64(k)) })
	}
	return value
}

// locksMutex runs some jobs, and adds up what they return and what the locks
// guard.
func locksMutex(s system, seed uint64) uint64 {
	var l locks
	sum := submitEach(s, 24, func(p place, i int) uint64 { return l.job(p, draw(seed, i, len(l)), uint64(i)) })
	for i := range l {
		sum += l[i].sum
	}
	return sum
}

// submitEach submits a job with each number below n, and adds up what they
// return.
func submitEach(s system, n int, job func(p place, i int) uint64) uint64 {
	var sum atomic.Uint64
	waits := make([]func(), n)
	for i := range waits {
		waits[i] = s.enqueue(func(p place) uint64 { return sum.Add(job(p, i)) })
	}
	for _, wait := range waits {
		wait()
	}
	return sum.Load()
}

// inRounds adds up the digests of rounds with different seeds.
func inRounds(round func(s system, seed uint64) uint64) program {
	return func(s system, seed uint64) (o outcome) {
		wake(s)
		start := time.Now()
		for i := range uint64(rounds) {
			o.digest += round(s, rounds*seed+i)
		}
		o.took = time.Since(start)
		return o
	}
}

// leaves is how many leaves a caller's run has, of leafTime each.
const (
	leaves   = 64
	leafTime = 50 * time.Microsecond
)

// busyTree forks leaves by halving. Each keeps a processor busy, or what it has
// of one. It returns how many there were.
func busyTree(p place, n int) uint64 {
	if n == 1 {
		for start := time.Now(); time.Since(start) < leafTime; {
		}
		return 1
	}
	halves := [2]int{n / 2, n - n/2}
	return p.sumEach(2, func(p place, k int) uint64 { return busyTree(p, halves[k]) })
}

// wake has every worker begin something, so that there are threads, and awake.
func wake(s system) {
	if _, ok := s.(plain); !ok {
		s.enter(func(p place) uint64 { return busyTree(p, leaves) })
	}
}

// late runs leaves. As soon as these have begun, another goroutine queues jobs
// that sleep. It returns how many leaves and jobs there were, and how long the
// leaves took.
func late(s system, strangers uint64) outcome {
	wake(s)
	begun := make(chan struct{})
	var ran atomic.Uint64
	var other sync.WaitGroup
	other.Go(func() {
		<-begun
		waits := make([]func(), strangers)
		for i := range waits {
			waits[i] = s.enqueue(func(place) uint64 {
				s.stranger()
				return ran.Add(1)
			})
		}
		for _, wait := range waits {
			wait()
		}
	})
	start := time.Now()
	n := s.enter(func(p place) uint64 {
		close(begun)
		return busyTree(p, leaves)
	})
	took := time.Since(start)
	other.Wait()
	return outcome{digest: n + ran.Load(), took: took}
}
