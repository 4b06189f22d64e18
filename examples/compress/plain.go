package main

import (
	"context"
	"io"
	"runtime"
)

// channels is the same with a goroutine for each block, one that writes, and channels that keep
// the order and limit how many blocks there are.
type channels struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	members chan chan member
	ended   chan struct{}
}

type member struct {
	data []byte
	err  error
}

func pipedPlain(ctx context.Context, out io.Writer) blocks {
	c := &channels{members: make(chan chan member, 4*runtime.GOMAXPROCS(0)), ended: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	go func() {
		defer close(c.ended)
		for next := range c.members {
			m := <-next
			if m.err == nil && c.ctx.Err() == nil {
				_, m.err = out.Write(m.data)
			}
			if m.err != nil {
				c.cancel(m.err)
			}
		}
	}()
	return c
}

func (c *channels) Push(block []byte) error {
	next := make(chan member, 1)
	select {
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	case c.members <- next:
	}
	go func() {
		data, err := compressed(c.ctx, block)
		next <- member{data, err}
	}()
	return nil
}

func (c *channels) Close() error {
	close(c.members)
	<-c.ended
	defer c.cancel(nil)
	return context.Cause(c.ctx)
}
