// Package counters is the packed word through which posters and sleepers of a
// pool agree: how many workers sleep, how many are inactive, and the jobs event
// counter (JEC), in 64 bits that change together.
//
// [Counters] implements [api.Counters]. Any goroutine may call any method at any
// time. Every method is one atomic step, and all steps have one total order. A step
// that breaks 0 <= sleeping <= inactive <= workers panics: a caller has broken the
// protocol, and a saturated count would only hide that. The word is void then, and
// must not be used again.
//
// A [Set] knows which workers sleep; one step claims one of them.
//
// Besides the rules of api, this package keeps two of its own:
//
//   - C7. Each worker that was added to a Set is claimed exactly once, by Take or
//     by Remove. Take claims the lowest number, and fails only if it met no worker.
//   - C8. The numbers of wakes that [ToWake] and [Successors] return follow from
//     the counts as their documentation says, and never exceed those that sleep.
//
// README.md beside this file says what the word promises to a sleeper, and
// what it does not. The packing follows "Rayon: the sleep module" and "Blitz: Thread
// Pool"; the transitions of the JEC follow Rayon, not Blitz.
package counters
