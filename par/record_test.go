package par_test

import (
	"context"
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
	p := newPool(t, pool.WithWorkers(3))
	const n = 500
	nap := func(int) { time.Sleep(time.Microsecond) }
	for name, call := range map[string]func(){
		"for":   func() { par.For(n, nap, par.On(p)) },
		"range": func() { par.ForRange(n, func(lo, hi int) { nap(lo) }, par.On(p)) },
		"in":    func() { inJob(p, func(w *pool.Worker) { par.For(n, nap, par.In(w)) }) },
		"error": func() {
			_ = par.ForErr(background, n, func(_ context.Context, i int) error {
				if i == n/2 {
					return failure(i)
				}
				return nil
			}, par.On(p))
		},
	} {
		stop, err := p.Record(0)
		if err != nil {
			t.Fatal(err)
		}
		call()
		got := stop()
		open, pieces := map[int]record.Event{}, [][2]int{} // a job has one piece at a time here
		loops, ends := 0, 0
		for _, e := range got.Events {
			switch before, within := open[e.Job]; e.Kind {
			case record.EventLoop:
				loops++
				if e.Hi != n || e.Loop != 1 || !strings.Contains(e.Func, "TestRecordedLoops") {
					t.Errorf("For: in a recording, %s: of a loop of %d elements it says %+v", name, n, e)
				}
			case record.EventLoopEnd:
				ends++
			case record.EventPiece:
				if within {
					t.Errorf("For: in a recording, %s: a piece begins within another one: %+v, %+v", name, before, e)
				}
				open[e.Job] = e
			case record.EventPieceEnd:
				if before.Lo != e.Lo || e.Hi > before.Hi {
					t.Errorf("For: in a recording, %s: the piece %+v ends as %+v", name, before, e)
				}
				delete(open, e.Job)
				pieces = append(pieces, [2]int{e.Lo, e.Hi})
			}
		}
		if loops != 1 || ends != 1 || len(open) > 0 || got.Dropped > 0 {
			t.Errorf("For: in a recording, %s: of one loop it says that %d began and %d ended, and %d pieces go on", name, loops, ends, len(open))
		}
		slices.SortFunc(pieces, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) // thieves may leave nothing of a piece
		next := 0
		for _, piece := range append(pieces, [2]int{n, n}) {
			if piece[0] != next && name != "error" {
				t.Fatalf("For: in a recording, %s: a piece begins at %d, and the one before ends at %d, in %v", name, piece[0], next, pieces)
			}
			next = piece[1]
		}
	}
}
