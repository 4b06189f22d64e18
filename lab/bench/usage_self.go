package bench

import (
	"runtime/metrics"

	"github.com/rouse-go/rouse/pool"
)

// OwnUsage returns what was counted for this process, and for a pool if p is
// not nil.
func OwnUsage(p *pool.Pool) Usage {
	u := Unknown()
	u.CPU, u.Slept = ownKernel()
	heap := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(heap)
	u.Allocs, u.Bytes = int64(heap[0].Value.Uint64()), int64(heap[1].Value.Uint64())
	if p != nil {
		s := p.Stats()
		u.Steals, u.Wakes = int64(s.Steals), int64(s.Wakes)
	}
	return u
}
