// Package futex puts each idle worker to sleep on a 32-bit word of its own, without a
// lock. Like package jec, on which it is built, it decides which worker to wake.
//
// [New] makes an [api.Sleep] that is also an [api.Lender] and an [api.Meter].
//
// On Linux a sleeper waits in the kernel's futex, on Windows in WaitOnAddress. It holds
// a thread while it waits, and its waker pays for one system call. On other systems the Go
// runtime parks the sleeper, which then holds no thread. It also does so if there are more
// workers than processors, or if the sleepers of all pools hold as many threads as there
// are processors. [WithGoroutinePark], [WithThreadPark] and [WithThreadLimit] choose.
//
// README.md beside this file says how the word works. It follows "Blitz: Lock-Free
// Futex Wake", but with a word for each worker in place of a shared one.
package futex
