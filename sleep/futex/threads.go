package futex

import "github.com/rouse-go/rouse/api/prim"

// threads counts the sleepers that hold a thread.
type threads struct {
	_ [128]byte // sleepers of all pools write the fields between
	// held is how many. For a moment it may be too high, while a sleeper finds that it
	// is one too many.
	//
	// Writers: sleepers, before they wait in the kernel, and when they have.
	// Pairs:   none. It decides only where a sleeper waits.
	held prim.Int32
	_    [124]byte
}

// all counts the threads of all sleepers of the program, except those of pools made
// with [WithThreadPark] or [WithThreadLimit].
var all threads

// take counts a thread for the caller, unless as many are held as the limit allows.
func (t *threads) take(limit int32) bool {
	if t.held.Load() >= limit {
		return false
	}
	if t.held.Add(1) <= limit {
		return true
	}
	t.leave()
	return false
}

func (t *threads) leave() { t.held.Add(-1) }
