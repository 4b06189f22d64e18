package pool

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/span"
	"github.com/rouse-go/rouse/pool/measure"
)

// Measure calls fn as [Run] does, and says how much of the function could run at the same time: its work, its
// span, and the call sites that the span lies in. That is a property of the program and its input,
// not of the pool. So it answers why a program is not faster, and how much faster more processors
// could make it: work by span times, the [measure.Profile.Parallelism]. That is a bound: there is as much
// parallelism, or more.
//
// The work is the time that all jobs take together, one after the other; the span is the time of
// the longest chain of them in which each must wait for the one before. Forks, [Invoke], [Both],
// scopes, groups, and the calls of package par are measured, wherever they are within the
// function; so are the calls of Run and Measure of the same pool within it. A Run of another pool is a
// part of its caller, or a wait. Time in [Worker.Block], and in a wait for
// a handle, counts to the span and not to the work, since other jobs can have the worker meanwhile.
//
// A nil ctx or fn panics. Errors, panics and Goexit are those of Run, and there is no profile then.
//
// # What it costs
//
// The measured job runs on one worker, as others would disturb the clock. Only what it spawns runs
// beside it, and forks while it waits. So it takes the time of the work, a millisecond, and about a
// microsecond for each fork: fib(25), which forks at each call, takes a hundred times as long as
// otherwise. The rest of the pool goes on, unmeasured; only each
// Run of it, and each call of package par in the program, looks at the stack meanwhile, as Run of package loops does. Any
// number of goroutines may measure at once: if they compete for processors, each sees the other as
// work of its own.
//
// # How exact it is
//
// It goes by the clock, whose cost is measured before, and taken off. That is known to some
// nanoseconds, and a strand, which lies between a fork or a join and the next one, may take as
// little. So of the work the most is taken off that the clock may cost, and of the span the least: the
// work is at least what the profile says, and the span at most, or the whole of that work. Where strands
// take a microsecond, both are right within some hundredths. Where forks come thick there may be much
// more parallelism than it says.
//
// If the system takes the processor away, that counts to the strand that it meets, which may be the
// one that makes the span. Measure again, and believe the smallest span. In a bubble of
// testing/synctest all is exact.
//
// # What is not covered
//
// A job of [Submit] or [Go] is not measured; nor is a goroutine that the function starts. Elements
// of a call of package par with a limit, with a live source, or of a Pipe count as a wait, since
// helpers do them. The limit of a group does not count. A loop of short elements counts as pieces
// of up to 10 µs, as others would get them: so its parallelism is at most its time by that. Sorts
// and the like cut their input for the workers of the pool: measure them on one with as many as
// you mean to have.
func (p *Pool) Measure(ctx context.Context, fn func(w *Worker)) (measure.Profile, error) {
	needContext("Measure", ctx)
	needFunction("Measure", fn == nil)
	ctx, end := beginTask(ctx, fn)
	defer end()
	measuring.Add(1)
	defer measuring.Add(^uint32(0))
	p.observe(func(o *observer) { o.measured++ })
	defer p.observe(func(o *observer) { o.measured-- })
	return run(ctx, p, fn, measured, fn)
}

// measuring counts the calls of Measure in the program: package par may use another pool than the measured job.
// It is no step of the explorer: it spares others a look at the stack, and that decides.
var measuring prim.ReportNumber

// measured is the job of Measure.
func measured(w *Worker, fn func(*Worker)) (profile measure.Profile) {
	outer := w.probe
	outer.Stop()
	m := span.New(fn)
	calibrate(m)
	q, limit := m.Probe(), w.stack.head
	w.setProbe(q)
	defer func() {
		q.Stop()
		w.setProbe(outer)
		profile = q.Profile()
		outer.Include(q)
		outer.Start()
	}()
	q.Start()
	fn(w)
	w.settle(limit)
	return profile
}

// calibrate measures a small recursion that forks at each call. The worker has no pool, so that nobody
// takes a fork.
func calibrate(m *span.Measurement) {
	w := &Worker{state: running}
	prim.Declare(w)
	w.stack.init(0)
	m.Calibrate(func(q *span.Probe) {
		w.setProbe(q)
		q.Start()
		trialTree(w, trialDepth)
		q.Stop()
		w.setProbe(nil)
	})
}

// trialDepth is how deep the small recursion is.
const trialDepth = 8

func trialTree(w *Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := Invoke(w, trialTree, n-1, trialTree, n-2)
	return a + b
}
