package par

import (
	"context"
	"math"
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

// A range of elements that are done one by one ends after one during which somebody has come to
// help, although nobody waits just then: the rest may be of use to those that come later.
func TestRangeEndsWhenSomebodyComes(t *testing.T) {
	l := &loop{}
	l.failed.Store(math.MaxInt)
	l.working.Store(1)
	l.body.elements = each(func(i int) {
		if i == 2 {
			l.working.Add(1)
		}
	})
	if at, ok := l.call(context.Background(), nil, 0, 10, true, &l.wanted); at != 3 || !ok {
		t.Errorf("F7: in a range of ten elements somebody comes during the third one, and %d are done", at)
	}
	if at, ok := l.call(context.Background(), nil, 3, 10, true, &l.wanted); at != 10 || !ok {
		t.Errorf("F7: in a range of seven elements nobody comes, and it ends at %d", at)
	}
}
