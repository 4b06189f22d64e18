package pool_test

import (
	"bytes"
	"context"
	"runtime/trace"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// toldAs is a fork that a trace shows by its name.
func toldAs(_ *pool.Worker, begun *atomic.Bool) int { begun.Store(true); return 1 }

func runAsTask(_ context.Context, w *pool.Worker, t *testing.T) (int, error) {
	var begun atomic.Bool
	f := pool.Fork(w, toldAs, &begun)
	untilStolen(t, w, &begun)
	return f.Join(w), nil
}

// Traces have names as they are. If this fails, none shows calls of Run, or who runs what others have
// forked. Package traced of lab reads traces as a whole.
func TestTrace(t *testing.T) {
	p := poolOf(t, 2)
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skipf("another trace is being recorded: %v", err)
	}
	during(t, "P30", "jobs are traced", func() {
		returns(t, 1, "P1: RunErr returned")(pool.RunErr(background, p, runAsTask, t))
		h := submittedErr(t, p, background, func(context.Context, *pool.Worker) (int, error) { return 1, nil })
		equal(t, result(t, h), 1, "P1: a job gave")
	})
	trace.Stop()
	const prefix = "github.com/rouse-go/rouse/pool_test."
	says(t, "P30", b.String(), "Run "+prefix+"runAsTask", "stolen "+prefix+"toldAs", "submitted job")
}
