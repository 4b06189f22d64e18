// Package par runs loops over indices and slices on several processors: [For], [Map],
// [Filter], [Reduce], [Scan] and the like, at the price of a loop, and with nothing to tune.
//
// A call begins on the caller's goroutine, alone. If it is over within the quantum of 10
// µs, it has cost next to nothing and woken nobody. If not, it goes on as a job of a pool,
// and splits what is left in two as often as another worker wants work. Calls use
// [pool.Default], or the pool that [On] says. There is no grain to set.
//
// # What is promised
//
// The result of a call depends on its input and its functions alone: not on the number of
// workers, the schedule or the time. That holds to the last bit of a float, in one binary;
// but a sum of floats is not the one that a loop gives, whose brackets stand otherwise.
// The functions may be called by several goroutines at the same time, and must not wait for
// each other.
//
// Results are in the order of the input, and ties go to the lower index.
//
// A call that fails does so as its lowest failing index does: with the error that the
// function returned there, or with its panic, the value kept. All indices below that have
// run, and some above may have. [runtime.Goexit] in a function ends the caller's goroutine,
// too, and may do so in place of the error or panic of a lower index.
//
// When a call is over, by whatever of these, nothing of it runs any more, and nothing that
// was handed over is reachable.
//
// A call waits for no worker: if all have jobs, the caller does the work. So a lock may be
// held over it. Calls nest to any depth, in one pool and in several.
// If the pool is closed, the caller does all.
//
// # Cost
//
// Loops, folds and what ends in Into allocate at most twice a call, besides what the
// caller's functions do, whatever the length. Others allocate their result besides, and
// what their documentation says. The pool allocates a worker for a caller that finds all
// others busy, and now and then one that it keeps.
//
// # What is not
//
// Only between two ranges of elements does anybody look whether others want work. A range
// is one element, if those before took long, and some microseconds if they did not. Once an
// element has taken longer than the quantum, there are pieces for all workers before the
// next one begins. So elements of equal length take at most about one of them longer than
// the best division. If the longest comes first, the caller is alone with it.
//
// The caller's profiler labels are on the elements that the caller does. Those that others do
// have none: a function that wants labels sets them, by [runtime/pprof.Do].
//
// A loop lets jobs that are queued begin beside it: up to as many as the pool has workers.
// Jobs that its worker has taken from the queue together with its own wait for others.
package par
