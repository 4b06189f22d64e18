// Package conform runs the tests of the conformance module and makes tables of
// what they say: which rules were checked on which combination of backends,
// which scenarios were explored how far, and what has killed each mutant.
//
// It knows nothing of the tests but what they tell the reader of go test -json
// by attributes (testing.T.Attr): rule, of a check of the suite, and short, of one
// that ran with -short; explored, of a scenario, in JSON.
package conform
