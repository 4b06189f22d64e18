//go:build !linux && !windows

package futex

import "github.com/rouse-go/rouse/api/prim"

// On this platform Go can reach no such call without cgo. So every word has a parker,
// and neither function is called.
const hasFutex = false

func futexWait(*prim.Uint32, uint32) { panic("futex: none on this platform") }

func futexWake(*prim.Uint32) { panic("futex: none on this platform") }
