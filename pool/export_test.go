package pool

import (
	"runtime"

	"github.com/rouse-go/rouse/api"
)

// DefaultDeque returns a deque as those of a pool are by default.
func DefaultDeque() api.Deque[Job] { return defaultDeque() }

// DefaultSleep returns a sleep backend as that of a pool is by default.
func DefaultSleep(workers int) (api.Sleep, error) { return defaultSleep(workers) }

// Depth returns how many slots of the worker's stack are in use.
func (w *Worker) Depth() int { return int(uint32(w.stack.head)) }

// Sleeping returns how many workers sleep.
func (p *Pool) Sleeping() int {
	_, sleeping := p.sleep.Counts()
	return sleeping
}

// Waiters returns how many waiters a handle keeps.
func (h *Handle[R]) Waiters() (n int) {
	h.change(func(w *waiters) { n = w.all.Len() })
	return n
}

// ForgetBuiltIn makes it as if nobody had used the built-in pool yet, and returns what
// puts it back. The one that has begun since is closed then.
func ForgetBuiltIn() (restore func()) {
	old := defaults.builtIn.Swap(nil)
	return func() {
		if p := defaults.builtIn.Swap(old); p != nil {
			p.builtIn = false // for Close
			if err := p.Close(); err != nil {
				panic(err)
			}
		}
	}
}

// FunctionOf returns what the worker calls that begins the job of h.
func FunctionOf[R any](h *Handle[R]) func(*Worker) R { return h.fn }

// LeaveQueue has the pool believe that a timer is set which will look at the queue.
func (p *Pool) LeaveQueue() { p.inbox.attended.Store(true) }

// Abandon is what Shutdown does first when it takes back the jobs that have not begun.
func (p *Pool) Abandon() { p.inbox.abandoned.Store(true) }

// Heap returns how much memory is in use, without garbage.
func Heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// CheckStack returns what is wrong with the forks of the worker, which is the caller's.
func (w *Worker) CheckStack() error { return w.stack.CheckStack() }

// HasGroups reports whether the pool knows of a group.
func (p *Pool) HasGroups() bool { return p.groups.first != nil }

// HasNeighbours reports whether the group refers to others.
func (g *Group) HasNeighbours() bool { return g.after != nil || g.at != nil }
