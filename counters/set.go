package counters

import (
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// A Set holds the numbers of workers that any goroutine may claim, for example of
// those that sleep. The goroutine that takes a number out has claimed that worker.
// So it can choose one without a lock, and without a look at each worker.
//
// Make it with [NewSet]. Any goroutine may call any method at any time. Add and
// Remove cost one atomic write each. Take costs one atomic load for each 64 workers
// and one write, and more only while others add or remove.
type Set struct {
	// words have a bit for each worker.
	//
	// Writers: a caller that adds a worker (Or); one that claims a worker (And).
	// Pairs:   Add, then a look for work, with a push, then Take. One of the two
	// comes second: Take finds the worker, or the look finds the work.
	words []prim.Uint64
}

// NewSet returns an empty set for the workers 0 to workers-1.
func NewSet(workers int) *Set {
	const line = cacheLine / 8
	words := (workers + 63) / 64
	// A line at each end keeps what lies beside the words off their lines.
	all := make([]prim.Uint64, words+2*line)
	s := &Set{words: all[line : line+words : line+words]}
	prim.DeclareSlice(s.words)
	return s
}

// Add puts in a worker that is not in the set.
func (s *Set) Add(worker int) { s.words[worker/64].Or(1 << (worker % 64)) }

// Remove claims the worker if it is in the set, and reports whether it was.
func (s *Set) Remove(worker int) bool {
	bit := uint64(1) << (worker % 64)
	return s.words[worker/64].And(^bit)&bit != 0
}

// Take claims the worker with the lowest number. ok is false if it met no worker. That
// does not mean that the set was empty at one moment: it looks at one word after another.
func (s *Set) Take() (worker int, ok bool) {
	for i := range s.words {
		for {
			word := s.words[i].Load()
			if word == 0 {
				break
			}
			if n := bits.TrailingZeros64(word); s.Remove(64*i + n) {
				return 64*i + n, true
			}
		}
	}
	return 0, false
}
