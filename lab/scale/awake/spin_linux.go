package awake

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/rouse-go/rouse/api/prim"
)

const supported = true

// idleClass is SCHED_IDLE of sched(7).
const idleClass = 5

// Spin uses the time that no other process wants, until this one is killed or its
// parent has ended. It writes to w when it begins, and returns only an error.
func Spin(w io.Writer) error {
	// Not a goroutine: it would share the class with the threads of the runtime.
	runtime.LockOSThread()
	runtime.GOMAXPROCS(1)
	parent := os.Getppid()
	if err := unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: idleClass}, 0); err != nil {
		return fmt.Errorf("sched_setattr, SCHED_IDLE: %w", err)
	}
	if _, err := io.WriteString(w, ready); err != nil {
		return err
	}
	for os.Getppid() == parent {
		prim.Spin(1e7)
	}
	return nil
}
