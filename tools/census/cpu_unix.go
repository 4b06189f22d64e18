//go:build unix

package census

import (
	"syscall"
	"time"
)

// CPUTime returns the user and system time that the process has used until
// now, and false where the platform does not say.
func CPUTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
