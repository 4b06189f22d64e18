//go:build unix

package pool_test

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/rouse-go/rouse/pool"
)

// A program that hangs says which job waits for which when it gets SIGQUIT (Ctrl-\ on a terminal).
// Then Go's own text follows, with the stacks of all goroutines, and the program ends, as without
// this. If the program is to go on, take SIGUSR1, and a loop without the last two lines.
func ExamplePool_Dump_signal() {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		<-quit
		pool.Default().Dump(os.Stderr)
		signal.Reset(syscall.SIGQUIT)
		syscall.Kill(syscall.Getpid(), syscall.SIGQUIT)
	}()
}
