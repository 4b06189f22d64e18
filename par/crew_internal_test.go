package par

import (
	"sync"
	"testing"
)

// A worker that a limit refuses is not counted meanwhile. If it were, an owner that looks
// whom it may call would take it for one that works, and call nobody.
func TestRefusedIsNotCounted(t *testing.T) {
	l := &loop{config: config{limit: 1}}
	if !l.join() {
		t.Fatal("F7: the first owner of a loop with a limit of 1 is refused")
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				if l.join() {
					t.Error("F7: a loop with a limit of 1 has a second owner")
					return
				}
				if n := l.working.Load(); n != 1 {
					t.Errorf("F7: of a loop with one owner, %d are counted", n)
					return
				}
			}
		})
	}
	all.Wait()
}
