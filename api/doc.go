// Package api holds the narrow interfaces between the parts of Rouse, each
// with the numbered rules that an implementation must keep.
//
// A pool knows its parts only by these interfaces: [Deque] and [Injector] hold
// jobs; [Sleep], with the optional [Lender], [Starter] and [Meter], decides which
// workers sleep and which are woken; a sleeper waits for a [Latch]. To write a part
// of your own, implement one of them, and run the conformance suite on it: each
// failure names a rule by its number here.
//
// The module requires no other module. Package prim beside it holds the
// synchronization primitives that the parts are built on.
//
// # Words
//
// A worker is active while it runs a job, idle while it looks for one, sleepy
// once it has announced that it will sleep, and sleeping while it is blocked.
// Inactive means idle, sleepy or sleeping. A seat is the place of one worker in
// the pool; one goroutine at a time has it. To post work is to put it where
// others can find it, and to tell the sleep backend.
//
// CHANGELOG.md beside this file lists the changes of the rules.
package api
