package main

import (
	"context"
	"io"

	"github.com/rouse-go/rouse/par"
)

// piped returns a sink for blocks. It compresses them on all processors, and writes them to out
// in their order.
func piped(ctx context.Context, out io.Writer) blocks {
	return par.NewPipe(ctx, compressed, func(member []byte) error {
		_, err := out.Write(member)
		return err
	})
}
