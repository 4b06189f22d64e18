// Package impl holds the implementations that [bench] compares.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package impl
