// Package conformance checks the parts of a pool against the numbered rules of package api.
//
// [TestDeque], [TestInjector], [TestLatch], [TestCounters] and [TestSleep] check one part
// each. [TestPool] checks whole pools, and [TestMatrix] pools of every combination of parts.
// [TestFill] and [TestLatency] check how soon jobs are done, in virtual time, [TestAtRest]
// pools that have no goroutine at rest, and [TestMix] pools that call each other.
//
// Call each from an ordinary test, with a function that makes the part or the pool. It runs
// many subtests, each on instances of its own:
//
//	func TestMyDeque(t *testing.T) {
//		conformance.TestDeque(t, func() api.Deque[int] { return mine.New[int]() })
//	}
//
// A failure begins with the broken rule, and says what was seen. If something hangs, the
// subtest fails: it says what it waited for, which rule that breaks, and where all goroutines
// are.
//
// There are three kinds of subtests. Models compare sequences of operations by one goroutine
// with what they should do. Schedules stop a goroutine at each step where the interface lets
// them in, and let another one act there; so they do not depend on luck. Stress does. Run it
// under the race detector, for longer ([WithStress]) and on many machines.
//
// README.md says what is not checked.
package conformance
