package main

import (
	"context"

	"github.com/rouse-go/rouse/par"
)

// fetched returns all pages, and fetches at most limit of them at the same time. If pages fail,
// it returns the error of the first one in their order, and cancels the requests after it.
func fetched(ctx context.Context, urls []string, limit int) ([]page, error) {
	return par.MapErr(ctx, urls, fetch, par.WithLimit(limit))
}
