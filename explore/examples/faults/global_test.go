package faults

import (
	"container/list"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

type place struct {
	owner string
	next  *place
	seen  map[string][]int
}

// What a program keeps in its package variables, in each way.
var (
	owner    string
	ownerMu  sync.Mutex
	number       = 3
	pair         = [2]int{1, 2}
	pointer      = &place{owner: "nobody", next: &place{}, seen: map[string][]int{"a": {1}}}
	alias        = &pointer.next.owner
	places       = []*place{{owner: "first"}, {}}
	byName       = map[string]*place{"a": {owner: "a"}}
	numbers      = map[int]int{1: 1}
	anything any = &place{}
	count    atomic.Int64
	value    atomic.Pointer[place]
	kept     atomic.Pointer[place]
	table    sync.Map
	once     sync.Once
	queue    = make(chan int, 2)
	order    = list.New()
	handle   = func() int { return 1 }
	closed   = make(chan struct{})
)

func init() {
	kept.Store(new(place))
	queue <- 1
	table.Store("a", 1)
	order.PushBack(1)
}

func claim(name string) {
	ownerMu.Lock()
	defer ownerMu.Unlock()
	if owner == "" {
		owner = name
	}
}

// Who claims first is another one if the goroutine comes first, in an execution that finds no owner.
func TestGlobal(t *testing.T) {
	planted.Pair(t, false, true, func(t *testing.T, orders bool) {
		done := make(chan int)
		if orders {
			claim("test")
		}
		go func() { claim("goroutine"); close(done) }()
		claim("test")
		<-done
		if owner != "test" {
			t.Error("owner is " + owner)
		}
	})
}

// A failure would mean that an execution begins with what another one has left behind.
func TestGlobals(t *testing.T) {
	state := func() string {
		s := fmt.Sprint(number, pair, pointer.owner, pointer.next.owner, *alias, pointer.seen, places[0].owner, places[1].next, len(places),
			byName["a"].owner, len(byName), numbers, anything.(*place).owner, count.Load(), value.Load() == nil, kept.Load().owner, len(queue), order.Len(), handle())
		table.Range(func(k, v any) bool { s += fmt.Sprint(k, v); return true })
		once.Do(func() { s += " once" })
		return s
	}
	var first string
	explore.Test(t, func(t *testing.T) {
		go claim("one")
		claim("another")
		if s := state(); first == "" {
			first = s
		} else if s != first {
			t.Errorf("it begins with\n%s, and the first one began with\n%s", s, first)
		}
		number++
		pair[1]++
		pointer.owner, *alias = "me", "me"
		pointer.seen["a"][0]++
		pointer.seen["b"] = nil
		pointer = pointer.next
		places[0].owner = "me"
		places[1].next = places[0]
		places = append(places, nil)
		byName["a"].owner = "me"
		byName["b"] = nil
		delete(numbers, 1)
		anything.(*place).owner = "me"
		count.Add(1)
		value.Store(new(place))
		kept.Load().owner = "me"
		table.Delete("a")
		table.Store("b", 2)
		queue <- 2
		order.PushBack(2)
		handle = func() int { return 2 }
	})
	planted.Fails(t, "has closed a channel of a package variable", func() {
		go claim("one")
		claim("another")
		close(closed)
	})
}
