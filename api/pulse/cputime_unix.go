//go:build unix

package pulse

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that the process has used, if the system tells.
func CPUTime() (used time.Duration, known bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
