// Package deque holds the queues of a work-stealing pool.
//
//   - [ChaseLev] is the lock-free deque of one worker: its owner pushes and pops
//     at one end, any goroutine steals at the other.
//   - [Locked] is the same behind a mutex, as a plain reference. Measure your own
//     deque against it.
//   - [Injector] is a lock-free first-in first-out queue: any goroutine pushes, and
//     any takes.
//
// The deques implement [api.Deque], and the injector [api.Injector], with their
// numbered rules. Items are pointers, never nil. A taken item is not kept reachable:
// in a deque from the owner's next operation on, in the injector at once.
//
// One goroutine at a time may be the owner of a deque. Two owners at once are a data
// race, which the race detector reports.
//
// Besides the rules of api, this package keeps one of its own:
//
//   - D10. A new deque or injector has the capacity that its documentation says. A
//     capacity out of range and a nil item panic with a message that says so, before
//     anything has changed.
//
// README.md beside this file says why they are right. Sources: Chase and Lev,
// "Dynamic Circular Work-Stealing Deque", SPAA 2005; Lê, Pop, Cohen and Zappa
// Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", PPoPP
// 2013; Michael and Scott, "Simple, Fast, and Practical Non-Blocking and
// Blocking Concurrent Queue Algorithms", PODC 1996; Correia and Ramalhete,
// "FAAArrayQueue", 2016.
package deque

// cacheLine is the span within which two words disturb each other: amd64
// fetches lines of 64 bytes in pairs, arm64 has lines of up to 128.
const cacheLine = 128

// A push of nil panics with errNil: an empty queue gives nil.
const errNil = "deque: push of nil"
