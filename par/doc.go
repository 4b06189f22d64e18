// Package par runs loops over indices and slices on several processors: [For], [Map],
// [Filter], [Reduce], [Scan] and the like, at the price of a loop, and with nothing to tune.
//
// A call asks the workers of a pool for help before its first element begins. A worker that has
// nothing to do takes half of the elements that another one has left, also while that one is at
// an element. If the last two calls of the same function, over about as many elements, took less
// than 100 µs, the caller does the call alone: it costs next to nothing then, and wakes nobody.
// Calls use [pool.Default], or the pool that [On] says. There is no grain to set.
//
// A loop is for work that computes. For elements that wait, for a disk or a network, use
// [WithLimit].
//
// # Guarantees
//
// The result of a call depends on its input and its functions alone: not on the number of
// workers, the schedule or the time. That holds to the last bit of a float, in one binary. A
// sum of floats may differ from a loop's in the last bits: it is added in another, fixed,
// order. The functions may be called by several goroutines at the same
// time, and must not wait for each other.
//
// Results are in the order of the input, and ties go to the lower index.
//
// A failing call returns the error, or raises the panic with its value, of the lowest failing
// index. All indices below that have run, and some above may have. A merge of the results of
// some indices, as in a fold, counts as one of these. [runtime.Goexit] in a function ends the
// caller's goroutine, too, and may do so in place of the error or panic of a lower index.
//
// However a call ends, nothing of it runs any more then, and nothing that
// was handed over is reachable.
//
// A call waits for no worker: if all have jobs, the caller does the work. So a lock may be
// held over it. Calls nest to any depth, in one pool and in several.
// If the pool is closed, the caller does all, unless [WithLimit] asks for more goroutines than
// the pool has workers, or for any in a stream.
//
// # Cost
//
// A call that the caller does alone allocates little. Loops, searches, [MapInto] and [CountInto]
// allocate nothing, or one object; folds and [ScanInto] allocate two, one of them room for the
// results of their parts. Others also allocate their result, and more where their documentation
// says so. A call that is shared allocates a few objects more, a small one each time that it asks
// for help, and, if it hands out contexts, one each time that a worker takes a part of the rest,
// or for each place in the window of a stream. The pool allocates a worker for a caller that
// finds all others busy, and now and then one that it keeps.
//
// # How long a call takes
//
// No element holds others up. On P workers that have nothing else to do, a call takes at most
// the sum of all its elements divided by P, and twice the longest of them, and the time to wake
// the workers: also the first call, and nested ones, and in jobs. That holds for functions that
// call one of yours for each element by itself, [CompactFunc], [CountInto], [GroupBy], [MapSeq]
// and [Pipe] included. For [ForRange] the longest range takes the place of the longest element,
// and for folds and [FoldBy] the longest part, with the merges that follow it: up to 21 in a row.
// A scan goes over its parts twice, one after the other; in between, the caller calls the
// function once for each part.
//
// Sorts have no such bound. [IsSortedFunc], [MergeFunc], [NthFunc] and [TopKFunc], which compare
// as sorts do, have it for blocks of hundreds or thousands of elements at best: their
// documentation says of how many. So if a key takes long to find, find all of them by [Map]
// first, and sort by these.
//
// The bound does not hold
//
//   - for a call that begins alone, since the last two of the same function were short, and is
//     long: the caller does 100 µs of it alone, and the range that it is at then, which has up
//     to sixteen times as many elements as the one before. The next call is shared again.
//     Closures of one line of the source are one function here, and so are all that are called
//     through one helper of yours;
//   - for the first elements of a stream, if the very first one is short, or that of the last two
//     uses was: the consumer does 20 µs of them alone, or one that is long;
//   - where an element of a stream takes long, and the next long one is further away than the
//     window reaches, by default up to 256 elements for each worker: the workers have nothing to
//     do then until the first one has ended;
//   - where elements get long after short ones, in a call of more than 500: four of them may
//     count as one; and in a stream after thousands, up to 64, which the consumer does alone:
//     see [MapSeq];
//   - between two stretches of 2,147,483,647 elements: the second begins when the first has
//     ended.
//
// The caller's profiler labels are on the elements that the caller does. Those that workers do
// have none: a function that wants labels sets them, by [runtime/pprof.Do]. With a limit above
// the number of workers, and in a stream with a limit, all elements have them, since goroutines
// that the caller starts do those.
//
// A loop lets jobs that are queued begin beside it: up to as many as the pool has workers.
//
// # Rules
//
// These are for checkers: a test that fails begins with the label of the rule that is broken.
//
//   - F1. The result of an operation is that of a loop, in the order of the input. Where the order
//     of additions and the like matters, as with floats, it depends on the length alone: so the
//     bits are the same on any number of workers and on every schedule.
//   - F2. A failing call returns the error, or raises the panic with its value, of the lowest
//     failing index. All indices below have run; of a stream, their results have been handed on. Goexit
//     may come in place of the failure of a lower index.
//   - F3. A call whose context has ended begins no further range, and returns an error that is
//     the context's and its cause, unless nothing was left out. The context of an element ends
//     with the caller's, and when a lower index has failed; if neither, it does not end before
//     the element does.
//   - F4. However a call ends, nothing of it runs then, and nothing that was handed over
//     is kept.
//   - F5. A call waits for no worker: locks may be held over it, and calls nest.
//   - F6. Jobs that are queued begin beside a loop, however long that is.
//   - F7. No element holds others up: a call takes at most the sum of all divided by the
//     number of workers, and twice the longest, but where "How long a call takes" says otherwise. A short
//     call that follows two short ones of the same function wakes nobody. With [WithLimit] never
//     more elements are under way.
//   - F8. A call with bad input panics before anything runs, and the panic says what is wrong. A
//     [Pipe] that has failed returns its failure from each later call. A Pipe that was closed
//     takes no further element.
//   - F9. In a job that [pool.Pool.Measure] measures, a call counts as pieces that can run at the same
//     time, as small as its elements allow.
package par
