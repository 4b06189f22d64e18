// Package vet checks programs for workers that are used outside their job, and for
// parallel loops where a fork is meant.
//
// A [pool.Worker] belongs to one job and to the goroutine that runs it, and the
// compiler does not see where it goes. [Analyzer] reports a place only if it is wrong in
// practically every program. It follows no calls and no fields of structs that outlive a
// job, so it misses some.
//
// A call of package par at each node of a tree costs more than most nodes. [Trees] reports
// those over few elements. The program is right, and slow.
package vet
