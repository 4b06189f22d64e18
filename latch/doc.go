// Package latch holds flags that are set once, and that a goroutine can wait for.
//
//   - [Core] has one waiter, a worker of a pool. It does not know how the worker
//     sleeps: Set reports whether the waiter must be woken, and its caller wakes
//     it. [Count] is a Core that is set when a count reaches zero. Both implement
//     [api.Latch].
//   - [Outside] is for goroutines that are not workers: any number of them may
//     wait, with a context, and Set wakes them.
//
// Any goroutine may call Set; only the one waiter calls GetSleepy, FallAsleep and
// WakeUp. What happens before a Set happens before what follows a Probe that
// returned true, a GetSleepy or FallAsleep that returned false, or a Wait that
// returned nil.
//
// Besides the rules of api, this package keeps two of its own:
//
//   - L6. Set of an Outside releases all waiters. Wait returns nil if the latch is
//     set, even if its context is done too, and otherwise the error of its context.
//     A wait that gives up leaves nothing behind, and the others wait on.
//   - L7. A Count is set when its count reaches zero, not before, and exactly one
//     call sets it.
//
// README.md beside this file has the states, the race that needs four of them, and
// a proof sketch. Core is the latch of "Blitz: Sleep/Wake Protocol", which took it
// from rayon-core.
package latch
