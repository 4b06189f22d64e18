package pool_test

import (
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, the jobs of strangers run on a thread that a caller of Run has
// locked, as for a library in C that keeps its state there.
func TestLockedThread(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P17", "a caller with a locked thread waits among strangers' jobs", func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		locked := syscall.Gettid()
		var mu sync.Mutex
		on := make(map[int]int) // jobs of strangers by thread
		n, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
			var strangers []*pool.Handle[int]
			f := stolen(t, w, func(*pool.Worker) int {
				strangers = submittedTimes(t, p, 50, func(*pool.Worker) int {
					mu.Lock()
					defer mu.Unlock()
					on[syscall.Gettid()]++
					return 0
				})
				return 1
			})
			for range 3 {
				pool.Invoke(w, fib, 12, fib, 12)
			}
			n := f.Join(w)
			for _, h := range strangers {
				h.Join(w)
			}
			expect(t, syscall.Gettid() == locked, "P17: the job is not on the thread of its caller")
			return n
		}, 0)
		expect(t, n == 1 && err == nil, "P1: Run returned %d and %v", n, err)
		expect(t, on[locked] == 0 && len(on) != 0,
			"P17: jobs of strangers by thread: %v; %d is locked by another", on, locked)
	})
}
