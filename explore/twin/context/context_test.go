//go:build explore

package context_test

import (
	rc "context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
	. "github.com/rouse-go/rouse/explore/twin/context"
	"github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/time"
)

var errBad = errors.New("bad")

// done waits for the end.
func done(ctx Context) { lang.Recv(ctx.Done(), "") }

func TestCancel(t *testing.T) {
	planted.Outcomes(t, func() string {
		parent, cancel := WithCancelCause(Background())
		ctx, stop := WithCancel(WithValue(parent, 1, "v"))
		lang.Go(func() { cancel(errBad) })
		lang.Go(stop)
		done(ctx)
		return fmt.Sprint(ctx.Err() == Canceled, ctx.Value(1), Cause(ctx))
	}, "truevbad", "truevcontext canceled")
	planted.Outcomes(t, func() string {
		parent, cancel := WithCancel(Background())
		lang.Go(cancel)
		ctx, _ := WithCancel(parent)
		s := fmt.Sprint(ctx.Err())
		done(ctx)
		return s
	}, "<nil>", "context canceled")
}

func TestTimeout(t *testing.T) {
	planted.Outcomes(t, func() string {
		ctx, cancel := WithTimeoutCause(Background(), time.Second, errBad)
		lang.Go(cancel)
		done(ctx)
		_, has := ctx.Deadline()
		return fmt.Sprint(ctx.Err(), Cause(ctx), has)
	}, "context canceled context canceled true", "context deadline exceeded bad true")
	planted.Outcomes(t, func() string {
		ctx, _ := WithDeadline(Background(), time.Now())
		long, _ := WithTimeout(ctx, time.Hour)
		return fmt.Sprint(ctx.Err(), long.Err())
	}, "context deadline exceeded context deadline exceeded")
}

// A failure would mean that a loop that sets deadlines has more threads in each round.
func TestDeadlinesInALoop(t *testing.T) {
	r := explore.Explore(func(*explore.Exec) {
		for range 80 {
			_, _ = WithTimeout(Background(), 1)
			time.Sleep(2) // nothing orders the end of the context before what follows
		}
	}, explore.Random(1, 10), explore.Rounds(2))
	if r.Failure != nil {
		t.Error(r)
	}
}

func TestAfterFunc(t *testing.T) {
	planted.Outcomes(t, func() string {
		ctx, cancel := WithCancel(Background())
		ran := make(chan bool, 1)
		stop := AfterFunc(ctx, func() { lang.Send(ran, "")(true) })
		lang.Go(cancel)
		if stop() {
			return fmt.Sprint("stopped", lang.Len(ran, ""))
		}
		lang.Recv(ran, "")
		return "ran"
	}, "stopped0", "ran")
}

func TestWithoutCancel(t *testing.T) {
	planted.Outcomes(t, func() string {
		parent, cancel := WithCancel(WithValue(Background(), 1, "v"))
		ctx := WithoutCancel(parent)
		child, stop := WithCancel(ctx)
		cancel()
		s := fmt.Sprint(ctx.Err(), ctx.Value(1), child.Err(), Cause(ctx))
		stop()
		return s
	}, "<nil>v<nil> <nil>")
}

// Contexts go to and from package context.
func TestForeign(t *testing.T) {
	planted.Outcomes(t, func() string {
		parent, cancel := WithCancelCause(Background())
		real, stop := rc.WithCancel(parent)
		ctx, _ := WithCancel(real)
		lang.Go(func() { cancel(errBad) })
		done(ctx)
		stop()
		return fmt.Sprint(ctx.Err(), real.Err())
	}, "context canceled context canceled")
	real, stop := rc.WithCancelCause(rc.Background())
	stop(errBad)
	planted.Outcomes(t, func() string {
		ctx, _ := WithCancel(real)
		return fmt.Sprint(ctx.Err(), Cause(ctx))
	}, "context canceled bad")
}

// Outside of an execution it does the same.
func TestReal(t *testing.T) {
	parent, cancel := rc.WithCancelCause(rc.Background())
	ctx, stop := WithTimeout(parent, time.Hour)
	defer stop()
	grandchild, _ := WithCancel(ctx)
	ran := make(chan bool)
	AfterFunc(grandchild, func() { close(ran) })
	cancel(errBad)
	<-ran
	if grandchild.Err() != Canceled || Cause(grandchild) != errBad {
		t.Error(grandchild.Err(), Cause(grandchild))
	}
	short, stop := WithTimeout(Background(), 1)
	defer stop()
	<-short.Done()
	if short.Err() != DeadlineExceeded || Cause(short) != DeadlineExceeded {
		t.Error(short.Err())
	}
	if s := fmt.Sprint(WithoutCancel(grandchild)); !strings.HasPrefix(s, "context.Background.WithCancel.WithDeadline(") ||
		!strings.HasSuffix(s, ").WithCancel.WithoutCancel") {
		t.Error(s)
	}
}
