// Package results says what came of a benchmark: as a table, as JSON, in the
// format of the Go benchmarks, as a page to look at.
package results
