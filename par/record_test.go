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
		count, pieces := map[record.EventKind]int{}, [][2]int{}
		for _, e := range got.Events {
			switch count[e.Kind]++; e.Kind {
			case record.EventLoop:
				if e.Hi != n || e.Loop != 1 || !strings.Contains(e.Func, "TestRecordedLoops") {
					t.Errorf("For: in a recording, %s: of a loop of %d elements it says %+v", name, n, e)
				}
			case record.EventPieceEnd:
				pieces = append(pieces, [2]int{e.Lo, e.Hi})
			}
		}
		if count[record.EventLoop] != 1 || count[record.EventLoopEnd] != 1 || count[record.EventPiece] != len(pieces) || got.Dropped > 0 {
			t.Errorf("For: in a recording, %s: of one loop with %d pieces that have ended there are these events: %v", name, len(pieces), count)
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
