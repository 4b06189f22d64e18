package par

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
)

// A piece hands a pieceContext to its elements. It ends with the caller's, and when an index
// below the piece has failed, and soon after the piece is done. A cell of a stream has one for
// its elements, too. Most elements ask for its error at most: so there is a child of the
// caller's, which costs some allocations, only if somebody asks for a channel.
type pieceContext struct {
	context.Context // the caller's
	lo              int64

	mu  prim.Mutex
	err error // what it has ended with, once somebody has seen that
	// child stands for this one in package context, or is nil. From then on it says whether
	// it has ended, and with which error.
	child  context.Context
	cancel context.CancelFunc
}

func newPieceContext(ctx context.Context, lo int64) *pieceContext {
	c := &pieceContext{Context: ctx, lo: lo}
	prim.Declare(c)
	return c
}

// end ends the context, if it has not ended.
func (c *pieceContext) end() {
	c.mu.Lock()
	if c.child == nil && c.ended() == nil {
		c.err = context.Canceled
	}
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// ended returns what the context has ended with: always the same, once it is not nil. The
// caller has mu.
func (c *pieceContext) ended() error {
	switch {
	case c.err != nil:
	case c.child != nil:
		c.err = c.child.Err()
	default:
		c.err = c.Context.Err()
	}
	return c.err
}

func (c *pieceContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended()
}

func (c *pieceContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.child == nil {
		err := c.ended()
		if c.child, c.cancel = context.WithCancel(c.Context); err != nil {
			c.cancel()
		}
	}
	return c.child.Done()
}

// Value returns the caller's values. It also leads package context to the child, and so a
// context that is derived from this one ends in the same call, and needs no goroutine.
func (c *pieceContext) Value(key any) any {
	c.mu.Lock()
	from := c.child
	c.mu.Unlock()
	if from == nil {
		from = c.Context
	}
	return from.Value(key)
}

func (c *pieceContext) String() string {
	if s, ok := c.Context.(fmt.Stringer); ok {
		return s.String() + ".par"
	}
	return "par"
}
