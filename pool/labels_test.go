package pool_test

import (
	"context"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// labelsHere returns what Go prints of the calling goroutine's labels: "" if it has none.
func labelsHere() string {
	buf := make([]byte, 1<<12)
	head, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), "\n")
	_, labels, _ := strings.Cut(head, "{")
	return labels
}

// needsLabels gives the calling goroutine the test's name as a label, and skips the
// test where Go does not print it. A later version that prints labels in a way that
// is not known here makes the test fail: it would find none, and so check nothing.
func needsLabels(t *testing.T) {
	t.Helper()
	label(t.Name())
	switch printed := strings.Contains(labelsHere(), t.Name()); {
	case printed:
	case strings.HasPrefix(runtime.Version(), "go1.25"):
		t.Skip("Go 1.25 does not print the labels of goroutines")
	default:
		t.Fatalf("%s does not print the labels of goroutines, or not as the tests know it", runtime.Version())
	}
}

// If this fails, a profile says that a job's time is that of another one, which was
// on the seat before.
func TestLabels(t *testing.T) {
	needsLabels(t)
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P1", "jobs have their own labels", func() {
		ctx := pprof.WithLabels(background, pprof.Labels("tenant", "blue"))
		var stranger, queued string
		n, err := pool.Run(ctx, p, func(w *pool.Worker, _ int) (n int) {
			pprof.Do(ctx, pprof.Labels(), func(context.Context) {
				// It begins on the seat of this job, on a goroutine that this one starts.
				h := submitted(t, p, func(*pool.Worker) int { stranger = labelsHere(); return 1 })
				n, _ = h.Join(w)
				if !strings.Contains(labelsHere(), "blue") {
					t.Error("P27: the job has lost its labels in a wait")
				}
			})
			return n
		}, 0)
		if n != 1 || err != nil {
			t.Errorf("P1: Run returned %d and %v", n, err)
		}
		if stranger != "" {
			t.Errorf("P27: a job has the labels of one that joins it: %s", stranger)
		}
		begun, release := make(chan bool), make(chan bool)
		busy := submitted(t, p, func(*pool.Worker) int { close(begun); <-release; return 1 })
		<-begun
		go func() {
			until(t, "a job is queued", func() bool { return p.Stats().Injected > 0 })
			close(release)
		}()
		pool.Run(ctx, p, func(*pool.Worker, int) int { queued = labelsHere(); return 1 }, 0)
		busy.Wait(background)
		if !strings.Contains(queued, "blue") {
			t.Errorf("P27: a Run that was queued has not the labels of its context: %s", queued)
		}
	})
}

// If this fails, a profile says that the time of a fork, on the worker that has taken
// it, is that of the caller's label, or of another job's.
func TestForksHaveNoLabels(t *testing.T) {
	needsLabels(t)
	p := asleep(t, newPool(t, pool.WithWorkers(2)))
	during(t, "P27", "a fork of a job with labels is taken by another worker", func() {
		var taken, own string
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			pprof.Do(background, pprof.Labels("tenant", "green"), func(context.Context) {
				f := stolen(t, w, func(*pool.Worker) int { taken = labelsHere(); return 1 })
				f.Join(w)
				own = labelsHere()
			})
			return 0
		}, 0)
		if taken != "" {
			t.Errorf("P27: a fork that another worker has taken has labels: %s", taken)
		}
		if !strings.Contains(own, "green") {
			t.Errorf("P27: a job has lost its labels in a join: %s", own)
		}
	})
}

