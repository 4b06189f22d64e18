// Package explore is a model checker for concurrent Go. It runs a test again and again, each time
// under another schedule of its goroutines, until a run fails or no schedule is left that could make
// a difference. It shows a failure step by step, with a command that replays it.
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
// [Test] is for ordinary Go: goroutines, channels, sync, sync/atomic, time, context. Run it with
// the command explore, which rewrites the tested packages for this run alone, so that they ask the
// explorer before each step:
//
//	go get -tool github.com/rouse-go/rouse/explore/cmd/explore
//	go tool explore test [-run regexp] [packages]
//
// Under plain go test, Test skips. The README says what to do before there is a release.
//
// [Check] and [Explore] are for code that synchronizes with package api/prim. In a normal build its
// types are those of sync and sync/atomic; with a build tag they ask the explorer first:
//
//	go test -tags explore [-race] [packages]
//
// Without the tag, Check skips. With -race, the race detector reports data races as if the threads
// ran in parallel.
//
// # Guarantees
//
// With [Unbounded], the default of Test, the explorer runs each order of the steps that affect each
// other. With [Bound], it runs each schedule with at most that many preemptions. Go's atomics are
// sequentially consistent, so nothing else can happen in a program without data races, and a data
// race is a failure. A loop that gives way or waits for time goes round freely only a few times, see
// [Rounds]; if that has left out an order, the report says so. The README lists the other limits.
//
// If a schedule with few preemptions fails, the failure that you see is such a one. Its schedule
// always leads to it again. In a schedule, 1:5 is five operations of thread 1, and (1:1 2:1)*9 is
// nine times what the parentheses hold; the README has the rest.
//
// # What a test must be like
//
// Only the schedule may differ between two runs of the test: nothing may depend on real time, chance,
// addresses, the order of a map, or an earlier run. So the test creates everything that it uses. It
// waits only for what the explorer sees, has at most 64 threads, and ends.
//
// # Cost
//
// The number of schedules depends on how many steps affect each other. A few dozen operations on two
// or three goroutines have from some dozens to some tens of thousands of schedules, which take from
// milliseconds to seconds. Explorations in one process take turns, and GOMAXPROCS is 1 meanwhile.
//
// The README beside the code says how it works. The idea is that of CHESS (Musuvathi and Qadeer,
// PLDI 2007), loom and shuttle (Rust) and DSCheck (OCaml).
package explore
