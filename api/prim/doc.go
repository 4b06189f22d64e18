// Package prim holds the synchronization primitives that every module of
// Rouse is built on, in one place so that a driver can replace them all.
//
// In a normal build each type is an alias of the type in [sync] or
// [sync/atomic] with the same name, so using prim costs nothing. A backend
// that imports prim instead of those packages can be driven by a scheduler,
// without a change to its code.
//
// With the build tag explore the same names are types that ask a driver before
// each operation, and wait in the driver instead of in the Go scheduler. Module
// explore is such a driver: a model checker that runs a program through its
// interleavings. Package simulate is another: it runs a program on virtual
// processors, and measures. Without a driver the types behave as in a normal
// build.
//
// [Declare], [DeclareSlice] and [Touch] tell a simulator which cells share a cache
// line, and where plain accesses meet those of other processors. A normal build has
// no instruction for them.
//
// Atomic operations behave as if executed in one sequentially consistent order, as
// the Go memory model says. The proofs in the other modules rely on that order and
// on nothing else.
//
// Channels and contexts are not replaced. To wait without them, use [Cond] or
// [Parker]. To act when a context ends, use [Parker.ParkContext] or
// [AfterFunc].
package prim
