package pool_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// dumped returns what Dump writes.
func dumped(p *pool.Pool) string {
	var b strings.Builder
	p.Dump(&b)
	return b.String()
}

// If this fails, nobody learns from Dump who waits for whom in a deadlock.
func TestDump(t *testing.T) {
	p := asleep(t, newPool(t, pool.WithWorkers(2)))
	during(t, "P30", "jobs that wait for each other are dumped", func() {
		var mu sync.Mutex
		mu.Lock()
		inBlock, release := make(chan bool), make(chan bool)
		h := submitted(t, p, func(w *pool.Worker) int {
			waitsForLock := stolen(t, w, func(*pool.Worker) int { mu.Lock(); defer mu.Unlock(); return 1 })
			return waitsForLock.Join(w)
		})
		until(t, "the first job is set aside", func() bool { return p.Stats().SetAside == 1 })
		blocked := submitted(t, p, func(w *pool.Worker) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				begun := make(chan bool)
				s.Spawn(w, func(w *pool.Worker) {
					close(begun)
					w.Block(func() { close(inBlock); <-release })
				})
			})
			return 1
		})
		<-inBlock
		var got string
		for _, want := range []string{
			"pool: jobs begun: 3; workers: 2, without a job: 1, asleep: ", "[sync.Mutex.Lock]", " waits for job ", "is in Block [chan receive]", "pool_test.TestDump.func",
			"no job is queued",
		} {
			until(t, fmt.Sprintf("Dump says %q", want), func() bool { got = dumped(p); return strings.Contains(got, want) })
		}
		t.Log(got)
		for _, no := range []string{"digit", "spell", "pool.(*Worker)", "prim."} {
			if strings.Contains(got, no) {
				t.Errorf("P30: Dump says %q, which does not matter:\n%s", no, got)
			}
		}
		close(release)
		mu.Unlock()
		for _, h := range []*pool.Handle[int]{h, blocked} {
			if n, err := h.Wait(background); n != 1 || err != nil {
				t.Errorf("P1: Wait returned %d and %v", n, err)
			}
		}
	})
	during(t, "S7", "the workers sleep after the last job", func() {
		until(t, "all workers sleep", func() bool { return p.Sleeping() == 2 })
	})
	if got := dumped(p); !strings.Contains(got, "jobs begun: 0; workers: 2, without a job: 2, asleep: 2; no job is queued") {
		t.Errorf("P30: Dump of a pool at rest:\n%s", got)
	}
}

// If this fails, Dump says of a job that works that it waits.
func TestDumpOfRunInBlock(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	check := func(when string, want, not []string) {
		t.Helper()
		got := dumped(p)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("P30: %s, Dump does not say %q:\n%s", when, w, got)
			}
		}
		for _, n := range not {
			if strings.Contains(got, n) {
				t.Errorf("P30: %s, Dump says %q:\n%s", when, n, got)
			}
		}
	}
	mustRun(t, p, func(w *pool.Worker, _ int) int {
		w.Block(func() {
			check("in Block", []string{"jobs begun: 1;", "is in Block"}, []string{"is on worker"})
			pool.Run(pool.NewContext(background, w), p, func(inner *pool.Worker, _ int) int {
				if inner != w {
					t.Error("P4: a Run in Block has another worker than the job")
				}
				check("in a Run in Block", []string{"jobs begun: 2;", "is on worker 0 [running]", "has called Run"}, []string{"is in Block"})
				return 0
			}, 0)
			check("after a Run in Block", []string{"jobs begun: 1;", "is in Block"}, []string{"is on worker"})
		})
		check("after Block", []string{"jobs begun: 1;", "is on worker 0 [running]"}, []string{"is in Block"})
		return 0
	}, 0)
}
