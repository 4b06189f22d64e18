// Package scenarios holds small concurrent programs on parts of a pool, each with a
// rule of package api at stake, for package explore to run under every schedule
// within a bound on preemptions, and under random ones beyond it. [Run] explores
// programs of your own.
//
// They take factories, so that you can run them on parts of your own that
// synchronize through api/prim:
//
//	func TestMySleep(t *testing.T) {
//		scenarios.TestSleep(t, mysleep.New)
//	}
//
// Run that with go test -tags explore; without the tag the tests are skipped.
// The environment variable ROUSE_DEPTH says how deep to go: quick, the default,
// is for every run of the tests and takes seconds; full takes minutes and runs
// 100,000 random schedules of each scenario besides, and of those that have a bound as
// many without one; a number is the bound on preemptions for all, without random
// schedules. ROUSE_REPORT names a file to which a line of JSON is added for each
// scenario, a [Result]. ROUSE_SCHEDULE replays a schedule that has failed.
package scenarios
