// Package elsewhere checks the types of the repository's packages for platforms that
// this one is not. The script run.sh beside it runs the tests for some of them.
package elsewhere
