// Package census counts what is in a directory tree: files, bytes, lines and
// words, and in Go files declarations and identifiers, with a SHA-256 digest
// of every file and of every directory.
//
// It does the same work in three ways, to be read beside each other:
// [Sequential] is the plain recursion, [Goroutines] starts a goroutine for
// each directory entry, and [Pool] forks each entry on a [pool.Pool]. The
// result does not depend on the way, nor on the schedule. [Measure] compares what
// they cost.
//
// Links are not followed. What cannot be read or parsed is listed in the
// result and does not end the work.
package census
