package counters

import (
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// A Set holds numbers of workers that any goroutine may claim, such as those that
// sleep. A caller that takes a number out alone has claimed that worker:
// so one is chosen without a lock and without a look at each.
//
// Make it with [NewSet]. Any goroutine may call any method, concurrently. Add
// and Remove are one atomic step each; Take looks at a word for each 64 workers,
// and takes more steps only while others add or remove.
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

// Add puts a worker in. It is not there.
func (s *Set) Add(worker int) { s.words[worker/64].Or(1 << (worker % 64)) }

// Remove claims the worker, if it is there.
func (s *Set) Remove(worker int) bool {
	bit := uint64(1) << (worker % 64)
	return s.words[worker/64].And(^bit)&bit != 0
}

// Take claims the worker with the lowest number. ok is false if, at some moment
// for each word, none was there.
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
