package bench

import (
	"runtime/metrics"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
)

// Usage is what was counted for an instance, or between two moments of it.
type Usage struct {
	CPU time.Duration // of all processors
	// Allocs and Bytes are what was allocated on the heap.
	Allocs, Bytes int64
	// Steals and Wakes are what a pool of this repository has counted.
	Steals, Wakes int64
}

// plus returns the sum, and minus the difference of two.
func (u Usage) plus(v Usage) Usage {
	return Usage{u.CPU + v.CPU, u.Allocs + v.Allocs, u.Bytes + v.Bytes, u.Steals + v.Steals, u.Wakes + v.Wakes}
}

func (u Usage) minus(v Usage) Usage {
	return Usage{u.CPU - v.CPU, u.Allocs - v.Allocs, u.Bytes - v.Bytes, u.Steals - v.Steals, u.Wakes - v.Wakes}
}

// OwnUsage returns what was counted for this process, and for a pool if p is not nil.
func OwnUsage(p *pool.Pool) (u Usage) {
	u.CPU, _ = census.CPUTime()
	heap := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(heap)
	u.Allocs, u.Bytes = int64(heap[0].Value.Uint64()), int64(heap[1].Value.Uint64())
	if p != nil {
		s := p.Stats()
		u.Steals, u.Wakes = int64(s.Steals), int64(s.Wakes)
	}
	return u
}
