//go:build unix

package work

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // The call has nothing that can be wrong.
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
