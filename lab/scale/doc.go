// Package scale has the rows that show how a pool scales: small programs, each
// with one definition that two commands share. The command lab scale measures
// them on the machine at hand; lab predict runs them in the simulator.
//
// What stands for the user's work is in package user: in a normal build it takes
// time; under the build tag explore it moves the clock of the simulator.
//
// Each row counts its own work and span, from its definition and not from a run:
// so Graham's bound stands beside what was measured or predicted.
package scale
