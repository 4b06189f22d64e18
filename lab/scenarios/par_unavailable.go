//go:build !explore

package scenarios

// Nothing is explored without the tag, and what takes all operations of par takes several
// seconds to compile.
var parCases, parListCases, parStreamCases, parPipeCases []poolCase
