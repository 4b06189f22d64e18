// Package seam has what package pool gives to package loops, and to no other. A worker is a *pool.Worker
// here, a pool a *pool.Pool: package pool sets all functions before anybody can have one.
package seam

import (
	"runtime"
	"time"

	"github.com/rouse-go/rouse/pool/internal/notes"
	"github.com/rouse-go/rouse/pool/internal/span"
	"github.com/rouse-go/rouse/pool/record"
)

// See the functions of package loops with these names.
var (
	// Run runs a job, which has a method Run(*pool.Worker).
	Run         func(pool, job any) error
	Publish     func(worker any)
	LastDefault func() (pool any)
	// Caught does not ask for Goexit.
	Caught func(recovered any) (err any)
	Raise  func(err any)
	Expose func(pool, err any)
)

// What a pool and a worker have.
var (
	Book func(pool any) *notes.Book
	// Wanted reports whether somebody wants forks of the worker.
	Wanted func(worker any) bool
	// Record records an event of the worker's job, if there is a recording. It returns the number of the
	// loop, a new one if e has none, or 0 without a recording.
	Record func(worker any, code uintptr, e record.Event) (loop int)
	// Probe returns the probe that measures the worker's job, or nil.
	Probe func(worker any) *span.Probe
	// BeginPiece begins a piece of a measured loop. EndPiece ends it, goes on with the probe of the loop, and
	// returns how long the piece took. Pause takes the probe away from a measured job that begins to wait, and
	// Resume gives it back. They are pairs, since a function that is handed over here is on the heap.
	BeginPiece func(worker, loop any)
	EndPiece   func(worker any, outer *span.Probe) time.Duration
	Pause      func(worker any) *span.Probe
	Resume     func(worker any, q *span.Probe)
	// Measured returns the worker of the caller if its job is measured, or nil.
	Measured func() any
)

// Exits reports whether Goexit, and not a panic(nil), has called a deferred function. depth is how many
// calls there are from that to this one: 1 if it calls Exits itself.
func Exits(depth int) bool {
	var pc [1]uintptr
	runtime.Callers(2+depth, pc[:]) // of Callers, Exits, and those
	f, _ := runtime.CallersFrames(pc[:]).Next()
	return f.Function == "runtime.Goexit"
}
