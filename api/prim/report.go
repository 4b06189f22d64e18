package prim

import (
	"sync/atomic"
	"time"
)

// A Report, a ReportNumber, a ReportCount and a ReportBool are atomics for values that only reports
// show. No decision depends on them, so a [Driver] does not see them, and they make no exploration
// larger.
type (
	Report[T any] = atomic.Pointer[T]
	ReportNumber  = atomic.Uint32
	ReportCount   = atomic.Uint64
	ReportBool    = atomic.Bool
)

// ReportNow is [Now] for times that only reports show. A driver does not see the call.
func ReportNow() time.Duration { return clock() }
