// Package futex puts idle workers to sleep on a 32-bit word each, without a
// lock anywhere. It builds on package jec, and decides as that does which worker to wake.
//
// [New] makes an [api.Sleep] that is also an [api.Lender] and an [api.Meter].
//
// On Linux a sleeper waits in the kernel's futex, on Windows in WaitOnAddress,
// and holds a thread while it does; the waker pays one call. Elsewhere, where there are
// more workers than processors, and where the sleepers of all pools hold as many threads
// as there are processors, the Go runtime parks the sleeper, which then holds no thread.
// [WithGoroutinePark], [WithThreadPark] and [WithThreadLimit] choose.
//
// How the word works stands in the README beside the code. It implements "Blitz:
// Lock-Free Futex Wake", with a word for each worker in place of a shared one.
package futex
