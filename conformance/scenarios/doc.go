// Package scenarios holds small concurrent programs on parts of a pool, for package explore to
// run under every schedule within a bound on preemptions, and under random schedules beyond it.
// Each program is about one rule of package api. [Run] explores programs of your own.
//
// The functions take factories. So you can run the programs on your own parts, if these
// synchronize through api/prim:
//
//	func TestMySleep(t *testing.T) {
//		scenarios.TestSleep(t, mysleep.New)
//	}
//
// Run that with go test -tags explore. Without the tag the tests are skipped.
//
// The environment variable ROUSE_DEPTH says how deep to go:
//
//   - quick, the default, takes seconds. It is for every run of the tests.
//   - full takes minutes. It runs 100,000 random schedules of each scenario besides, and as
//     many without a bound of each scenario that has one.
//   - a number is the bound on preemptions for all scenarios, without random schedules.
//
// ROUSE_REPORT names a file to which each scenario adds a line of JSON, a [Result].
// ROUSE_SCHEDULE replays a schedule that has failed.
package scenarios
