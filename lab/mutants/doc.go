// Package mutants holds parts that are broken on purpose, each in one place,
// to check that the conformance suite and the scenarios notice. The numbers in
// their names are those of the list in the README of the conformance module.
//
// For each interface there is one small implementation that is right unless a
// fault is switched on, so that what a mutant does wrong is the line that asks
// for the fault. TestMutants runs the suite on each in a process of its own, and
// expects a failure that cites one of the rules which the mutant breaks, within
// seconds; and no failure without a fault.
//
// A [Mutant] breaks the code that ships: a row of a table says which declaration, what is
// done there, and what must notice. [Judge] builds all those of a mode and a package into
// one program, chooses one when the program starts, and runs what must fail on it; and the
// same without any, which must pass.
package mutants
