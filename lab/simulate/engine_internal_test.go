//go:build explore

package simulate

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// A program that cannot go on, or panics, or has a machine that cannot be, gets an error
// that says so.
func TestFailures(t *testing.T) {
	var mu prim.Mutex
	for want, program := range map[string]func(){
		"2 virtual threads are blocked: thread 0 in WaitGroup.Wait, thread 1 in Parker.Park": func() {
			var g prim.WaitGroup
			g.Go(prim.NewParker().Park)
			g.Wait()
		},
		"thread 1 panics: boo":          func() { prim.Go(func() { panic("boo") }) },
		"thread 0 calls runtime.Goexit": runtime.Goexit,
		"unlock of unlocked mutex":      func() { mu.Unlock() },
		"a context that can end":        func() { prim.NewParker().ParkContext(t.Context()) },
		"can end is not simulated":      func() { prim.AfterFunc(t.Context(), func() {}) },
	} {
		if r, err := Run(plain(8, 8), program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("report %v, error %v, want one that says %q", r, err, want)
		}
	}
	for want, m := range map[string]Machine{"made by Server": {Processors: 2}, "a machine of 65 processors": plain(65, 8)} {
		if _, err := Run(m, func() {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
