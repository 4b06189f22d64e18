package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// The names of implementations: plain code; goroutines; this repository on its defaults, and with the other
// sleep backend; programs in other languages.
const (
	Sequential = "sequential"
	Goroutine  = "goroutine"
	Ours       = "rouse"
	OursFutex  = "rouse-futex"
	Rayon      = "rayon"
	OneTBB     = "onetbb"
)

// An Implementation is something that can run workloads.
type Implementation struct {
	Name string
	// Fixed says that the number of workers means nothing to it.
	Fixed bool
	// Open gets ready to run the workload with so many workers, for a piece of the measurement. p
	// is what the workload's Program has returned. run does the job once; end ends the piece, and may be
	// nil. The error is [ErrUnfit] if the implementation cannot run the workload by its nature.
	Open func(w *Workload, p *work.Program, workers int) (run work.Way, end func() error, err error)
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
