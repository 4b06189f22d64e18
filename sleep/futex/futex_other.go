//go:build !linux

package futex

import "github.com/rouse-go/rouse/api/prim"

// There is no Linux futex here, so every place has a parker and neither
// function is reached.
const hasFutex = false

func futexWait(*prim.Uint32, uint32) { panic("futex: none on this platform") }

func futexWake(*prim.Uint32) { panic("futex: none on this platform") }
