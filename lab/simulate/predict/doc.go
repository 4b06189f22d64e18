// Package predict says how a pool scales: small programs, and their speed-ups over plain
// code on several numbers of workers. With the build tag explore it predicts them, by
// simulation; in a normal build it measures the same programs on the machine at hand. So
// a machine of many processors can refute what was predicted.
//
// Each row counts its own work T₁ and its span T∞, from its definition and not from a
// run. Three numbers say how good a speed-up is:
//
//   - Graham's bound: what a greedy schedule gains at least if forks, steals and wakes
//     take no time (Graham 1969).
//   - Of bound compares with one worker of the same pool. What each fork costs by itself
//     is on both sides, and what is left is how well the work is shared. If T₁ is the
//     time with one worker and TP with P, a greedy schedule takes at most T₁/P + T∞, and
//     of bound is (T₁/P + T∞)/TP. T∞ is the span of the row times T₁/work: what the pool
//     costs lies on the span as it lies on the work.
//   - Ramp is the time until all useful workers have first worked, as many as the program
//     has parallelism for. If some never work, it is all of the elapsed time.
//
// The other columns say where the time of all workers goes: to the program's own work, to
// operations on cache lines that are here, to lines that come from other processors; the
// rest is spent looking for work, asleep, and in Go's scheduler. The last column names the
// line that costs most.
package predict
