//go:build explore

package rand_test

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/internal/planted"
	old "github.com/rouse-go/rouse/explore/twin/rand"
	"github.com/rouse-go/rouse/explore/twin/rand/v2"
	"github.com/rouse-go/rouse/explore/twin/sync"
)

// Each execution has the same numbers, and each of its threads others.
func TestNumbers(t *testing.T) {
	seen := make(map[string]bool)
	planted.Passes(t, func() {
		var done sync.WaitGroup
		var all [2]string
		draw := func(i int) {
			var b [3]byte
			old.Seed(int64(i))
			_, _ = old.Read(b[:])
			all[i] = fmt.Sprint(b, old.Intn(100), old.Perm(5), rand.N(uint64(1)<<60), rand.IntN(100), rand.Float64())
			done.Done()
		}
		done.Add(2)
		drive.Go(func() { draw(0) })
		draw(1)
		done.Wait()
		if all[0] == all[1] {
			t.Error(all)
		}
		seen[fmt.Sprint(all)] = true
	})
	if len(seen) != 1 {
		t.Error(seen)
	}
}

// Outside of an execution they are those of the runtime.
func TestReal(t *testing.T) {
	old.Seed(1)
	a, b := old.Int63(), rand.Uint64()
	if a == old.Int63() || b == rand.Uint64() {
		t.Error("the same numbers again")
	}
}
