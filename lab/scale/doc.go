// Package scale has the rows that show how a pool scales: small programs, each
// with one definition that two commands share. The command lab scale measures
// them on the machine at hand; lab predict runs them in the simulator.
//
// A program calls two functions that stand for its user's work. In a normal
// build, one of them keeps the processor busy, and the other is empty, because
// the code around it is the work. Under the build tag explore, both only move the
// clock of the simulator (see package simulate of the conformance module).
//
// Each row counts its own work and span, from its definition and not from a run:
// so Graham's bound stands beside what was measured or predicted.
package scale
