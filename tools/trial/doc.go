// Package trial runs one job in several ways and compares what they cost. The
// job is a [census] of a directory tree; the ways are the plain recursion, a
// goroutine for each entry, and the pool with each combination of backends.
package trial
