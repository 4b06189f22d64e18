package par

import (
	"context"
	"math"
	"reflect"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
)

// An owner that sees the flag while there is nothing for others leaves it up: they have gone, and
// somebody else may put back something.
func TestFlagStaysUpForNothing(t *testing.T) {
	l := &loop{config: config{limit: 3}, beside: true}
	l.first.next.Store(&l.first)
	l.working.Store(2)
	l.wanted.Store(true)
	if l.answer(nil); !l.wanted.Load() || l.calls.Load() != 0 {
		t.Errorf("F7: an owner has nothing for others, and the flag is up: %t, %d called", l.wanted.Load(), l.calls.Load())
	}
}

// A thief does the first element that it has taken, and no other thief can have that. Else they take
// the last element of a loop from each other, on many processors without an end, and nobody does it.
func TestThiefKeepsTheFirst(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		l := new(loop)
		l.first.next.Store(&l.first)
		l.first.left.Store(spanOf(0, n))
		thefts := 0
		for ; l.any() && thefts <= n; thefts++ {
			l.steal(l.seat())
		}
		if thefts > n {
			t.Errorf("F7: of %d elements each thief does one, and after %d something is left", n, thefts)
		}
	}
}

// A watchedEnd is a context that has ended, and is told when somebody asks.
type watchedEnd struct {
	context.Context
	asked func()
}

func (c watchedEnd) Err() error {
	c.asked()
	return context.Canceled
}

// When the caller's context has ended, an owner that sees the flag leaves it up: another one that
// looks just then would go on for four elements more.
func TestFlagStaysUpAtTheEnd(t *testing.T) {
	var lowered atomic.Bool
	l := &loop{config: config{limit: 3}, beside: true}
	l.ctx = watchedEnd{context.Background(), func() {
		if !l.wanted.Load() {
			lowered.Store(true)
		}
	}}
	l.failed.Store(math.MaxInt)
	l.first.next.Store(&l.first)
	l.first.left.Store(spanOf(1, 100))
	l.working.Store(1)
	l.wanted.Store(true)
	l.body.elements = each(func(i int) { t.Errorf("F3: the context has ended, and element %d begins", i) })
	l.piece(nil, &l.first, 0)
	l.gone.Wait()
	if lowered.Load() || !l.wanted.Load() {
		t.Error("F3: the context has ended, and an owner lowers the flag that says so")
	}
}

// A range of elements that are done one by one ends after one during which somebody has come to help,
// although nobody waits just then. Elements that get long are not taken by the number that was right
// for those before, once the owner has put back the rest of a range.
func TestLongElementsAreNotKept(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		l := &loop{config: config{limit: 1}, beside: true}
		l.failed.Store(math.MaxInt)
		l.working.Store(1)
		l.first.left.Store(spanOf(1, 200))
		kept := 0
		l.body.elements = each(func(i int) {
			if i < 100 {
				time.Sleep(10 * time.Nanosecond)
			}
			switch i {
			case 100:
				l.working.Add(1) // so the range ends here
				time.Sleep(5 * time.Millisecond)
			case 101:
				lo, _ := span(l.first.left.Load())
				kept = lo - i
			}
		})
		l.piece(nil, &l.first, 0)
		if kept != 1 {
			t.Errorf("F7: an element of 5 ms has come after a hundred of 10 ns, the range was put back, and the next one has %d elements", kept)
		}
	})
}

// If this fails, what all owners read of a loop lies on a line that some write, and 64 workers take twice
// as long to begin.
func TestLayout(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("structs are smaller here, and need not fill a cache line: the room between fields is made for 64 bits")
	}
	const line = 64
	of := reflect.TypeFor[loop]()
	for _, name := range []string{"wanted", "first"} {
		if f, ok := of.FieldByName(name); !ok || f.Offset%line != 0 {
			t.Errorf("package par: %s of a loop is at %d, want the beginning of a cache line", name, f.Offset)
		}
	}
	if of.Size() != 7*line { // Go allocates what has this size so that it begins with a line
		t.Errorf("package par: a loop has %d bytes, want %d", of.Size(), 7*line)
	}
}
