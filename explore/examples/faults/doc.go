// Package faults has a fault of each kind that explore.Test finds, and the same without the
// fault: one test for each construct of the language and the library.
//
//	go tool explore test -v ./explore/examples/faults
//
// Of errgroup, semaphore and singleflight, and of other modules, package internal/public has tests:
// they need the flag -with.
package faults
