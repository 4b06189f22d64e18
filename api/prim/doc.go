// Package prim holds the synchronization primitives that every module of
// Rouse is built on, under one roof so that they can be replaced as one.
//
// In a normal build each type is an alias of the type in [sync] or
// [sync/atomic] with the same meaning, so using prim costs nothing. A backend
// that imports prim instead of those packages can be driven by a scheduler
// that replaces the primitives, without a change to its code.
//
// With the build tag explore the same names are types that ask a driver before
// each operation, and wait in it instead of in the Go scheduler. Module
// explore is such a driver: a model checker that runs
// a program through its interleavings. Package simulate is another one: it runs
// a program on virtual processors, and measures. While no driver is installed
// the types behave as those of a normal build.
//
// [Declare], [DeclareSlice] and [Touch] tell a simulator what only a simulator
// needs: which cells share a cache line, and where plain accesses meet those of
// other processors. A normal build has no instruction of them.
//
// Everything here keeps the Go memory model: atomic operations behave as if
// executed in one sequentially consistent order, and the proofs in the other
// modules rely on that order and on nothing else.
//
// Channels and contexts are not covered. To wait without them, use [Cond] or
// [Parker]. To act when a context ends, use [Parker.ParkContext] or
// [AfterFunc].
package prim
