// Package waiting is a model of how a pool waits: a job that must wait gives up
// its seat and is set aside, and nothing runs on top of it but what it waits
// for.
//
// A [Program] is a handful of jobs that fork, join, spawn, submit, lock and
// block. [Program.Search] goes through every interleaving of it on an abstract
// pool that follows [Rules], and [Program.WithGoroutines] through every
// interleaving of the same program with a goroutine for each job. The promise
// is that the first ends if the second does. Each rule can be turned off, and
// the tests have a program that needs it.
//
// The model knows nothing of package pool. See the README for what it models
// and what it leaves out.
package waiting
