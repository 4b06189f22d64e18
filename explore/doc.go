// Package explore is a model checker for concurrent Go code: it runs a scenario
// under schedule after schedule, every one within a bound on preemptions, and
// reports the first that fails with a trace and a short string that replays it.
//
// The code under test is the code that ships. It must synchronize through
// package api/prim, whose types are those of sync and sync/atomic in a normal
// build; with the build tag explore they ask this package before each
// operation. Go's atomics are sequentially consistent, so for a program without
// data races nothing is missed within the bound.
//
//	func TestAdd(t *testing.T) {
//		explore.Check(t, func(x *explore.Exec) {
//			var n prim.Int64
//			for range 2 {
//				x.Go("adder", func() { n.Add(1) })
//			}
//			x.Wait()
//			if n.Load() != 2 {
//				x.Errorf("%d, want 2", n.Load())
//			}
//		}, explore.Bound(3))
//	}
//
// Run it with go test -tags explore; with -race as well, data races are reported
// as if the threads ran in parallel. Without the tag [Check] skips the test.
//
// The scenario is thread 0. Goroutines that it starts by [Exec.Go], and that the
// code under test starts by prim.Go, are further threads. An execution fails if
// a thread panics, if [Exec.Errorf] is called, if all threads are blocked and
// not all have ended, and if it takes more than [MaxSteps] operations.
//
// A scenario must be deterministic but for the schedule, and build all that it
// uses anew: nothing may depend on time, chance, the order of a map or an earlier
// execution. Nothing may block but on types of package prim.
//
// The README beside the code says how it works and what its limits are. The idea
// is that of CHESS (Musuvathi and Qadeer, PLDI 2007), loom and shuttle (Rust) and
// DSCheck (OCaml).
package explore
