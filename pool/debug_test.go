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

// If this fails, Dump does not show which jobs wait for each other in a deadlock.
func TestDump(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P30", "jobs that wait for each other are dumped", func() {
		var mu sync.Mutex
		mu.Lock()
		inBlock, release := make(chan bool), make(chan bool)
		h := submitted(t, p, func(w *pool.Worker) int {
			return stolen(t, w, func(*pool.Worker) int { mu.Lock(); defer mu.Unlock(); return 1 }).Join(w)
		})
		until(t, "the first job is set aside", func() bool { return p.Stats().SetAside == 1 })
		blocked := submitted(t, p, func(w *pool.Worker) int {
			scopeOf(w, func(w *pool.Worker) { w.Block(func() { close(inBlock); <-release }) })
			return 1
		})
		<-inBlock
		var got string
		for _, want := range []string{
			"pool: jobs begun: 3; workers: 2, without a job: 1, asleep: ", "[sync.Mutex.Lock]", " waits for job ",
			"is in Block [chan receive]", "pool_test.TestDump.func", "queued: 0",
		} {
			until(t, fmt.Sprintf("Dump says %q", want), func() bool { got = dumped(p); return strings.Contains(got, want) })
		}
		for _, no := range []string{"digit", "spell", "pool.(*Worker)", "prim."} {
			expect(t, !strings.Contains(got, no), "P30: Dump says %q, which does not matter:\n%s", no, got)
		}
		close(release)
		mu.Unlock()
		equal(t, result(t, h)+result(t, blocked), 2, "P1: two jobs gave")
	})
	untilSleeping(t, p)
	// A job that went on as a guest may be on its last instructions when its result is there.
	const rest = "jobs begun: 0; workers: 2, without a job: 2, asleep: 2; queued: 0"
	during(t, "P30", "Dump says that the pool is at rest", func() {
		until(t, fmt.Sprintf("Dump says %q", rest), func() bool { return strings.Contains(dumped(p), rest) })
	})
}

// If this fails, Dump says of a job that works that it waits.
func TestDumpOfRunInBlock(t *testing.T) {
	p := poolOf(t, 1)
	look := func(when, not string, want ...string) {
		t.Helper()
		got := dumped(p)
		says(t, "P30: "+when, got, want...)
		expect(t, !strings.Contains(got, not), "P30: %s, Dump says %q:\n%s", when, not, got)
	}
	do(t, p, func(w *pool.Worker) {
		w.Block(func() {
			look("in Block", "is on worker", "jobs begun: 1;", "is in Block")
			runInJob(w, func(inner *pool.Worker) int {
				expect(t, inner == w, "P4: a Run in Block has another worker than the job")
				look("in a Run in Block", "is in Block", "jobs begun: 2;", "is on worker 0 [running]", "has called Run")
				return 0
			})
			look("after a Run in Block", "is on worker", "jobs begun: 1;", "is in Block")
		})
		look("after Block", "is in Block", "jobs begun: 1;", "is on worker 0 [running]")
	})
}
