// Package jec puts idle workers to sleep on a mutex and a condition variable
// each, and decides by the jobs event counter which to wake.
//
// [New] makes an [api.Sleep] that is also an [api.Lender], an [api.Meter] and an
// [api.Starter]. StartLooking, NoWork, Park and Found are for the goroutine that has the
// worker's seat at the time; any goroutine may call everything else, concurrently. A
// worker that sleeps is parked by the Go runtime, holds no thread and takes no step. With
// [WithoutGoroutines] it has no goroutine either.
//
// A worker that sleeps can be claimed, to be woken or to lend its seat, by one atomic
// step on a word for 64 workers. No lock is held over a look for work.
//
// The protocol, its race and why no wake is missed stand in the README beside
// the code. It implements "Rayon: the sleep module" and "Blitz: Sleep/Wake
// Protocol" with the errors of the latter corrected.
package jec
