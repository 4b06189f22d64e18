package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/explore"
)

// A slice is a deque and an injector, right unless it has a fault. It needs no
// synchronization where threads take turns.
type slice struct {
	items []*int
	fault string
	lost  bool
}

func (s *slice) take(i int) *int {
	item := s.items[i]
	if s.fault != "keeps what was taken" || len(s.items) > 1 {
		s.items = slices.Delete(s.items, i, i+1)
	}
	return item
}

func (s *slice) Push(item *int) (wasEmpty bool) {
	wasEmpty = len(s.items) == 0 || s.fault == "always was empty"
	if s.fault != "forgets the third" || len(s.items) < 2 {
		s.items = append(s.items, item)
	}
	return wasEmpty
}

func (s *slice) Pop() *int {
	switch n := len(s.items); {
	case n == 0 || s.fault == "never pops":
		return nil
	case s.fault == "pops the oldest":
		return s.take(0)
	default:
		return s.take(n - 1)
	}
}

func (s *slice) Steal() (*int, api.Outcome) {
	n := len(s.items)
	s.lost = !s.lost
	switch {
	case n == 0 && s.fault == "steals nil":
		return nil, api.Stolen
	case n == 0 && s.fault == "loses nothing":
		return nil, api.Lost
	case n == 0:
		return nil, api.Empty
	case s.fault == "steals the newest":
		return s.take(n - 1), api.Stolen
	case s.fault == "loses for no reason" && s.lost:
		return nil, api.Lost
	case s.fault == "pretends to be empty" && s.lost:
		return nil, api.Empty
	}
	return s.take(0), api.Stolen
}

func (s *slice) Len() int {
	switch s.fault {
	case "is of length -1":
		return -1
	case "is one longer":
		return len(s.items) + 1
	}
	return len(s.items)
}

func (s *slice) Empty() bool { return len(s.items) == 0 != (s.fault == "says the opposite") }

// A sliceDeque is a slice whose Push says nothing.
type sliceDeque struct{ *slice }

func (s sliceDeque) Push(item *int) { s.slice.Push(item) }

// Each kind of fault must be found by the check that is there for it, which is
// to say what it found.
func TestScriptChecks(t *testing.T) {
	for _, tt := range []struct{ fault, deque, injector string }{
		{"", "", ""},
		{"keeps what was taken", "D1: item 0 came out", "I1: item 0 came out"},
		{"forgets the third", "never came out", "never came out"},
		{"steals nil", "D1: Steal returned nil", "I1: Steal returned nil"},
		{"pops the oldest", "D2: Pop returned", ""},
		{"never pops", "D3: no order of these operations", ""},
		{"steals the newest", "D2: item 0 was stolen after item 1", "I2: item 0 was stolen after item 1"},
		{"loses nothing", "D3: Steal was Lost with nobody else at work", "I3: Steal was Lost with nobody else at work"},
		{"loses for no reason", "was Lost, with nobody in its way", "was Lost, with nobody in its way"},
		{"pretends to be empty", "D3: no order of these operations", "I3: no order of these operations"},
		{"is of length -1", "D7: the length is -1", ""},
		{"is one longer", "D3: no order of these operations", ""},
		{"always was empty", "", "I3: 4 pushes met an empty queue"},
		{"says the opposite", "", "I3: no order of these operations"},
	} {
		t.Run(strings.ReplaceAll(tt.fault, " ", "_"), func(t *testing.T) {
			find(t, tt.deque, scenarios.Deque(func() api.Deque[int] {
				return sliceDeque{&slice{fault: tt.fault}}
			}))
			find(t, tt.injector, scenarios.Injector(func() api.Injector[int] {
				return &slice{fault: tt.fault}
			}))
		})
	}
}

// plain says that the threads need not be seen: a slice has no operations of prim.
var plain = explore.MayBeUnseen("owner", "thief", "pusher", "taker")

// find checks that one of the scenarios, of which each is run a few times,
// fails and says so, or that none does if there is nothing to say.
func find(t *testing.T, says string, all []scenarios.Scenario) {
	t.Helper()
	var said []string
	for _, s := range all {
		switch f := explore.Explore(s.Body, explore.Bound(1), explore.MaxSchedules(1000), plain).Failure; {
		case f == nil:
		case f.Kind == explore.Unavailable:
			t.Skip(f.Message)
		case says != "" && strings.Contains(f.Message, says):
			return
		default:
			said = append(said, s.Name+": "+string(f.Kind)+": "+f.Message)
		}
	}
	if says != "" || len(said) > 0 {
		t.Errorf("no scenario says %q, but:\n%s", says, strings.Join(said, "\n"))
	}
}
