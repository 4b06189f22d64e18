package waiting

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

var (
	programs = flag.Int("waiting.programs", 50, "how many random programs")
	seed     = flag.Uint64("waiting.seed", 1, "the seed of the random programs")
	limit    = flag.Int("waiting.limit", 40_000, "the states beyond which a search of a random program is given up")
)

// TestRandom fails if a random program ends with a goroutine for each job, and
// hangs or breaks an invariant on one, two or three seats, or on two of which
// none that sleeps is found. It counts the searches that are too large, so that
// they are not taken for checked.
func TestRandom(t *testing.T) {
	pools := []Pool{{Seats: 1}, {Seats: 2}, {Seats: 3}, {Seats: 2, FindsNoSeat: true}}
	var checked, hang, large, states, next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for checked.Load() < int64(*programs) && !t.Failed() {
				p := Random(*seed, uint64(next.Add(1)))
				switch r := p.WithGoroutines(*limit); r.Verdict {
				case Hangs:
					hang.Add(1)
					continue
				case Large:
					continue
				}
				checked.Add(1)
				for _, pool := range pools {
					pool.Limit = *limit
					r := p.Search(pool)
					states.Add(int64(r.States))
					switch r.Verdict {
					case Large:
						large.Add(1)
					case Hangs, Breaks:
						t.Errorf("on %v it %v, and ends with a goroutine for each job:\n%v\n%s", pool, r, p, r.Trace)
					}
				}
			}
		})
	}
	wait.Wait()
	searches := checked.Load() * int64(len(pools))
	t.Logf("%d programs, %d searches, of which %d were too large; %d states in all; %d programs left out that hang anyway",
		checked.Load(), searches, large.Load(), states.Load(), hang.Load())
	if 3*large.Load() > searches {
		t.Errorf("%d of %d searches were given up: the programs are too large to check", large.Load(), searches)
	}
}
