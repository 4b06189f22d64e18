// Package vet checks programs that use the pool for workers that go astray: a
// [pool.Worker] belongs to one job and to the goroutine that runs it, and the
// compiler does not see where it goes.
//
// [Analyzer] reports a place only if it is wrong in practically every program. It
// follows no calls and no fields of structs that outlive a job, so it misses some.
package vet
