//go:build !unix

package work

import "time"

// cpuTime says nothing: Go has no portable way to ask.
func cpuTime() time.Duration { return 0 }
