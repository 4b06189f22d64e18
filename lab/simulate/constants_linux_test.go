package simulate_test

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// BenchmarkFutexConstants is BenchmarkConstants for those of futex(2).
func BenchmarkFutexConstants(b *testing.B) {
	var word atomic.Uint32
	for _, c := range []struct {
		name   string
		sample func(n int) time.Duration
		n      int
	}{
		{"syscall", func(n int) time.Duration { return repeat(n, func() { futexCall(&word, futexWake, 1) }) }, 1000},
		{"futex-wait", func(int) time.Duration { _, _, used := wakeThread(); return used }, 1},
		{"futex-wake", func(int) time.Duration { cost, _, _ := wakeThread(); return cost }, 1},
		{"futex-wake+futex-latency", func(int) time.Duration { _, latency, _ := wakeThread(); return latency }, 1},
	} {
		b.Run(c.name, func(b *testing.B) { reportSamples(b, c.sample, c.n) })
	}
}

const (
	futexWait = 128 // private
	futexWake = 129
)

func futexCall(word *atomic.Uint32, op, value uintptr) {
	_, _, _ = syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), op, value, 0, 0, 0)
}

// wakeThread wakes a thread that waits, and goes on working. It also returns how
// much processor time the wait has used.
func wakeThread() (cost, latency, used time.Duration) {
	var word atomic.Uint32
	cost, latency = wakes(func() (after func()) {
		runtime.LockOSThread()
		before := threadTime()
		for word.Load() == 0 {
			futexCall(&word, futexWait, 0)
		}
		return func() {
			used = threadTime() - before
			runtime.UnlockOSThread()
		}
	}, func() {
		word.Store(1)
		futexCall(&word, futexWake, 1)
	})
	return cost, latency, used
}

func threadTime() time.Duration {
	const thisThread = 1
	var u syscall.Rusage
	_ = syscall.Getrusage(thisThread, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
