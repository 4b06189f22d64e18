//go:build !race

package par

import (
	"context"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/rouse-go/rouse/pool"
)

// A loop each on many goroutines is cheap as long as none of these needs more stack than it begins
// with: to copy a stack takes longer than a short loop. In a bubble no call takes long.
func TestShortCallsFitNewStacks(t *testing.T) {
	s, to := make([]int, 10), make([]int, 10)
	for name, call := range map[string]func(o Option){
		"For": func(o Option) { For(len(s), func(i int) { to[i] = i }, o) },
		"ForErr": func(o Option) {
			ForErr(context.Background(), len(s), func(_ context.Context, i int) error { to[i] = i; return nil }, o)
		},
		"Each":    func(o Option) { Each(s, func(i int, x *int) { to[i] = *x }, o) },
		"MapInto": func(o Option) { MapInto(to, s, func(x int) int { return x }, o) },
	} {
		synctest.Test(t, func(t *testing.T) {
			p, err := pool.New(pool.WithWorkers(2))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			call(On(p))
			call(On(p)) // from now on the caller does it alone
			moved := make(chan bool)
			go func() {
				var local byte
				before := uintptr(unsafe.Pointer(&local))
				call(On(p))
				moved <- before != uintptr(unsafe.Pointer(&local))
			}()
			if <-moved {
				t.Errorf("package par: Cost: the stack of a new goroutine grows for a short call of %s", name)
			}
		})
	}
}
