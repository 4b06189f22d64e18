package main

import (
	"context"

	"github.com/rouse-go/rouse/par"
)

// decoded reads all lines. The error is that of the first line that is not valid.
func decoded(ctx context.Context, lines [][]byte) ([]order, error) {
	orders := make([]order, len(lines))
	err := par.EachErr(ctx, orders, func(_ context.Context, i int, o *order) (err error) {
		*o, err = decode(lines[i], i)
		return err
	})
	return orders, err
}
