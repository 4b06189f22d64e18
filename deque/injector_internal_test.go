package deque

import (
	"fmt"
	"strconv"
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
//	4:a,b      a batch with 4 places gives these items, empty or lost
func play(t *testing.T, slots int, script string) {
	t.Helper()
	q := NewInjectorSized[string](slots)
	lates := map[string]func(item *string) bool{}
	for i, step := range strings.Fields(script) {
		what, want, expects := strings.Cut(strings.Replace(step, ":", "=", 1), "=")
		got := ""
		places, err := strconv.Atoi(what)
		switch goOn := lates[what]; {
		case what == "empty":
			got = fmt.Sprint(q.Empty())
		case what == "steal":
			item, outcome := q.Steal()
			got = named(outcome, item)
		case goOn != nil:
			got = map[bool]string{true: "good", false: "void"}[goOn(&what)]
		case err == nil:
			into := make([]*string, places)
			n, outcome := q.StealBatch(into)
			got = named(outcome, into[:n]...)
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

// named writes what a steal or a batch has given.
func named(outcome api.Outcome, items ...*string) string {
	if outcome != api.Stolen {
		return outcome.String()
	}
	var names []string
	for _, item := range items {
		names = append(names, *item)
	}
	return strings.Join(names, ",")
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

func TestBatches(t *testing.T) {
	for _, script := range []string{
		// What is half of the queue must not depend on pushers that have pushed nothing
		// yet: two late ones would let a batch take all there is, and their items may
		// come out after those of pushes that have not begun yet.
		"a b ?x ?y 4:a x=good y=good 4:b,x 4:y 4:empty",
		// A batch must go on behind a slot that it makes void, the first, the second, the last or
		// one between: its tickets are drawn, so no other taker will look there.
		"?x a b c d 3:a x=void e steal=b steal=c steal=d steal=e steal=empty",
		"a ?x b c d 3:a x=void e steal=b steal=c steal=d steal=e steal=empty",
		"a b ?x c d e 3:a,b x=void f steal=c steal=d steal=e steal=f steal=empty",
		"a ?x b c d e 3:a,b x=void f steal=c steal=d steal=e steal=f steal=empty",
		"?x ?y a b c 3:lost x=void y=void d e steal=a steal=b steal=c steal=d steal=e steal=empty",
		// It leaves a slot behind it alone.
		"a b c ?x d e 3:a,b,c x=good steal=x steal=d steal=e steal=empty",
	} {
		play(t, 8, script)
	}
	// A batch ends with its block, however many places it has: behind the last slot
	// are tickets of pushers that went on to the next block.
	play(t, 2, "a b c d e 100:a,b 100:c,d 100:e 100:empty")
	// Where all the slots that are left belong to late pushers, and the items are in
	// the next block, a batch makes way to them, one slot at a time.
	play(t, 2, "?x ?y a 4:lost 4:lost 4:a x=void y=void")
}