// If this fails, a worker that sleeps has the labels of the job that it ran last, or of
// the code that made the pool: a profile of goroutines shows them, and they stay in memory.
func TestNoLabelsAtRest(t *testing.T) {
	set := func() { pprof.SetGoroutineLabels(pprof.WithLabels(background, pprof.Labels("tenant", "at rest"))) }
	set()
	p := newPool(t, pool.WithWorkers(1))
	pprof.SetGoroutineLabels(background)
	atRest := func(after string) {
		until(t, "all workers sleep", func() bool { return p.Stats().Running == 0 && p.Stats().Parks > p.Stats().Wakes })
		var all strings.Builder
		if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(all.String(), `"tenant":"at rest"`) {
			t.Errorf("P8: a goroutine has labels after %s:\n%s", after, &all)
		}
	}
	during(t, "P8", "a worker sleeps", func() {
		atRest("New on a goroutine that has some")
		// What is queued wakes the worker, and runs on its own goroutine.
		handles, err := pool.SubmitAll(p, []func(*pool.Worker) int{func(*pool.Worker) int { set(); return 1 }})
		if err != nil {
			t.Fatal(err)
		}
		handles[0].Wait(background)
		atRest("a job that has set some")
	})
}

// If this fails, a job has labels that one before it on the goroutine has set and not taken
// off: a profile says that it is for another tenant.
func TestLabelsEndWithTheJob(t *testing.T) {
	needsLabels(t)
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P27", "jobs follow each other on a goroutine", func() {
		begun, release := make(chan bool), make(chan bool)
		// What is queued behind it runs on its goroutine.
		busy := submitted(t, p, func(*pool.Worker) int { close(begun); <-release; return 1 })
		<-begun
		ends := map[string]func(){
			"returned":           func() {},
			"panicked":           func() { panic("on purpose") },
			"spawned in a scope": nil,
		}
		var after []*pool.Handle[int]
		had := make(map[string]string)
		for name, end := range ends {
			one := submitted(t, p, func(w *pool.Worker) int {
				set := func() { pprof.SetGoroutineLabels(pprof.WithLabels(background, pprof.Labels("tenant", "one"))) }
				if end == nil {
					w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) { set() }) })
					return 0
				}
				set()
				end()
				return 0
			})
			after = append(after, one, submitted(t, p, func(*pool.Worker) int { had[name] = labelsHere(); return 0 }))
		}
		close(release)
		for _, h := range append(after, busy) {
			h.Wait(background)
		}
		for name, labels := range had {
			if labels != "" {
				t.Errorf("P27: after a job that set labels and %s the next one has them: %s", name, labels)
			}
		}
	})
}

// If this fails, whoever hears of the end of a Run that was queued, and looks, finds a goroutine
// that refers to its context.
func TestLabelsOfContextAreOffAtTheEnd(t *testing.T) {
	needsLabels(t)
	p := newPool(t, pool.WithWorkers(1))
	ctx := pprof.WithLabels(background, pprof.Labels("tenant", "one"))
	pool.AsQueued(p, ctx, func() {
		if labelsHere() == "" {
			t.Error("P27: the job of a Run that was queued does not have the labels of its context")
		}
	})
	if labels := labelsHere(); labels != "" {
		t.Errorf("P27: the job of a Run that was queued has ended, and its goroutine has the labels %s", labels)
	}
}

// If this fails, the goroutine of a job that has panicked has the labels of its context when
// those that wait hear of it: whoever looks then finds somebody that refers to the context.
func TestLabelsEndWithThePanic(t *testing.T) {
	needsLabels(t)
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P27", "a job of SubmitErr panics", func() {
		mustRun(t, p, func(*pool.Worker, int) int { // the only worker is taken, so nobody begins the job
			ctx := pprof.WithLabels(background, pprof.Labels("tenant", "blue"))
			var had string
			h, err := pool.SubmitErr(ctx, p, func(context.Context, *pool.Worker) (int, error) {
				had = labelsHere()
				panic("on purpose")
			})
			if err != nil {
				t.Errorf("P1: SubmitErr returned the error %v", err)
				return 0
			}
			func() {
				defer func() { recover() }()
				pool.FunctionOf(h)(nil)
			}()
			if left := labelsHere(); !strings.Contains(had, "blue") || left != "" {
				t.Errorf("P27: a job of SubmitErr runs with the labels %q, and panics with those of its context: %q are left", had, left)
			}
			h.Cancel()
			return 0
		}, 0)
	})
}
