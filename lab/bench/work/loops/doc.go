// Package loops holds the jobs of package [work] that are loops, for module par and for what
// others have for loops. It is apart, because these libraries take long to compile and the
// simulator needs none of them.
//
// [work]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench/work
package loops
