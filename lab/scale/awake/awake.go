// Package awake keeps the processors of a machine from halting.
//
// A processor that has nothing to do halts. On a virtual machine it may then take
// the host some milliseconds to let it run again, now and then, and what is
// measured is the host. So other processes use what time nobody else wants: of the
// scheduling class SCHED_IDLE, which gives way to each other one at once (Linux,
// sched(7)).
package awake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// ErrUnsupported is in the error of [Keep] on systems other than Linux.
var ErrUnsupported = errors.New("only Linux can keep its processors awake")

// ready is what a spinning process prints when it has its scheduling class.
const ready = "ready\n"

// Keep starts a process for each of n processors, by the given command, which must
// call [Spin]. It returns when all spin. The caller calls stop when it has measured;
// they also end when ctx does.
func Keep(ctx context.Context, n int, name string, args ...string) (stop func(), err error) {
	if !supported {
		return nil, ErrUnsupported
	}
	ctx, cancel := context.WithCancel(ctx)
	var all []*exec.Cmd
	stop = func() {
		cancel()
		for _, c := range all {
			_ = c.Wait() // it was killed
		}
	}
	for range n {
		c := exec.CommandContext(ctx, name, args...)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			stop()
			return nil, fmt.Errorf("keeping processors awake: %w", err)
		}
		all = append(all, c)
		said := make([]byte, len(ready))
		if _, err := io.ReadFull(out, said); err != nil || string(said) != ready {
			stop()
			return nil, fmt.Errorf("keeping processors awake: a process ended, or said %q: %w", said, err)
		}
	}
	return stop, nil
}
