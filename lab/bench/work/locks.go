package work

import (
	"sync"
	"sync/atomic"
	"time"
)

// Locks runs batches of jobs that hold a lock while they fork and join jobs that take the next one. It
// ends if every fork is a thread. A pool hangs if a worker that waits for a fork takes another job, and
// that job wants a lock that the worker itself holds. The result is how many jobs there were, as they
// return it and as the locks guard it.
func Locks(batches int) *Program {
	return &Program{Calls: func(s System) (sum uint64, _ []time.Duration) {
		wake(s)
		start := time.Now()
		for range batches {
			sum += new(locks).batch(s)
		}
		return sum, []time.Duration{time.Since(start)}
	}}
}

// LocksResult is the result of [Locks]: six jobs of a batch begin with each lock, and one for which k locks are
// left is the root of a tree of k levels.
func LocksResult(batches int) uint64 { return 2 * 6 * (15 + 7 + 3 + 1) * uint64(batches) }

// locks are taken in the order of their numbers. Each guards a sum.
type locks [4]struct {
	sync.Mutex
	sum uint64
}

func (l *locks) batch(s System) uint64 {
	var sum atomic.Uint64
	var running sync.WaitGroup
	for i := range 24 {
		running.Add(1)
		s.poster(func(p Place) uint64 {
			defer running.Done()
			return sum.Add(l.job(p, i%len(l)))
		})()
	}
	running.Wait()
	for i := range l {
		sum.Add(l[i].sum)
	}
	return sum.Load()
}

// job holds a lock, works for some microseconds, and forks.
func (l *locks) job(p Place, level int) uint64 {
	lock := &l[level]
	lock.Lock()
	defer lock.Unlock()
	lock.sum++
	keepBusy(4 * time.Microsecond)
	if level+1 == len(l) {
		return 1
	}
	next := func(p Place) uint64 { return l.job(p, level+1) }
	return 1 + p.both(next, next)
}

// wake has every worker begin something, so that there are threads, and awake.
func wake(s System) { s.enter(func(p Place) uint64 { return busyTree(p, 6) }) }

// busyTree forks a tree of so many levels. A leaf keeps a processor busy, or what it has of one.
func busyTree(p Place, levels int) uint64 {
	if levels == 0 {
		keepBusy(50 * time.Microsecond)
		return 1
	}
	half := func(p Place) uint64 { return busyTree(p, levels-1) }
	return p.both(half, half)
}
