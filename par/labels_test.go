package par_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// The elements that the caller does have its profiler labels. Those that workers do have none.
// With a limit above the number of workers all have them, for goroutines that the caller has
// started do these.
func TestLabels(t *testing.T) {
	const workers = 4
	for _, c := range []struct {
		what             string
		n, with, without int
		opts             []par.Option
	}{
		{"without a limit", workers, 1, workers - 1, nil},
		{"with a limit below the number of workers", workers, 1, 1, []par.Option{par.WithLimit(2)}},
		{"with a limit above the number of workers", 8, 8, 0, []par.Option{par.WithLimit(8)}},
	} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			pool.Go(p, func(*pool.Worker) {}) // a worker that has worked for others before
			time.Sleep(time.Second)
			go pprof.Do(background, pprof.Labels("of", "the caller"), func(context.Context) {
				par.For(c.n, func(int) { napWithLabels() }, append(c.opts, par.On(p))...)
			})
			time.Sleep(time.Second / 2)
			with, without := napping(t)
			if with != c.with || without != c.without {
				t.Errorf("For: %s, %d elements have the caller's profiler labels, and %d have none, want %d and %d", c.what, with, without, c.with, c.without)
			}
			time.Sleep(time.Minute)
		})
	}
}

//go:noinline
func napWithLabels() { time.Sleep(time.Second) }

// napping returns how many goroutines are in napWithLabels with the caller's labels, and
// without labels.
func napping(t *testing.T) (with, without int) {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		t.Fatal(err)
	}
	for stack := range strings.SplitSeq(profile.String(), "\n\n") {
		if !strings.Contains(stack, ".napWithLabels+") {
			continue
		}
		n := 0
		if i := strings.LastIndex(stack, " @ "); i >= 0 {
			fmt.Sscan(stack[strings.LastIndex(stack[:i], "\n")+1:i], &n)
		}
		switch {
		case strings.Contains(stack, `labels: {"of":"the caller"}`):
			with += n
		case !strings.Contains(stack, "labels:"):
			without += n
		}
	}
	return with, without
}
