package conformance

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// TestPar checks that the operations of package par keep their promises, F1 to F8 in
// README.md, on the pools that newPool makes, which must hand its options on to
// [pool.New]. Each subtest uses pools of its own, of 1, 2, 3 and 64 workers. What depends on
// no pool, such as errors, panics and what a loop would give, is in the tests of par itself.
func TestPar(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	cfg := newConfig(opts)
	s := newPoolSuite(t, newPool)
	for _, workers := range []int{1, 2, 3, 64} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			for _, c := range parPromises {
				s.test(t, cfg, c.name, c.rule, workers, c.run)
			}
			cfg.Subtest(t, "Digest", "F1", func(r *run) { s.parDigest(r, workers) })
		})
	}
}
