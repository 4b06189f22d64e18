// Package bench measures workloads on implementations, all in one run.
//
// A [Workload] is a job with a known answer, an [Implementation] something that
// can run it: plain code, goroutines, other libraries, the pool with each of
// its backends, programs in other languages. A [Plan] measures every workload
// on every implementation that can run it, in short pieces by turns, so that
// whatever the machine does meanwhile hits all alike, and checks each answer.
package bench
