// Package modules checks that the repository's modules can be used one by one:
// that each builds, its examples run and it is tidy outside the workspace, that
// imports follow the arrows of the design, and that a consumer of one module
// gets that and what it is built on, and nothing else.
package modules
