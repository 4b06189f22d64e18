//go:build !windows

package prim

import "time"

func clock() time.Duration { return time.Since(begun) }
