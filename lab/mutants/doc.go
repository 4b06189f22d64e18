// Package mutants breaks the code that ships on purpose, each time in one place, to check
// that the conformance suite, the scenarios and the parts' own tests notice.
//
// A [Mutant] is a row of a table. It says which declaration is changed, what is
// done there, and what must notice. [Judge] builds all those of a mode and a package into
// one program, chooses one when the program starts, and runs what must fail on it; and the
// same without any, which must pass.
package mutants
