package par

import (
	"context"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// A pieceContext is what a piece hands to its elements. It ends with the caller's, and when
// an index below the piece has failed, and soon after the piece is done. It has a channel
// only if somebody asks for it.
type pieceContext struct {
	context.Context // the caller's
	lo              int64

	mu     prim.Mutex
	err    error         // what it has ended with
	closed chan struct{} // nil if nobody has asked
	after  []*func()     // what to call at the end
	// forget takes back what was told the caller's context.
	forget func() bool
}

func newPieceContext(ctx context.Context, lo int64) *pieceContext {
	c := &pieceContext{Context: ctx, lo: lo}
	prim.Declare(c)
	return c
}

// end ends the context, if it has not ended.
func (c *pieceContext) end(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	if c.closed != nil {
		close(c.closed)
	}
	after, forget := c.after, c.forget
	c.after, c.forget = nil, nil
	c.mu.Unlock()
	if forget != nil {
		forget()
	}
	for _, f := range after {
		(*f)()
	}
}

// Err returns the caller's error as soon as its context has ended.
func (c *pieceContext) Err() error {
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	if err == nil {
		if err = c.Context.Err(); err != nil {
			c.end(err)
		}
	}
	return err
}

func (c *pieceContext) Done() <-chan struct{} {
	c.mu.Lock()
	done := c.closed
	if done == nil {
		done = make(chan struct{})
		c.closed = done
		if c.err != nil {
			close(done)
		}
	}
	c.mu.Unlock()
	c.watch()
	return done
}

// AfterFunc is what package context looks for: so a context that is derived from this one
// needs no goroutine.
func (c *pieceContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	ended := c.err != nil
	if !ended {
		c.after = append(c.after, &f)
	}
	c.mu.Unlock()
	if ended {
		prim.Go(f)
		return func() bool { return false }
	}
	c.watch()
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		at := slices.Index(c.after, &f)
		if at >= 0 {
			c.after = slices.Delete(c.after, at, at+1)
		}
		return at >= 0
	}
}

// watch has the context end with the caller's.
func (c *pieceContext) watch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && c.forget == nil && c.Context.Done() != nil {
		c.forget = prim.AfterFunc(c.Context, func() { c.end(c.Context.Err()) })
	}
}
