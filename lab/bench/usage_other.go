//go:build !unix

package bench

import "time"

// ownKernel returns what the kernel has counted for this process.
func ownKernel() (cpu time.Duration, slept int64) { return -1, -1 }
