//go:build unix

package pool_test

import (
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, a program that hangs ends at SIGQUIT without a dump, or without Go's own text.
func TestDumpAtSignal(t *testing.T) {
	out := child(t, func() {
		ExamplePool_Dump_signal()
		do(t, pool.Default(), func(*pool.Worker) {
			syscall.Kill(syscall.Getpid(), syscall.SIGQUIT)
			select {}
		})
	})
	says(t, "P30", out, "pool: jobs begun: 1; workers: ", "[select (no cases)]", "SIGQUIT: quit", "goroutine ")
}
