package par

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A call in a job that is measured ([pool.Pool.Measure]) is done by the caller alone, in ranges as
// others would have them, and each range is measured as one that could run beside the others.

// measured is run of a call in a measured job.
//
//go:noinline
func (c *config) measured(w *pool.Worker, n int, b body, kind uintptr) (err error) {
	if c.limit > 0 {
		loops.Wait(w, func() { err = c.run(n, b, kind) })
		return err
	}
	f := loops.NewFan(w)
	defer f.Close()
	for lo, length := 0, 1; lo < n; {
		m := min(length, n-lo)
		if c.gauge != nil && b.elements != nil {
			m = 1
		}
		took := f.Piece(func() { _, err = b.run(c.ctx, lo, lo+m, &never.stop) })
		if err != nil {
			return err
		}
		lo += m
		if c.gauge != nil {
			c.gauge.did(m, prim.Now())
		}
		if lo < n && c.isOver() {
			return endOf(c.ctx)
		}
		if took > 0 { // else the clock stands still
			length = max(1, min(int(time.Duration(m)*quantum/took), most*length, longest))
		}
	}
	c.finished(n)
	return nil
}

// measured does the element of a cell in a measured job. The source and the consumer go on beside it.
func (s *stream[T, R]) measured(c *cell[T, R]) {
	s.fan.Piece(func() { s.own(c) })
	s.fan.Resume()
}
