//go:build unix

package tape

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// processors returns how long the process has used processors, and how long its threads have waited for
// one, as far as Linux says so.
func processors() (used, waited time.Duration) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err == nil {
		used = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	threads, _ := filepath.Glob("/proc/self/task/*/schedstat") // elsewhere there is none
	for _, thread := range threads {
		var ran, wait time.Duration
		if text, err := os.ReadFile(thread); err == nil {
			if _, err := fmt.Fscan(bytes.NewReader(text), &ran, &wait); err == nil {
				waited += wait
			}
		}
	}
	return used, waited
}
