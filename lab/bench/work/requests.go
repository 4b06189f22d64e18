package work

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A branch is a part of a recursion: a tree of so many levels.
type branch struct {
	over   *atomic.Bool
	levels int
}

// grow forks until it is over.
func grow(w *pool.Worker, b branch) uint64 {
	if b.levels > 0 && !b.over.Load() {
		half := branch{b.over, b.levels - 1}
		pool.Invoke(w, grow, half, grow, half)
	}
	return 0
}

// Requests times requests that do nothing, of a caller beside another caller's recursion on all workers, at
// fixed times, for a while: one that is late is sent at once. The recursion ends after two seconds in
// any case. The result is how many requests were answered and did not run. A pool is late if a worker that
// forks does not look at what comes from outside.
func Requests(every, while time.Duration) *Program {
	return &Program{Calls: func(s System) (lost uint64, took []time.Duration) {
		var over atomic.Bool
		ended := make(chan struct{})
		go func() { s.recurse(&over); close(ended) }()
		time.Sleep(while / 2) // The workers share the recursion.
		last := time.AfterFunc(2*time.Second, func() { over.Store(true) })
		defer last.Stop()
		start := time.Now()
		for due := start; len(took) == 0 || time.Since(start) < while; due = due.Add(every) {
			time.Sleep(time.Until(due))
			sent := time.Now()
			if s.enter(func(Place) uint64 { return 1 }) == 0 {
				lost++
			}
			took = append(took, time.Since(sent))
		}
		over.Store(true)
		<-ended
		return lost, took
	}}
}
