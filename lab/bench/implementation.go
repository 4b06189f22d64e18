package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// The names of implementations: plain code, this repository on its defaults, and with the other sleep
// backend.
const (
	Sequential = "sequential"
	Ours       = "rouse"
	OursFutex  = "rouse-futex"
)

// An Implementation is something that can run workloads.
type Implementation struct {
	Name string
	// Fixed says that the number of workers means nothing to it.
	Fixed bool
	// Open gets ready to run the workload with so many workers, for a piece of the measurement. program
	// is what the workload's Program has returned. The error is [ErrUnfit] if the implementation cannot
	// run it by its nature.
	Open func(w *Workload, program *work.Program, workers int) (*Instance, error)
}

// An Instance runs one workload with one number of workers.
type Instance struct {
	// Run does the job once.
	Run func() (Run, error)
	// Close ends the instance. It may be nil.
	Close func() error
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
