// Package vet finds workers that are used outside their job, and parallel loops where
// you should fork.
//
// A [pool.Worker] belongs to one job and to the goroutine that runs it. The compiler does
// not check that; [Analyzer] does. It reports a place only if it is wrong in practically
// every program. It does not follow calls, or fields of structs that outlive a job, so it
// misses some places.
//
// Calling package par at each node of a tree costs more than most nodes. [Trees] reports
// such calls over few elements. The program is right, but slow.
package vet
