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
// order. Results are in the order of the input, and ties go to the lower index. The functions may be
// called by several goroutines at the same time, and must not wait for each other.
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
// A loop lets jobs that are queued begin beside it: up to as many as the pool has workers.
//
// The caller's profiler labels are on the elements that the caller does, and on those of the goroutines
// that a [WithLimit] starts; those that workers do have none.
// Beside this file, RULES.md has these promises as rules with numbers.
//
// # Cost
//
// A call that the caller does alone allocates little. Loops, searches, [MapInto] and [CountInto]
// allocate nothing, or one object; folds and [ScanInto] two. Others also allocate their result, and
// more where their documentation says so. A call that is shared allocates a few objects more, one each
// time that it asks for help, and, if it hands out contexts, one each time that a worker takes
// a part of the rest, or for each place in the window of a stream.
//
// # How long a call takes
//
// No element holds others up. On P workers that have nothing else to do, a call takes at most
// the sum of all its elements divided by P, twice the longest of them, and the time to wake
// the workers: also the first call, nested ones, and in jobs. That holds for functions that
// call one of yours for each element by itself. For [ForRange] the longest range takes the place of the
// longest element, and for folds and [FoldBy] the longest part, with the merges that follow it: up to
// 21 in a row. A scan goes over its parts twice; in between, the caller calls the function once for each
// part. Sorts have no such bound, and [IsSortedFunc], [MergeFunc], [NthFunc] and [TopKFunc] have it for
// blocks of the size that their documentation says: if a key takes long to find, find all keys by [Map]
// first.
//
// The bound does not hold
//
//   - for a long call after two short ones of the same function: the caller does 100 µs of it alone, and
//     the range that it is at then, up to sixteen times as long as the one before. Closures of
//     one line of the source are one function here, and so are all that are called through one
//     helper of yours;
//   - for the first elements of a stream, if the last two uses of the same function were short:
//     the consumer does 20 µs of them alone, or one that is long;
//   - where the next long element of a stream is further away than the window reaches, by default
//     up to 256 elements for each worker;
//   - where elements get long after short ones, in a call of more than 500: four of them may
//     count as one; and in a stream after thousands, up to 64: see [MapSeq];
//   - between two stretches of 2,147,483,647 elements.
package par
