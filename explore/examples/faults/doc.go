// Package faults has a fault of each kind that explore.Test finds, and the same code without the
// fault: one test for each construct of the language and the library. Where the two differ in a value,
// planted.Pair runs explore.Test with that of the fault, and then with the other.
//
//	go tool explore test -v ./explore/examples/faults
//
// Package internal/public has tests of modules that others wrote; these need the flag -with.
package faults
