package prim

import "sync/atomic"

// A Report, a ReportNumber, a ReportCount and a ReportBool are atomics for values that only reports show. No
// decision depends on them, so they are no steps for a [Driver], and an exploration does not
// grow by them.
type (
	Report[T any] = atomic.Pointer[T]
	ReportNumber  = atomic.Uint32
	ReportCount   = atomic.Uint64
	ReportBool    = atomic.Bool
)
