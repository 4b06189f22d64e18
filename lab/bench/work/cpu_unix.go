//go:build unix

package work

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used.
func cpuTime() (t time.Duration, ok bool) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), err == nil
}
