// Package api holds the narrow interfaces between the parts of Rouse, each
// with the numbered rules that an implementation must keep.
//
// The pool is composed of these parts and knows them only by the interfaces
// here: [Deque] and [Injector] hold jobs, [Sleep] (with the optional [Lender]
// and [Meter]) decides which workers sleep and are woken, a sleeper waits for a
// [Latch]. To write a part of your own, implement one of them and run the
// conformance suite on it; every failure there cites a rule by the number it has
// here.
//
// The module requires nothing from elsewhere. Package prim beside it holds the
// synchronization primitives that the parts are built on.
//
// # Words
//
// A worker is active while it runs a job, idle while it looks for one, sleepy
// once it has announced that it will sleep, and sleeping while it is blocked.
// Inactive means idle, sleepy or sleeping. To post work is to put it where
// others can find it and to tell the sleep backend.
//
// CHANGELOG.md beside this file says what has changed in the rules.
package api
