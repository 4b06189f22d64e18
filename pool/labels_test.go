package pool_test

import (
	"context"
	"fmt"
	"os"
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

// Go prints labels since 1.26, if it is told to.
func init() { os.Setenv("GODEBUG", strings.TrimPrefix(os.Getenv("GODEBUG")+",tracebacklabels=1", ",")) }

// needsLabels gives the calling goroutine the test's name as a label, and skips the
// test where Go does not print it. A later version that prints labels in a way that
// is not known here makes the test fail: it would find none, and so check nothing.
func needsLabels(t *testing.T) {
	t.Helper()
	pprof.SetGoroutineLabels(pprof.WithLabels(background, pprof.Labels("test", t.Name())))
	switch printed := strings.Contains(labelsHere(), t.Name()); {
	case printed:
	case strings.HasPrefix(runtime.Version(), "go1.25"):
		t.Skip("Go 1.25 does not print the labels of goroutines")
	default:
		t.Fatalf("%s does not print the labels of goroutines, or not as the tests know it", runtime.Version())
	}
}

// blue is a context with a label.
var blue = pprof.WithLabels(background, pprof.Labels("tenant", "blue"))

// wantLabels checks those of the calling goroutine: that it has the blue one, or none.
func wantLabels(t *testing.T, isBlue bool, who string) {
	t.Helper()
	has := labelsHere()
	expect(t, isBlue && strings.Contains(has, "blue") || !isBlue && has == "", "P27: %s has the labels %q", who, has)
}

// If this fails, a profile says that a job's time is that of another one, which was
// on the seat before, or which has it forked.
func TestLabels(t *testing.T) {
	needsLabels(t)
	p, q := poolOf(t, 1), poolOf(t, 2)
	during(t, "P27", "jobs have their own labels", func() {
		do(t, p, func(w *pool.Worker) {
			pprof.Do(blue, pprof.Labels(), func(context.Context) {
				// It begins on the seat of this job, on a goroutine that this one starts.
				submitted(t, p, func(*pool.Worker) int { wantLabels(t, false, "a job that another one joins"); return 1 }).Join(w)
				wantLabels(t, true, "a job that has some, after a wait,")
			})
		})
		whileBusy(t, p, func() {
			bySubmitErr(blue, p, func(context.Context, *pool.Worker) (int, error) {
				wantLabels(t, true, "a job that was queued, with a blue context,")
				return 1, nil
			})
		})
		do(t, q, func(w *pool.Worker) {
			pprof.Do(blue, pprof.Labels(), func(context.Context) {
				stolen(t, w, func(*pool.Worker) int { wantLabels(t, false, "a fork that another worker has taken"); return 1 }).Join(w)
				wantLabels(t, true, "a job that has some, after a join,")
			})
		})
	})
}

// If this fails, a worker that sleeps has the labels of the job that it ran last, or of
// the code that made the pool: a profile of goroutines shows them, and they stay in memory.
func TestNoLabelsAtRest(t *testing.T) {
	set := func() { pprof.SetGoroutineLabels(pprof.WithLabels(background, pprof.Labels("tenant", "at rest"))) }
	set()
	p := poolOf(t, 1)
	pprof.SetGoroutineLabels(background)
	atRest := func(after string) {
		until(t, "all workers sleep", func() bool { return p.Stats().Running == 0 && p.Stats().Parks > p.Stats().Wakes })
		// The goroutine of a job that Submit has started has its labels until it ends.
		until(t, "no goroutine has labels after "+after, func() bool {
			var all strings.Builder
			check(t, pprof.Lookup("goroutine").WriteTo(&all, 1) == nil, "P8: the profile of goroutines cannot be written")
			return !strings.Contains(all.String(), `"tenant":"at rest"`)
		})
	}
	during(t, "P8", "a worker sleeps", func() {
		atRest("New on a goroutine that has some")
		result(t, submitted(t, p, func(*pool.Worker) int { set(); return 1 }))
		atRest("a job that has set some")
	})
}

// If this fails, a job has labels that one before it on the goroutine has set and not taken
// off: a profile says that it is for another tenant.
func TestLabelsEndWithTheJob(t *testing.T) {
	needsLabels(t)
	p := poolOf(t, 1)
	set := func(*pool.Worker) { pprof.SetGoroutineLabels(blue) }
	during(t, "P27", "jobs follow each other on a goroutine", func() {
		free := hold(t, p, 1) // what is queued behind it runs on its goroutine
		var all []*pool.Handle[int]
		for name, job := range map[string]func(w *pool.Worker) int{
			"has returned":       func(w *pool.Worker) int { set(w); return 0 },
			"has panicked":       func(w *pool.Worker) int { set(w); return raiser(w) },
			"had a spawned job,": func(w *pool.Worker) int { scopeOf(w, set); return 0 },
		} {
			all = append(all, submitted(t, p, job), submitted(t, p, func(*pool.Worker) int {
				wantLabels(t, false, "after a job that set labels and "+name+" the next one")
				return 0
			}))
		}
		free()
		for _, h := range all {
			h.Wait(background)
		}
	})
}

// If this fails, whoever hears of the end of a job, also of one that has panicked, and looks, finds a
// goroutine that has the labels of its context, and so refers to that.
func TestLabelsOfContextAreOffAtTheEnd(t *testing.T) {
	needsLabels(t)
	// The only worker is taken, so nobody begins the job.
	inJob(t, 1, "P27", "jobs of SubmitErr end", func(p *pool.Pool, _ *pool.Worker) {
		for _, panics := range []bool{false, true} {
			h := submittedErr(t, p, blue, func(context.Context, *pool.Worker) (int, error) {
				wantLabels(t, true, "a job of SubmitErr with a blue context")
				if panics {
					panic("on purpose")
				}
				return 0, nil
			})
			recovered(func() { pool.FunctionOf(h)(nil) })
			wantLabels(t, false, fmt.Sprintf("the goroutine of a job of SubmitErr that has ended, by a panic: %t,", panics))
			h.Cancel()
		}
	})
}
