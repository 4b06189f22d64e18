//go:build explore && race

package explore

import (
	"runtime"
	"unsafe"
)

// The hand-over from one thread to the next is the explorer's, not the
// program's: the race detector must not see it, or it would take everything
// for ordered. It is told only of the order that the program's own operations make.

func hide() { runtime.RaceDisable() }

func unhide() { runtime.RaceEnable() }

// acquire orders what comes next after every release of the address.
func acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }

// release orders what came before ahead of later acquires of the address.
func release(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }
