package drive

// An Op names an operation.
type Op uint8

// The operations.
const (
	OpYield Op = iota
	OpBlock    // without an end, as on a nil channel
	OpGo

	OpLoad
	OpStore
	OpSwap
	OpCompareAndSwap
	OpAdd
	OpAnd
	OpOr

	OpLock
	OpTryLock
	OpUnlock
	OpRLock
	OpRLockReturn // the second half of an RLock behind a writer
	OpTryRLock
	OpRUnlock
	OpWLock
	OpWLockReturn // the second half of a Lock that waits for readers
	OpWUnlock
	OpTryWLock
	OpCondWait
	OpCondReturn // the second half of a wait
	OpSignal
	OpBroadcast
	OpGroupAdd
	OpGroupDone // an Add of a negative number
	OpGroupWait
	OpOnce
	OpOnceDone
	OpPoolGet
	OpPoolPut
	OpMapRead
	OpMapWrite

	OpSend
	OpSendReturn // the second half of a send without a buffer
	OpRecv
	OpArrive // at channels, in order to receive
	OpClose
	OpLen
	OpSelect
	OpSelectReturn // the second half of a select that may send without a buffer

	OpNow
	OpSleep
	OpTimerStart
	OpTimerStop
	OpTimerDue  // the time of a timer has come
	OpTimerFire // its effect

	OpContextRead // Err, Cause
	OpContextCancel
	OpContextChild // a child or a function is added to, or taken from, a context

	OpTell // something to a test, as by Log
	OpEnd  // of a test

	OpIdle // all threads that are no daemons have ended

	OpCount // of operations
)

var opNames = [OpCount]string{
	"Yield", "block", "go",
	"Load", "Store", "Swap", "CompareAndSwap", "Add", "And", "Or",
	"Lock", "TryLock", "Unlock",
	"RLock", "RLock returns", "TryRLock", "RUnlock",
	"Lock", "Lock returns", "Unlock", "TryLock",
	"Wait", "Wait returns", "Signal", "Broadcast",
	"Add", "Done", "Wait",
	"Do", "Do ends",
	"Get", "Put",
	"Map reads", "Map writes",
	"send", "send returns", "receive", "waits to receive", "close", "len",
	"select", "select returns",
	"Now", "Sleep", "timer starts", "timer stops", "timer is due", "timer fires",
	"context is read", "context is canceled", "context's children change",
	"log", "the test ends",
	"all others have ended",
}

// String returns the name of the operation.
func (op Op) String() string {
	if op < OpCount {
		return opNames[op]
	}
	return "invalid operation"
}

// Reads reports whether the operation only reads its cells: two of these may change places.
func (op Op) Reads() bool {
	switch op {
	case OpLoad, OpMapRead, OpLen, OpNow, OpContextRead, OpTell:
		return true
	}
	return false
}
