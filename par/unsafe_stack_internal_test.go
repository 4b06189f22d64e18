//go:build !race

package par

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/rouse-go/rouse/pool"
)

// A loop each on many goroutines is cheap as long as none of these needs more stack than it begins
// with: to copy a stack takes longer than a short loop. In a bubble no call takes long.
func TestShortCallsFitNewStacks(t *testing.T) {
	const small = "adaptivestackstart=0" // stacks begin small, whatever those before have needed
	if os.Getenv("GODEBUG") != small {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "GODEBUG="+small)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Skipf("no other process can be started here: %v", err)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	s, to, background := make([]int, 10), make([]int, 10), context.Background()
	for name, call := range map[string]func(o Option){
		"For":      func(o Option) { For(len(s), func(i int) { to[i] = i }, o) },
		"ForRange": func(o Option) { ForRange(len(s), func(lo, hi int) { to[lo] = hi }, o) },
		"ForErr": func(o Option) {
			ForErr(background, len(s), func(_ context.Context, i int) error { to[i] = i; return nil }, o)
		},
		"Each":    func(o Option) { Each(s, func(i int, x *int) { to[i] = *x }, o) },
		"Do":      func(o Option) { Do([]func(){func() {}, func() {}}, o) },
		"Map":     func(o Option) { Map(s, func(x int) int { return x }, o) },
		"MapInto": func(o Option) { MapInto(to, s, func(x int) int { return x }, o) },
		"MapErr": func(o Option) {
			MapErr(background, s, func(_ context.Context, x int) (int, error) { return x, nil }, o)
		},
		"IndexFunc":    func(o Option) { IndexFunc(s, func(int) bool { return false }, o) },
		"IsSortedFunc": func(o Option) { IsSortedFunc(s, func(a, b int) int { return 0 }, o) },
		"Sum":          func(o Option) { Sum(s, o) },
	} {
		synctest.Test(t, func(t *testing.T) {
			p, err := pool.New(pool.WithWorkers(2))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			call(On(p))
			call(On(p))    // from now on the caller does it alone
			const many = 8 // any may grow, where the memory that it asks for must be got first
			grown, moved := 0, make(chan int)
			for range many {
				go func() {
					var local byte
					before := uintptr(unsafe.Pointer(&local))
					call(On(p))
					if before == uintptr(unsafe.Pointer(&local)) {
						moved <- 0
					} else {
						moved <- 1
					}
				}()
				grown += <-moved
			}
			if grown == many {
				t.Errorf("package par: Cost: the stack of each new goroutine grows for a short call of %s", name)
			}
		})
	}
}
