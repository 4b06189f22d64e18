// Package work holds the jobs that [bench] measures. Each is a [Program]: the
// same leaf code in the shapes in which different implementations can run it.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package work
