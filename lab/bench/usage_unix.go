//go:build unix

package bench

import (
	"syscall"
	"time"
)

// ownKernel returns what the kernel has counted for this process.
func ownKernel() (cpu time.Duration, slept int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return -1, -1
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Nvcsw)
}
