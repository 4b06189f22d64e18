package bench

import (
	"runtime/metrics"

	"github.com/rouse-go/rouse/pool"
)

// OwnUsage returns what was counted for this process, and for a pool if p is
// not nil.
func OwnUsage(p *pool.Pool) Usage {
	u := Unknown()
	u.CPU, u.Slept, u.Preempted = ownKernel()
	heap := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(heap)
	u.Allocs, u.Bytes = int64(heap[0].Value.Uint64()), int64(heap[1].Value.Uint64())
	if p != nil {
		s := p.Stats()
		u.Forks, u.Published, u.Steals = int64(s.Forks), int64(s.Published), int64(s.Steals)
		u.Parks, u.Wakes = int64(s.Parks), int64(s.Wakes)
	}
	return u
}
