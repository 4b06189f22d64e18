//go:build !unix

package work

import "time"

func cpuTime() (time.Duration, bool) { return 0, false }
