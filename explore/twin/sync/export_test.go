package sync

import "unsafe"

// ReaderWaits reports whether a reader waits behind a writer.
func ReaderWaits(m *RWMutex) bool { return len(queues[unsafe.Pointer(m)]) > 0 }
