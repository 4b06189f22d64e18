package counters

import "fmt"

// A Word is a value of the packed counters.
//
//	bits  0-15  sleeping  workers that are blocked, or about to be
//	bits 16-31  inactive  workers that run no job; includes the sleeping
//	bits 32-63  jobs      the jobs event counter (JEC)
type Word uint64

const (
	inactiveShift = 16
	jobsShift     = 32

	oneSleeping Word = 1
	oneInactive Word = 1 << inactiveShift
	oneJob      Word = 1 << jobsShift

	// maxWorkers is the largest number that sleeping and inactive can count.
	maxWorkers = 1<<16 - 1
	// countsMask selects sleeping and inactive.
	countsMask = oneJob - 1
)

// Sleeping returns the number of sleeping workers.
func (w Word) Sleeping() int { return int(uint16(w)) }

// Inactive returns the number of inactive workers, including those that sleep.
func (w Word) Inactive() int { return int(uint16(w >> inactiveShift)) }

// Jobs returns the JEC.
func (w Word) Jobs() uint32 { return uint32(w >> jobsShift) }

// posted reports whether work was posted since a worker last announced that it
// will sleep.
func (w Word) posted() bool { return w&oneJob != 0 }

// String returns the decoded fields, with the parity of the JEC in words.
func (w Word) String() string {
	last := "announced"
	if w.posted() {
		last = "posted"
	}
	return fmt.Sprintf("sleeping=%d inactive=%d jobs=%d (%s)", w.Sleeping(), w.Inactive(), w.Jobs(), last)
}
