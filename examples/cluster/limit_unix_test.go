//go:build unix

package cluster

import (
	"os/signal"
	"syscall"
)

// limitFiles lets this process and its children write no file beyond n bytes: an attempt is an error, as if
// the disk were full.
func limitFiles(n uint64) {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: n, Max: n}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
}
