// Package jec decides which idle workers sleep and which to wake. Each worker sleeps
// on a mutex and a condition variable of its own.
//
// [New] makes an [api.Sleep] that is also an [api.Lender], an [api.Meter] and an
// [api.Starter]. Only the goroutine that has the worker's seat calls StartLooking,
// NoWork, Park and Found; any goroutine may call the other methods at any time.
//
// A worker that sleeps is parked by the Go runtime: it holds no thread and uses no
// processor time. With [WithoutGoroutines] it has no goroutine either. To claim a
// sleeper costs one atomic write. No lock is held during a search for work.
//
// README.md beside this file has the protocol, its race, and why no wake is missed. It
// follows "Rayon: the sleep module" and "Blitz: Sleep/Wake Protocol", with the errors
// of the latter corrected.
package jec
