// Package waits runs programs whose jobs wait: with a lock held across a join,
// and beside the long jobs of other callers. Each program ends when every fork
// is a thread. The package says which implementation hangs or is late.
//
// An implementation is a child process, so that one that hangs can be killed. It
// speaks the protocol of lab/peers. [Serve] is its side for those in Go.
package waits
