// Package jec puts idle workers to sleep on a mutex and a condition variable
// each, and decides by the jobs event counter whom to wake.
//
// [New] makes an [api.Sleep] that is also an [api.Lender] and an [api.Meter].
// StartLooking, NoWork, Park and Found are for the goroutine that has the worker's
// seat at the time; everything else may be called by anybody, concurrently. A worker
// that sleeps is parked by the Go runtime: it holds no thread and takes no
// step.
//
// The sleeper holds its own mutex from the moment it gives up until it blocks,
// so whoever wants to wake it, or to borrow its seat, waits that long and then
// finds it either awake or blocked, never in between. That makes this backend
// the easier one to follow; package futex does the same without a lock.
//
// The protocol, its race and why no wake is missed stand in the README beside
// the code. It implements "Rayon: the sleep module" and "Blitz: Sleep/Wake
// Protocol" with the errors of the latter corrected.
package jec
