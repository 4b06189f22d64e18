// Package counters is the packed word through which posters and sleepers of a
// pool agree: the number of sleeping workers, the number of inactive ones, and
// the jobs event counter (JEC), in 64 bits that change together.
//
// [Counters] implements [api.Counters]. Every method is one atomic step and
// may be called by any goroutine at any time; all of them together happen in
// one total order. A step that breaks 0 <= sleeping <= inactive <= workers panics,
// because the caller's protocol is broken then and a saturated count would only
// hide it. The word is void afterwards: it must not be used again.
//
// A [Set] says beside it which workers sleep, so that one can be claimed in a step.
//
// Beside the rules of api, this package keeps two of its own:
//
//   - C7. Each worker that was added to a Set is claimed exactly once, by Take or
//     by Remove. Take claims the lowest number, and fails only if it met no worker.
//   - C8. The numbers of wakes that [ToWake] and [Successors] return follow from
//     the counts as their documentation says, and never exceed those that sleep.
//
// README.md beside this file says what the word promises to a sleeper, and
// what not. The packing follows "Rayon: the sleep module" and "Blitz: Thread
// Pool"; the transitions of the JEC follow Rayon, not Blitz.
package counters
