package bench

import "time"

// An Implementation is something that can run workloads.
type Implementation interface {
	Name() string
	Kind() Kind
	// Scales reports whether the number of workers means anything to it.
	Scales() bool
	// Open gets ready to run the workload with so many workers. program is
	// what the workload's Program has returned.
	//
	// The error is an [Unfit] if the implementation cannot run it by its
	// nature, a [Missing] if it is not here.
	Open(w *Workload, program Program, workers int) (Instance, error)
}

// A Combination is an Implementation that may be one of many combinations of
// backends. Those run only on workloads with a Matrix or that name them Beside,
// unless asked for.
type Combination interface {
	Matrix() bool
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

// String returns the kind's name in lower case.
func (k Kind) String() string { return [...]string{"plain", "peer", "ours"}[k] }

// An Instance runs one workload with one number of workers. It is paused when
// it is opened.
type Instance interface {
	// Resume and Pause begin and end a piece of the measurement. While it is
	// paused, an instance must not disturb others.
	Resume() error
	Pause() error
	// Run does the job once.
	Run() (Run, error)
	// Usage returns what the kernel and the pool have counted so far. It may
	// be called between Resume and Pause.
	Usage() Usage
	Close() error
}

// A Run is one time that the job was done.
type Run struct {
	Elapsed time.Duration
	Answer  string
}

// Unfit is the reason why an implementation cannot run a workload: "" if the
// question makes no sense.
type Unfit string

func (u Unfit) Error() string { return string(u) }

// Missing is what an implementation lacks.
type Missing string

func (m Missing) Error() string { return string(m) }
