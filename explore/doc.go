// Package explore is a model checker for concurrent Go: it runs a test under one schedule of its
// goroutines after another, until one fails or there are no others that could differ. A failure
// is shown step by step, and one line replays it.
//
//	func TestCounter(t *testing.T) {
//		explore.Test(t, func(t *testing.T) {
//			var c Counter
//			go c.Add(1)
//			c.Add(1)
//			…
//		})
//	}
//
// There are two ways in.
//
// [Test] is for ordinary Go: goroutines, channels, sync, sync/atomic, time, context. The command
// explore rewrites the packages that are tested, for this run alone, so that they ask the
// explorer before each step:
//
//	go get -tool github.com/rouse-go/rouse/explore/cmd/explore
//	go tool explore test [-run regexp] [packages]
//
// With go test, Test skips.
//
// [Check] and [Explore] are for code that synchronizes through package api/prim, whose types are
// those of sync and sync/atomic in a normal build, and ask the explorer first with a build tag:
//
//	go test -tags explore [-race] [packages]
//
// Without the tag Check skips. With -race, data races are reported as if the threads ran in
// parallel.
//
// # Guarantees
//
// With [Unbounded], as Test has it, each order of the steps that affect each other is run; with
// [Bound], each schedule of at most so many preemptions. Go's atomics are sequentially consistent,
// so for a program without data races nothing else can happen, and a data race is a failure. A loop
// that gives way or waits for time goes round freely a few times, see [Rounds]; if that has left out
// an order, the report says so. The README says where else it is not so.
//
// A failure is one with few preemptions, if there is one with few, and its schedule leads to it
// again, each time. In a schedule, 1:5 is five operations of thread 1, and (1:1 2:1)*9 is nine times
// what the parentheses hold; the README has the rest.
//
// # What a test must be like
//
// It is deterministic but for the schedule, and makes all that it uses anew: nothing depends on the
// real time, chance, addresses, the order of a map or an earlier execution. It waits for nothing
// that the explorer does not see. It has at most 64 threads, and an end.
//
// # Cost
//
// A step costs some tens of nanoseconds if the same thread goes on, else about a microsecond. How
// many schedules there are depends on how many steps affect each other: some dozens of operations
// of two or three goroutines have between some dozens and tens of thousands. Explorations take turns
// in a process, and GOMAXPROCS is 1 meanwhile.
//
// The README beside the code says how it works. The idea is that of CHESS (Musuvathi and Qadeer,
// PLDI 2007), loom and shuttle (Rust) and DSCheck (OCaml).
package explore
