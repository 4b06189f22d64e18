// Package prim holds the synchronization primitives that every module of
// Rouse is built on, under one roof so that they can be replaced as one.
//
// In a normal build each type is an alias of the type in [sync] or
// [sync/atomic] with the same meaning, so using prim costs nothing. A backend
// that imports prim instead of those packages can be driven by a scheduler
// that replaces the primitives, without a change to its code.
//
// Everything here keeps the Go memory model: atomic operations behave as if
// executed in one sequentially consistent order, and the proofs in the other
// modules rely on that order and on nothing else.
//
// Channels and contexts are not covered. What must wait without them uses
// [Cond] or [Parker].
package prim
