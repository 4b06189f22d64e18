// Package latch holds flags that are set once and let somebody sleep until
// then.
//
//   - [Core] has four states and one waiter, a worker of a pool. It knows
//     nothing of how the worker sleeps: Set reports whether the waiter must be
//     woken, and the caller does it. [Count] is a Core that opens when a count
//     has come down to zero. Both implement [api.Latch].
//   - [Outside] is for goroutines that are no workers: any number of them may
//     wait, with a context, and it wakes them itself.
//
// Set may be called by any goroutine. GetSleepy, FallAsleep and WakeUp belong
// to the one waiter. Everything that happens before a Set happens before
// whatever follows a Probe that returned true, a GetSleepy or FallAsleep that
// returned false, or a Wait that returned nil.
//
// Beside the rules of api, this package keeps two of its own:
//
//   - L6. Set of an Outside releases all that wait, in any number. Wait returns
//     nil if the latch is set, even if its context has ended too, and otherwise
//     the error of its context. A wait that is given up leaves nothing behind,
//     and the others wait on.
//   - L7. A Count opens when its count comes down to zero, not before, and exactly
//     one call opens it.
//
// The states, the race that needs four of them and a proof sketch are in
// README.md beside this file. The core latch is the one of "Blitz: Sleep/Wake
// Protocol", which has it from rayon-core.
package latch
