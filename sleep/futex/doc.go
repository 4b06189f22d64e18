// Package futex puts idle workers to sleep on a 32-bit word each, without a
// lock anywhere, and decides by the jobs event counter whom to wake.
//
// [New] makes an [api.Sleep] that is also an [api.Lender] and an [api.Meter].
// StartLooking, NoWork, Park and Found are for the goroutine that has the worker's
// seat at the time; everything else may be called by anybody, concurrently.
//
// On Linux a sleeper waits in the kernel's futex, on Windows in WaitOnAddress,
// and holds a thread while it does; the waker pays one call. Elsewhere, and
// where there are more workers than processors, the Go runtime parks the sleeper
// behind the same protocol; it then holds no thread. [WithGoroutinePark] and
// [WithThreadPark] choose.
//
// The protocol, its race and why no wake is missed stand in the README beside
// the code. It implements "Blitz: Lock-Free Futex Wake" on the counters of
// "Rayon: the sleep module", with a word for each worker in place of a shared
// one.
package futex
