package impl

import (
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/pool"
)

// An instance is one that runs in this process.
type instance struct {
	workload *bench.Workload
	program  bench.Program
	// shape runs the job and times it.
	shape         func() (uint64, time.Duration, error)
	resume, pause func() error // may be nil
	pool          func() *pool.Pool
}

func (i *instance) Resume() error { return call(i.resume) }
func (i *instance) Pause() error  { return call(i.pause) }
func (i *instance) Close() error  { return nil }

func call(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

func (i *instance) Usage() bench.Usage {
	if i.pool == nil {
		return bench.OwnUsage(nil)
	}
	return bench.OwnUsage(i.pool())
}

func (i *instance) Run() (bench.Run, error) {
	if i.program.Prepare != nil {
		i.program.Prepare()
	}
	result, elapsed, err := i.shape()
	if err != nil {
		return bench.Run{}, err
	}
	if d := i.program.Rests; d > 0 {
		elapsed = rest(d)
	}
	if i.program.Digest != nil {
		result = i.program.Digest()
	}
	return bench.Run{Elapsed: elapsed, Answer: i.workload.Answer(result)}, nil
}

// rest does nothing for a while, and returns how much processor time the
// process has used meanwhile, of each second.
func rest(d time.Duration) time.Duration {
	time.Sleep(d / 10) // Whoever is about to sleep may do so.
	before, start := bench.OwnUsage(nil).CPU, time.Now()
	time.Sleep(d)
	used := bench.OwnUsage(nil).CPU - before
	return time.Duration(float64(used) / time.Since(start).Seconds())
}

// timed makes a shape that times itself of one that does not.
func timed(f func() uint64) func() (uint64, time.Duration, error) {
	return func() (uint64, time.Duration, error) {
		start := time.Now()
		result := f()
		return result, time.Since(start), nil
	}
}
