// Package conformance checks parts of a pool against the numbered rules of
// package api: [TestDeque], [TestInjector], [TestLatch], [TestCounters] and
// [TestSleep] for one part each, [TestPool] for a pool, [TestFill] and
// [TestLatency] for a pool in virtual time, [TestAtRest] for one without
// goroutines, [TestMatrix] for pools of every combination of parts, and [TestMix]
// for pools that call each other.
//
// Each is called from an ordinary test, with a function that makes what is to
// be checked, and runs many subtests, each on instances of its own:
//
//	func TestMyDeque(t *testing.T) {
//		conformance.TestDeque(t, func() api.Deque[int] { return mine.New[int]() })
//	}
//
// A failure cites the rule that is broken, and says what was seen. A subtest
// never hangs: what does not end is reported with the stacks of all
// goroutines, together with what it was waiting for, and what that means.
//
// Subtests of three kinds complement each other. Models compare sequences of
// operations by one goroutine with what they should do. Schedules put an event
// at each step of another goroutine where the interface lets them in, so that
// what they find does not depend on luck. Stress leaves everything to luck, and
// is worth running under the race detector, for longer ([WithStress]) and on
// many machines.
//
// What is checked where, and what is not, is in README.md.
package conformance
