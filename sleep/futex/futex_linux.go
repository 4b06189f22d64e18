package futex

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rouse-go/rouse/api/prim"
)

const hasFutex = true

// The operations of futex(2). The flag keeps the kernel from looking beyond
// this process.
const (
	opWait    = 0
	opWake    = 1
	opPrivate = 128
)

// futexWait blocks while the word has the given value, or returns early for
// any reason. The runtime knows of this system call: with a raw one the thread
// would keep its processor, and could hold up a garbage collection.
func futexWait(word *prim.Uint32, value uint32) {
	if prim.FutexWait(word, value) {
		return
	}
	// EAGAIN (another value) and EINTR do not matter: the caller looks at the
	// word. No other error can occur for a word of our own.
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)),
		opWait|opPrivate, uintptr(value), 0, 0, 0)
}

// futexWake releases the goroutine that waits on the word, if there is one.
func futexWake(word *prim.Uint32) {
	if prim.FutexWake(word) {
		return
	}
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)),
		opWake|opPrivate, 1, 0, 0, 0)
}
