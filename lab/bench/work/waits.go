package work

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Programs whose jobs wait: with a lock held across a join, beside the long jobs of another
// caller, and beside another caller's recursion. Each ends when every fork is a thread. A pool
// hangs on the first if a worker that waits for a fork takes another job, and that job wants a lock
// that the worker itself holds. It is late in the others if a worker that waits takes another
// caller's long job, or if a worker that forks does not look at what was submitted.

// A System runs the jobs of programs that wait.
type System interface {
	// enter runs a job for a caller outside, and returns its result.
	enter(job waitJob) uint64
	// queue submits a job from outside. What it returns waits for the job.
	queue(job waitJob) (wait func())
	// recurse has all workers compute a branch, until it is over.
	recurse(b branch) uint64
}

// A place is where a job runs, and forks.
type place interface {
	// sumEach adds up what fn returns for the numbers below n, at least one. It
	// forks all of these calls but the last.
	sumEach(n int, fn func(p place, i int) uint64) uint64
}

type waitJob = func(p place) uint64

// OnPool is a pool.
func OnPool(p *pool.Pool) System { return onPoolSystem{p} }

type onPoolSystem struct{ pool *pool.Pool }

type onWorker struct{ w *pool.Worker }

func (s onPoolSystem) enter(job waitJob) uint64 {
	return must(pool.Run(context.Background(), s.pool, func(w *pool.Worker, job waitJob) uint64 {
		return job(onWorker{w})
	}, job))
}

func (s onPoolSystem) queue(job waitJob) func() {
	h := must(pool.Submit(s.pool, func(w *pool.Worker) uint64 { return job(onWorker{w}) }))
	return func() { must(h.Wait(context.Background())) }
}

func (s onPoolSystem) recurse(b branch) uint64 {
	return must(pool.Run(context.Background(), s.pool, growForking, b))
}

// must is for calls that fail only if the pool is closed.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func (p onWorker) sumEach(n int, fn func(place, int) uint64) uint64 {
	forks := make([]pool.Forked[int, uint64], n-1)
	for i := range forks {
		forks[i] = pool.Fork(p.w, func(w *pool.Worker, i int) uint64 { return fn(onWorker{w}, i) }, i)
	}
	sum := fn(p, n-1)
	for i := len(forks) - 1; i >= 0; i-- {
		sum += forks[i].Join(p.w)
	}
	return sum
}

// OnGoroutines is a goroutine for each fork. It recurses on as many as there would be workers,
// which fork no further: with one for each node their number would have no bound.
func OnGoroutines(workers int) System { return goroutines(workers) }

type goroutines int

func (g goroutines) enter(job waitJob) (result uint64) {
	goBoth(func() { result = job(g) }, func() {})
	return result
}

func (g goroutines) queue(job waitJob) func() {
	var running sync.WaitGroup
	running.Go(func() { job(g) })
	return running.Wait
}

func (g goroutines) recurse(b branch) uint64 {
	return goSum(int(g), func(int) uint64 { return b.grow() })
}

func (g goroutines) sumEach(n int, fn func(place, int) uint64) uint64 {
	return goSum(n, func(i int) uint64 { return fn(g, i) })
}

// plainly forks nothing.
type plainly struct{}

func (s plainly) enter(job waitJob) uint64 { return job(s) }
func (s plainly) queue(job waitJob) func() { job(s); return func() {} }
func (s plainly) recurse(b branch) uint64  { return b.grow() }
func (s plainly) sumEach(n int, fn func(place, int) uint64) (sum uint64) {
	for i := range n {
		sum += fn(s, i)
	}
	return sum
}

// Locks runs batches of jobs that hold a lock while they fork and join jobs that take the next one.
// The result is what the jobs return, and what the locks guard.
func Locks(batches int) *Program {
	all := func(s System) (sum uint64) {
		for seed := range uint64(batches) {
			sum += new(locks).batch(s, seed)
		}
		return sum
	}
	return &Program{
		Sequential: func() uint64 { return all(plainly{}) },
		Waits: func(s System) (uint64, []float64) {
			wake(s)
			start := time.Now()
			return all(s), since(start)
		},
	}
}

func since(start time.Time) []float64 { return []float64{float64(time.Since(start))} }

// locks are taken in the order of their numbers. Each guards a sum.
type locks [4]struct {
	sync.Mutex
	sum uint64
}

func (l *locks) batch(s System, seed uint64) uint64 {
	var sum atomic.Uint64
	var waits []func()
	for i := range uint64(24) {
		level := int(SplitMix64(1, 1000*seed+i) % uint64(len(l)))
		waits = append(waits, s.queue(func(p place) uint64 { return sum.Add(l.job(p, level, i)) }))
	}
	for _, wait := range waits {
		wait()
	}
	for i := range l {
		sum.Add(l[i].sum)
	}
	return sum.Load()
}

// job holds a lock, works for some microseconds, and forks.
func (l *locks) job(p place, level int, x uint64) uint64 {
	lock := &l[level]
	lock.Lock()
	defer lock.Unlock()
	value := x
	for range 1000 {
		value = SplitMix64(1, value)
	}
	value &= 1<<32 - 1 // so that no sum overflows
	lock.sum += value
	if level+1 < len(l) {
		value += p.sumEach(2, func(p place, k int) uint64 { return l.job(p, level+1, 2*x+uint64(k)) })
	}
	return value
}

const (
	lateLeaves   = 64
	lateLeaf     = 50 * time.Microsecond
	strangerTime = 60 * time.Millisecond
)

// Late times a caller's leaves, which it forks by halving, while another caller queues jobs that
// sleep for long. The result is how many leaves and jobs there were.
func Late(strangers int) *Program {
	return &Program{Waits: func(s System) (uint64, []float64) {
		wake(s)
		begun := make(chan struct{})
		var ran atomic.Uint64
		var other sync.WaitGroup
		other.Go(func() {
			<-begun
			var waits []func()
			for range strangers {
				waits = append(waits, s.queue(func(place) uint64 {
					time.Sleep(strangerTime)
					return ran.Add(1)
				}))
			}
			for _, wait := range waits {
				wait()
			}
		})
		start := time.Now()
		n := s.enter(func(p place) uint64 {
			close(begun)
			return busyTree(p, lateLeaves)
		})
		took := since(start)
		other.Wait()
		return n + ran.Load(), took
	}}
}

// wake has every worker begin something, so that there are threads, and awake.
func wake(s System) { s.enter(func(p place) uint64 { return busyTree(p, lateLeaves) }) }

// busyTree forks leaves by halving. Each keeps a processor busy, or what it has of one.
func busyTree(p place, n int) uint64 {
	if n == 1 {
		keepBusy(lateLeaf)
		return 1
	}
	halves := [2]int{n / 2, n - n/2}
	return p.sumEach(2, func(p place, k int) uint64 { return busyTree(p, halves[k]) })
}

// A branch is a part of a recursion: a tree of so many levels. Its phase says what goes on beside it.
type branch struct {
	phase  *atomic.Int32
	levels int
}

const (
	settles int32 = iota // nothing counts
	counts               // leaves are counted
	over                 // the recursion ends
)

const (
	longest = 2 * time.Second // for a caller that is not answered
	endless = 60
)

// leaf reports whether the branch has no halves, or is to end, and how often that counts.
func (b branch) leaf() (n uint64, ok bool) {
	phase := b.phase.Load()
	if phase == counts && b.levels == 0 {
		n = 1
	}
	return n, phase == over || b.levels == 0
}

func (b branch) half() branch { return branch{b.phase, b.levels - 1} }

func (b branch) grow() uint64 {
	if n, ok := b.leaf(); ok {
		return n
	}
	return b.half().grow() + b.half().grow()
}

func growForking(w *pool.Worker, b branch) uint64 {
	if n, ok := b.leaf(); ok {
		return n
	}
	x, y := pool.Invoke(w, growForking, b.half(), growForking, b.half())
	return x + y
}

// Requests times requests that do nothing, of a caller beside another caller's recursion, at fixed
// times, for a while: one that is late is sent at once. The result is how many were answered and did
// not run.
func Requests(every, while time.Duration) *Program {
	return &Program{Waits: func(s System) (uint64, []float64) {
		lost, times, _ := besideRecursion(s, every, while)
		return lost, times
	}}
}

// Recursion times the leaves of such a recursion, beside requests or, if every is 0, beside nothing.
// So it shows what a recursion loses to them.
func Recursion(every, while time.Duration) *Program {
	return &Program{Waits: func(s System) (uint64, []float64) {
		lost, _, leaf := besideRecursion(s, every, while)
		return lost, []float64{leaf}
	}}
}

// besideRecursion sends requests beside a recursion on all workers. It returns how many did not run,
// how long each took, and the time for each leaf of the recursion meanwhile. The recursion ends after
// the longest time in any case.
func besideRecursion(s System, every, while time.Duration) (lost uint64, times []float64, leaf float64) {
	var phase atomic.Int32
	leaves := make(chan uint64, 1)
	go func() { leaves <- s.recurse(branch{&phase, endless}) }()
	time.Sleep(while / 2) // The workers share the recursion.
	phase.Store(counts)
	start := time.Now()
	last := time.AfterFunc(longest, func() { phase.Store(over) })
	defer last.Stop()
	if every == 0 {
		time.Sleep(while)
	}
	for due := start; every > 0 && (len(times) == 0 || time.Since(start) < while); due = due.Add(every) {
		time.Sleep(time.Until(due))
		sent := time.Now()
		if s.enter(func(place) uint64 { return 1 }) == 0 {
			lost++
		}
		times = append(times, since(sent)...)
	}
	took := time.Since(start)
	phase.Store(over)
	return lost, times, float64(took) / float64(max(<-leaves, 1))
}
