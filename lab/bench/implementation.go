package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// An Implementation is something that can run workloads.
type Implementation struct {
	Name string
	Kind Kind
	// Fixed says that the number of workers means nothing to it.
	Fixed bool
	// Rare says that only workloads that name it are measured on it, unless it was asked for.
	Rare bool
	// Outside says that it is a program in another language.
	Outside bool
	// Open gets ready to run the workload with so many workers. program is what the workload's
	// Program has returned. The error is [ErrUnfit] if the implementation cannot run it by its
	// nature.
	Open func(w *Workload, program *work.Program, workers int) (*Instance, error)
}

// A Kind is whose way to do things an implementation is.
type Kind int

const (
	// Plain: without anything in parallel.
	Plain Kind = iota
	// Peer: somebody else's.
	Peer
	// Ours: this repository's.
	Ours
)

// An Instance runs one workload with one number of workers. Functions that are nil do nothing.
type Instance struct {
	// Resume and Pause begin and end a piece of the measurement. While it is
	// paused, as it is at first, an instance must not disturb others.
	Resume, Pause func() error
	// Run does the job once.
	Run   func() (Run, error)
	Close func() error
}

func call(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

// A Run is one time that the job was done.
type Run struct {
	Answer uint64
	// Nanos is what was timed: the run, or each of the requests in it.
	Nanos []float64
}

var (
	// ErrUnfit is the error of an implementation that a workload makes no sense on.
	ErrUnfit = errors.New("it cannot run this by its nature")
	// ErrWrong is in the error of a cell with a wrong answer.
	ErrWrong = errors.New("wrong answer")
)

// Hangs is the error of a run that had no answer in so long. It is a result: the next run may have
// one.
type Hangs time.Duration

// Error says for how long it was waited.
func (h Hangs) Error() string { return fmt.Sprintf("no answer in %v", time.Duration(h)) }
