// Package predict says what the simulator expects of the rows of package scale:
// speed-ups, and what limits them. Everything in it is predicted
// by simulation, and not measured.
//
// The simulator needs the build tag explore. In another build [Plan.Run] fails.
//
// # How far a run is from its bound
//
// Three numbers of a [Cell] say how good a speed-up is.
//
// Bound is Graham's, of the work and the span that the row counts for itself: what
// the plain program would gain if forks, steals and wakes took no time.
//
// OfBound compares with one worker of the same pool, so what each fork costs by
// itself is on both sides, and what is left is how well the work is shared. Let T1
// be the time of the run with one worker, TP with P. A greedy schedule takes at
// most T1/P + T∞ (Graham 1969; Blumofe and Leiserson 1999), and OfBound is
//
//	(T1/TP) / (T1/(T1/P + T∞)) = (T1/P + T∞)/TP
//
// T∞ is the span of the row times T1/work: what the pool costs lies on the span as
// it lies on the work. With one worker OfBound is 1 + T∞/T1, a little more than 1. It can be
// more than 1 for a row of many callers, which wait more for one worker than for two.
//
// Ramp is the time from the start until all useful workers have first worked, as
// many as the program has parallelism for. If some never work, it is all of the
// elapsed time.
//
// # What limits a run
//
// A run whose speed-up is at least 0.9 of Graham's bound is [OK]. Otherwise the time
// of all workers beyond the bound is divided:
//
//   - [Ramp]: from the start until each worker first works, for as many workers
//     as the program has parallelism for.
//   - [Counters]: misses on lines of the counters of jobs and sleepers.
//   - [Fork]: the operations that one worker needs when it runs the program
//     alone: forks and joins are not free even if no worker takes them.
//   - [Steals]: all else that workers do when they do not work: looking for jobs,
//     taking them, waiting for a line.
//   - [Wait]: processors without a thread, although there is work that a worker
//     could hand over, and the time of threads in the scheduler.
//
// Time that falls into more than one of them counts in the first. The largest
// part is the limit. It is the place to look at first, not the only one to mend.
package predict
