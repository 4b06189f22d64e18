package par_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/record"
)

// If this fails, a recording of a pool shows other pieces of a loop than those that were done, or the
// loop of another function.
func TestRecordedLoops(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(3))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const n = 500
	errOdd := errors.New("odd")
	for name, call := range map[string]func() error{
		"for": func() error { par.For(n, func(int) { time.Sleep(time.Microsecond) }, par.On(p)); return nil },
		"range": func() error {
			par.ForRange(n, func(lo, hi int) { time.Sleep(time.Microsecond) }, par.On(p))
			return nil
		},
		"in": func() error {
			_, err := pool.Run(t.Context(), p, func(w *pool.Worker, _ int) int {
				par.For(n, func(int) { time.Sleep(time.Microsecond) }, par.In(w))
				return 0
			}, 0)
			return err
		},
		"error": func() error {
			return par.ForErr(t.Context(), n, func(_ context.Context, i int) error {
				if i == n/2 {
					return errOdd
				}
				return nil
			}, par.On(p))
		},
	} {
		stop, err := p.Record(0)
		if err != nil {
			t.Fatal(err)
		}
		failed := call() != nil
		got := stop()
		open, pieces := map[int]record.Event{}, [][2]int{} // a job has one piece at a time here
		loops, ends := 0, 0
		for _, e := range got.Events {
			switch e.Kind {
			case record.EventLoop:
				loops++
				if e.Hi != n || e.Loop != 1 || !strings.Contains(e.Func, "TestRecordedLoops") {
					t.Errorf("For: in a recording, %s: of a loop of %d elements it says %+v", name, n, e)
				}
			case record.EventLoopEnd:
				ends++
			case record.EventPiece:
				if before, ok := open[e.Job]; ok {
					t.Errorf("For: in a recording, %s: a piece begins within another one: %+v, %+v", name, before, e)
				}
				open[e.Job] = e
			case record.EventPieceEnd:
				if open[e.Job].Lo != e.Lo || e.Hi > open[e.Job].Hi {
					t.Errorf("For: in a recording, %s: the piece %+v ends as %+v", name, open[e.Job], e)
				}
				delete(open, e.Job)
				pieces = append(pieces, [2]int{e.Lo, e.Hi})
			}
		}
		if loops != 1 || ends != 1 || len(open) > 0 || got.Dropped > 0 {
			t.Errorf("For: in a recording, %s: of one loop it says that %d began and %d ended, and %d pieces go on", name, loops, ends, len(open))
		}
		if failed != (name == "error") || failed {
			continue
		}
		// Thieves may leave nothing of a piece.
		slices.SortFunc(pieces, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		next := 0
		for _, piece := range pieces {
			if piece[0] != next {
				t.Fatalf("For: in a recording, %s: a piece begins at %d, and the one before ends at %d, in %v", name, piece[0], next, pieces)
			}
			next = piece[1]
		}
		if next != n {
			t.Errorf("For: in a recording, %s: the pieces end at %d, want %d", name, next, n)
		}
	}
}
