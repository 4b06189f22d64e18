package conformance_test

import (
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/pool"
)

// A slice under a lock is a deque.
type slice[T any] struct {
	mu    sync.Mutex
	items []*T
}

func (s *slice[T]) Push(item *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, item)
}

func (s *slice[T]) Pop() *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.items)
	if n == 0 {
		return nil
	}
	item := s.items[n-1]
	s.items[n-1] = nil
	s.items = s.items[:n-1]
	return item
}

func (s *slice[T]) Steal() (*T, api.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.items) == 0 {
		return nil, api.Empty
	}
	item := s.items[0]
	s.items[0] = nil
	s.items = s.items[1:]
	return item, api.Stolen
}

func (s *slice[T]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.items)
}

// The suite on a deque of one's own: by itself, and as part of a pool. In a file of
// tests, checkDeque and checkPool are the tests. What is left to luck goes on for less than by
// default here.
func Example() {
	_, _ = checkDeque, checkPool
}

func checkDeque(t *testing.T) {
	conformance.TestDeque(t, func() api.Deque[int] { return new(slice[int]) }, conformance.WithStress(20*time.Millisecond))
}

// What is under test comes first, so that the options of the suite prevail.
func checkPool(t *testing.T) {
	mine := pool.WithDeque(func() api.Deque[pool.Job] { return new(slice[pool.Job]) })
	conformance.TestPool(t, func(opts ...pool.Option) (*pool.Pool, error) {
		return pool.New(append([]pool.Option{mine}, opts...)...)
	}, conformance.WithStress(20*time.Millisecond))
}
