package bench

import (
	"errors"
	"runtime/metrics"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
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
	Run func() (Run, error)
	// Usage returns what the system and the pool have counted so far. It may
	// be called between Resume and Pause.
	Usage func() Usage
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
	Elapsed time.Duration
	Answer  string
}

// ErrUnfit is the error of an implementation that a workload makes no sense on.
var ErrUnfit = errors.New("it cannot run this by its nature")

// Usage is what was counted for an instance, or between two moments of it.
type Usage struct {
	CPU time.Duration // of all processors
	// Allocs and Bytes are what was allocated on the heap.
	Allocs, Bytes int64
	// Steals and Wakes are what a pool of this repository has counted.
	Steals, Wakes int64
}

// plus returns the sum, and minus the difference of two.
func (u Usage) plus(v Usage) Usage {
	return Usage{u.CPU + v.CPU, u.Allocs + v.Allocs, u.Bytes + v.Bytes, u.Steals + v.Steals, u.Wakes + v.Wakes}
}

func (u Usage) minus(v Usage) Usage {
	return Usage{u.CPU - v.CPU, u.Allocs - v.Allocs, u.Bytes - v.Bytes, u.Steals - v.Steals, u.Wakes - v.Wakes}
}

// OwnUsage returns what was counted for this process, and for a pool if p is not nil.
func OwnUsage(p *pool.Pool) (u Usage) {
	u.CPU, _ = census.CPUTime()
	heap := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(heap)
	u.Allocs, u.Bytes = int64(heap[0].Value.Uint64()), int64(heap[1].Value.Uint64())
	if p != nil {
		s := p.Stats()
		u.Steals, u.Wakes = int64(s.Steals), int64(s.Wakes)
	}
	return u
}
