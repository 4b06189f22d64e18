package conformance_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/pool"
)

// A simple is the smallest sleep backend that keeps every rule: a mutex, a
// condition variable, and a flag for each worker. BACKEND.md explains it.
type simple struct {
	mu     sync.Mutex
	woken  *sync.Cond
	asleep []bool // by worker
	// inactive are the workers that look for work or sleep.
	inactive, sleeping int
}

func newSimple(workers int) (api.Sleep, error) {
	s := &simple{asleep: make([]bool, workers)}
	s.woken = sync.NewCond(&s.mu)
	return s, nil
}

func (s *simple) StartLooking(worker int) api.Idle {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	return api.Idle{Worker: worker}
}

func (s *simple) NoWork(*api.Idle) (tired bool) { return true }

func (s *simple) Park(idle *api.Idle, latch api.Latch, look func() bool) (awake bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !latch.GetSleepy() || !latch.FallAsleep() {
		return true
	}
	defer latch.WakeUp()
	if look() {
		return true
	}
	s.sleeping++
	s.asleep[idle.Worker] = true
	for s.asleep[idle.Worker] {
		s.woken.Wait()
	}
	return true
}

func (s *simple) Found(*api.Idle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive--
	if s.inactive == s.sleeping {
		s.wakeSome(1)
	}
}

func (s *simple) Post(jobs int, wasEmpty bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if wasEmpty {
		jobs -= s.inactive - s.sleeping
	}
	s.wakeSome(jobs)
}

func (s *simple) wakeSome(n int) {
	for worker := range s.asleep {
		if n > 0 && s.wake(worker) {
			n--
		}
	}
}

func (s *simple) wake(worker int) bool {
	if !s.asleep[worker] {
		return false
	}
	s.asleep[worker] = false
	s.sleeping--
	s.woken.Broadcast()
	return true
}

func (s *simple) Wake(worker int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wake(worker)
}

func (s *simple) Counts() (inactive, sleeping int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inactive, s.sleeping
}

// A failure cites the rule that the backend breaks.
func TestSleepSimple(t *testing.T) {
	conformance.TestSleep(t, newSimple, conformance.WithSynctest())
}

// A pool on a sleep backend of one's own.
func ExampleTestSleep() {
	p, err := pool.New(pool.WithWorkers(4), pool.WithSleep(newSimple))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	fmt.Println(pool.Run(context.Background(), p, fibonacci, 20))
	// Output: 6765 <nil>
}

func fibonacci(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, fibonacci, n-2)
	return fibonacci(w, n-1) + f.Join(w)
}

// TestTutorial checks that the code that BACKEND.md explains is the code above. If
// it fails, a reader copies something that nobody has tested.
func TestTutorial(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	page, code := read("BACKEND.md"), read("example_backend_test.go")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(page, -1)
	var shown strings.Builder
	for _, b := range blocks {
		shown.WriteString("\n" + b[1])
		if !strings.Contains(code, b[1]) {
			t.Errorf("this is not in example_backend_test.go:\n%s", b[1])
		}
	}
	method := "\nfunc (s *simple)"
	if n, want := strings.Count(shown.String(), method), strings.Count(code, method); n != want {
		t.Errorf("the page shows %d methods of %d", n, want)
	}
}
