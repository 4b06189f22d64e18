package tape

import (
	"syscall"
	"time"
)

// processors returns how long the process has used processors, and 0: Windows does not say how long
// its threads have waited for one.
func processors() (used, waited time.Duration) {
	var begun, ended, kernel, user syscall.Filetime
	process, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(process, &begun, &ended, &kernel, &user) != nil {
		return 0, 0
	}
	return duration(kernel) + duration(user), 0
}

// duration converts a time, which a Filetime counts in units of 100 ns.
func duration(t syscall.Filetime) time.Duration {
	return 100 * time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime))
}
