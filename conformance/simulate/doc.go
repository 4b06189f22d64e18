// Package simulate runs a concurrent program on virtual processors and says how
// long it takes there, and where the time goes.
//
// The program is the code that ships. It must synchronize through package
// api/prim, whose types are those of sync and sync/atomic in a normal build;
// with the build tag explore they ask this package before each operation.
package simulate
