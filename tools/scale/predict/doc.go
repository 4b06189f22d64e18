// Package predict says what the simulator expects of the rows of package scale:
// speed-ups, what limits them, and rules of thumb. Everything in it is predicted
// by simulation, and not measured.
//
// The simulator needs the build tag explore. In another build [Plan.Run] fails;
// [Child] builds and runs the command anew with the tag.
//
// # What limits a run
//
// A run whose speed-up is at least 0.9 of Graham's bound is [OK], or limited by
// its [Span] if the span is more than half of the bound. Otherwise the time of
// all workers beyond the bound is divided:
//
//   - [Ramp]: from the start until each worker first works, for as many workers
//     as the program has parallelism for.
//   - [Counters]: misses on lines of the counters of jobs and sleepers.
//   - [ScopeCount]: misses on the line of a scope's count.
//   - [Scheduler]: waits for the lock of Go's scheduler.
//   - [Fork]: the operations that one worker needs when it runs the program
//     alone: forks and joins are not free even if nobody takes them.
//   - [Steals]: all else that workers do when they do not work: looking for jobs,
//     taking them, waiting for a line.
//   - [Wait] and [Goroutine]: processors without a thread, although there is work
//     that somebody could hand over, and the time of threads in the scheduler. If
//     at least as many threads are started as woken it is Goroutine, else Wait.
//
// Time that falls into more than one of them counts in the first. The largest
// part is the limit. It is the place to look at first, not the only one to mend.
package predict
