// Package mutants holds parts that are broken on purpose, each in one place,
// to check that the conformance suite notices.
//
// For each interface there is one small implementation that is right unless a
// fault is switched on, so that what a mutant does wrong is the line that asks
// for the fault. The numbers are those of the list in README.md. The tests
// run the suite on each mutant in a process of its own, and expect a failure
// that cites one of the rules which the mutant breaks, within seconds; and no
// failure without a fault.
package mutants
