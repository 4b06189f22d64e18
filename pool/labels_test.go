package pool_test

import (
	"context"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// labelsHere returns what Go prints of the calling goroutine's labels.
func labelsHere() string {
	buf := make([]byte, 1<<12)
	head, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), "\n")
	return head
}

// If this fails, a profile says that a job's time is that of another one, which was
// on the seat before.
func TestLabels(t *testing.T) {
	if label(t.Name()); !strings.Contains(labelsHere(), "labels:") {
		t.Skip("this version of Go does not print the labels of goroutines")
	}
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
					t.Error("the job has lost its labels in a wait")
				}
			})
			return n
		}, 0)
		if n != 1 || err != nil {
			t.Errorf("Run returned %d and %v", n, err)
		}
		if strings.Contains(stranger, "labels") {
			t.Errorf("a job has the labels of one that joins it: %s", stranger)
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
			t.Errorf("a Run that was queued has not the labels of its context: %s", queued)
		}
	})
}
