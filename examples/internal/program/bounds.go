package program

import (
	"context"
	"flag"
	"fmt"
	"io"
)

// AtMost returns an error if one of the named flags, which are numbers, is greater than most: what a
// program makes of it would not fit into memory. Call it after Parse.
func (c *Call) AtMost(most int, flags ...string) error {
	for _, name := range flags {
		if n, ok := c.Flags.Lookup(name).Value.(flag.Getter).Get().(int); ok && n > most {
			return fmt.Errorf("-%s must be at most %d", name, most)
		}
	}
	return nil
}

// Within returns what f returns, or the error of ctx as soon as that ends. It is for work that does
// not look at a context, and goes on until the program exits.
func Within[T any](ctx context.Context, f func() T) (result T, err error) {
	done := make(chan T, 1)
	go func() { done <- f() }()
	select {
	case result = <-done:
		return result, nil
	case <-ctx.Done():
		return result, context.Cause(ctx)
	}
}

// Reader returns a reader that ends with its context, also in the middle of a file.
func Reader(ctx context.Context, r io.Reader) io.Reader { return reader{ctx, r} }

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}
