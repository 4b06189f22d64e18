// Package scenarios holds small programs on pools, and with loops, each with a rule of
// package pool or par at stake, for every schedule within a bound on preemptions: as
// those for parts of a pool in package scenarios of module conformance, which explores
// them and says how deep.
//
// Some are in a language of their own: see language.go.
package scenarios
