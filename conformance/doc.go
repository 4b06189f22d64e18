// Package conformance checks parts of a pool against the numbered rules of
// package api: [TestDeque], [TestInjector], [TestLatch], [TestCounters] and
// [TestSleep] for one part each, [TestPool] for a pool, [TestFill] and
// [TestLatency] for a pool in virtual time, [TestAtRest] for one without
// goroutines, [TestMatrix] for pools of every combination of parts, and [TestMix]
// for pools that call each other.
//
// Call each from an ordinary test, with a function that makes the part or
// pool to check. It runs many subtests, each on instances of its own:
//
//	func TestMyDeque(t *testing.T) {
//		conformance.TestDeque(t, func() api.Deque[int] { return mine.New[int]() })
//	}
//
// A failure cites the broken rule, and says what was seen. A subtest never
// hangs: a wait that does not end is reported with the stacks of all
// goroutines, with what it was waiting for, and what that means.
//
// Subtests of three kinds complement each other. Models compare sequences of
// operations by one goroutine with what they should do. Schedules put an event
// at each step of another goroutine where the interface lets them in, so that
// their finds do not depend on luck. Stress leaves everything to luck, and is
// worth running under the race detector, for longer ([WithStress]) and on many
// machines.
//
// README.md says what is checked where, and what is not.
package conformance
