package futex

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/rouse-go/rouse/api/prim"
)

const hasFutex = true

// Every Windows that Go runs on has these, so that looking them up cannot fail.
var (
	synch               = windows.NewLazySystemDLL("api-ms-win-core-synch-l1-2-0.dll")
	waitOnAddress       = synch.NewProc("WaitOnAddress")
	wakeByAddressSingle = synch.NewProc("WakeByAddressSingle")
)

// futexWait blocks while the word has the given value, or returns early for
// any reason. The runtime knows of the call, so the thread gives up its
// processor while it waits.
func futexWait(word *prim.Uint32, value uint32) {
	// It can only fail by a timeout, and there is none.
	_, _, _ = syscall.SyscallN(waitOnAddress.Addr(), uintptr(unsafe.Pointer(word)),
		uintptr(unsafe.Pointer(&value)), unsafe.Sizeof(value), windows.INFINITE)
}

// futexWake releases the goroutine that waits on the word, if there is one.
func futexWake(word *prim.Uint32) {
	_, _, _ = syscall.SyscallN(wakeByAddressSingle.Addr(), uintptr(unsafe.Pointer(word)))
}
