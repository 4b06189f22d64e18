package deque

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// late draws a ticket like a pusher that is then held up, and returns what it
// does when it goes on: it tells whether its slot was still good.
func late(q *Injector[string]) (goOn func(item *string) bool) {
	b := q.tail.Load()
	ticket := b.pushed.Add(1) - 1
	return func(item *string) bool { return b.slots[ticket].CompareAndSwap(nil, item) }
}

// play does the steps of a script on a queue, and says which does not end as it should:
//
//	a          push an item of this name
//	?1         a pusher draws a ticket, and is late
//	1=good     it goes on, and its item has the name 1; or its slot is void
//	empty=true what Empty says
//	steal=a    a steal gives this item, empty or lost
func play(t *testing.T, slots int, script string) {
	t.Helper()
	q := NewInjectorSized[string](slots)
	lates := map[string]func(item *string) bool{}
	for i, step := range strings.Fields(script) {
		what, want, expects := strings.Cut(step, "=")
		got := ""
		switch goOn := lates[what]; {
		case what == "empty":
			got = fmt.Sprint(q.Empty())
		case what == "steal":
			item, outcome := q.Steal()
			got = outcome.String()
			if outcome == api.Stolen {
				got = *item
			}
		case goOn != nil:
			got = map[bool]string{true: "good", false: "void"}[goOn(&what)]
		case what[0] == '?':
			lates[what[1:]] = late(q)
		default:
			q.Push(&what)
		}
		if expects && got != want {
			t.Fatalf("I3: in blocks of %d: %s: step %d, %s, gives %s", slots, script, i, step, got)
		}
	}
}

// A pusher that is held up alone has pushed nothing yet: the queue is empty, and no taker
// spoils its slot. It must not hold up the item of another pusher behind it, whether that is in
// the same block or in the next.
func TestLatePusher(t *testing.T) {
	for _, before := range []string{"", "a steal=a", "a steal=a b steal=b"} {
		play(t, 3, before+" ?x empty=true steal=empty x=good steal=x")
	}
	for _, slots := range []int{1, 2} {
		play(t, slots, "?x a empty=false steal=lost steal=a x=void empty=true")
	}
}

// A taker that has drawn its ticket gets what its late pusher brings.
func TestLateTakerAndLatePusher(t *testing.T) {
	q := NewInjectorSized[string](2)
	goOn := late(q)
	b := q.head.Load()
	b.taken.Add(1) // a taker draws, and is held up
	item := new(string)
	if !goOn(item) {
		t.Fatal("I3: the slot was void before its taker came")
	}
	if !q.Empty() {
		t.Fatal("I3: Injector.Empty: not empty, though the only item is its taker's")
	}
	if got := b.slots[0].Swap(q.gone); got != item {
		t.Fatal("I1: the taker lost the item of its ticket")
	}
}

// Where all the slots that are left belong to late pushers, and the items are in the next block, a
// taker makes way to them, one slot at a time. A slot behind its own it leaves alone.
func TestVoidSlots(t *testing.T) {
	for _, script := range []string{
		"?x a b steal=lost x=void c steal=a steal=b steal=c steal=empty",
		"a ?x b steal=a steal=lost x=void c steal=b steal=c steal=empty",
		"a ?x b steal=a x=good steal=x steal=b steal=empty",
		"?x ?y a steal=lost steal=lost steal=a x=void y=void b steal=b steal=empty",
	} {
		for _, slots := range []int{2, 8} {
			play(t, slots, script)
		}
	}
}
