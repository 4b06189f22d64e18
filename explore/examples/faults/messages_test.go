package faults

//lint:file-ignore SA2001 The lock is all that is looked at.

import (
	"regexp"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

type store struct {
	inner struct{ sync.Mutex }
	parts [2]struct{ sync.RWMutex }
}

// A failure would mean that a deadlock does not say which lock a thread waits for, which thread holds it and
// whether that still runs, or how much a group waits for.
func TestHolders(t *testing.T) {
	for want, f := range map[string]func(){
		"Lock mu at .*, held by 0 itself$": func() {
			var mu sync.Mutex
			mu.Lock()
			mu.Lock()
		},
		"RLock mu at .*, held by 0 itself$": func() {
			var mu sync.RWMutex
			mu.Lock()
			mu.RLock()
		},
		"Lock mu at .*, held by 0 itself for reading$": func() {
			var mu sync.RWMutex
			mu.TryRLock()
			mu.RLock()
			mu.RUnlock()
			mu.Lock()
		},
		"0 .*: RLock mu at .*, held by 0 itself for reading, and 1 comes first\\n.*1 .*: Lock mu at .*, held by 0 for reading$": func() {
			var mu sync.RWMutex
			go func() {
				mu.Lock()
				mu.Unlock()
			}()
			mu.RLock()
			mu.RLock()
			mu.RUnlock()
			mu.RUnlock()
		},
		"1 .*: RLock mu at .*, held by 0$": func() { // which 1 had, too
			var mu sync.RWMutex
			done := make(chan struct{})
			go func() {
				mu.RLock()
				mu.RUnlock()
				close(done)
			}()
			<-done
			mu.Lock()
			go func() {
				defer func() { done <- struct{}{} }()
				mu.RLock()
			}()
			<-make(chan struct{})
		},
		"1 .*: Lock mu at .*, held by 0 for reading; 0 has ended$": func() { // which 0 has once more
			var mu sync.RWMutex
			mu.RLock()
			mu.RLock()
			mu.RUnlock()
			go mu.Lock()
		},
		"0 .*: Lock mu at .*, held by 1; 1 has ended$": func() {
			var mu sync.Mutex
			done := make(chan struct{})
			go func() {
				mu.Lock()
				close(done)
			}()
			<-done
			mu.Lock()
		},
		"Wait wg at .*, which counts 2$": func() {
			var wg sync.WaitGroup
			wg.Add(3)
			wg.Done()
			wg.Wait()
		},
		"Do once at .*, run by 0 itself$": func() {
			var once sync.Once
			once.Do(func() { once.Do(func() {}) })
		},
		"Lock Cond.L at .*, held by 0 itself$": func() {
			cond := sync.NewCond(new(sync.Mutex))
			cond.L.Lock()
			cond.L.Lock()
		},
		"Wait cond at .*messages_test.go:[0-9]+$": func() { // and not Cond.L, which is at the same address
			cond := sync.NewCond(new(sync.Mutex))
			cond.L.Lock()
			cond.Wait()
		},
		"Lock store.inner at .*, held by 0 itself$": func() {
			s := new(store)
			s.inner.Lock()
			s.inner.Lock()
		},
		"RLock store.parts.1. at .*, held by 0 itself$": func() {
			s, i := new(store), 1
			s.parts[i].Lock()
			s.parts[i].RLock()
		},
	} {
		planted.Fault(t, func(*testing.T) { f() })
		r := explore.Explore(func(*explore.Exec) { f() })
		if r.Failure == nil || !regexp.MustCompile("(?m)"+want).MatchString(r.Failure.Message) {
			t.Errorf("want %s: %v", want, r)
		}
	}
}
