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

// A failure would mean that a way of the program is not tried that depends on a small random number.
func TestSmall(t *testing.T) {
	for name, f := range map[string]func() int{
		"Intn":    func() int { return old.Intn(3) },
		"Int31n":  func() int { return int(old.Int31n(3)) },
		"Int63n":  func() int { return int(old.Int63n(3)) },
		"IntN":    func() int { return rand.IntN(3) },
		"Int32N":  func() int { return int(rand.Int32N(3)) },
		"Int64N":  func() int { return int(rand.Int64N(3)) },
		"UintN":   func() int { return int(rand.UintN(3)) },
		"Uint32N": func() int { return int(rand.Uint32N(3)) },
		"Uint64N": func() int { return int(rand.Uint64N(3)) },
		"N":       func() int { return int(rand.N(uint8(3))) },
	} {
		t.Run(name, func(t *testing.T) {
			planted.Outcomes(t, func() string { return fmt.Sprint(f()) }, "0", "1", "2")
		})
	}
	orders := []string{"[0 1 2]", "[0 2 1]", "[1 0 2]", "[1 2 0]", "[2 0 1]", "[2 1 0]"}
	planted.Outcomes(t, func() string { return fmt.Sprint(old.Perm(3)) }, orders...)
	planted.Outcomes(t, func() string { return fmt.Sprint(rand.Perm(3)) }, orders...)
	shuffled := func(shuffle func(n int, swap func(i, j int))) func() string {
		return func() string {
			all := []int{0, 1, 2}
			shuffle(3, func(i, j int) { all[i], all[j] = all[j], all[i] })
			return fmt.Sprint(all)
		}
	}
	planted.Outcomes(t, shuffled(old.Shuffle), orders...)
	planted.Outcomes(t, shuffled(rand.Shuffle), orders...)
	planted.Outcomes(t, func() string { return fmt.Sprint(rand.Perm(0), old.Perm(1), rand.IntN(1)) }, "[] [0] 0")
}

// Outside of an execution they are those of the runtime.
func TestReal(t *testing.T) {
	old.Seed(1)
	a, b := old.Int63(), rand.Uint64()
	if a == old.Int63() || b == rand.Uint64() {
		t.Error("the same numbers again")
	}
}
