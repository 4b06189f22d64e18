package main

import (
	"context"

	"github.com/rouse-go/rouse/par"
)

// fetched returns all pages, at most so many of them under way at the same time. The error is
// that of the first one, in their order, that cannot be had: those above are given up then.
func fetched(ctx context.Context, urls []string, limit int) ([]page, error) {
	return par.MapErr(ctx, urls, fetch, par.WithLimit(limit))
}
