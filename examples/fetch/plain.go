package main

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// fetchedPlain does so with an errgroup. The error is the first one in time: another one each
// time, if there are several.
func fetchedPlain(ctx context.Context, urls []string, limit int) ([]page, error) {
	pages := make([]page, len(urls))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(limit)
	for i, url := range urls {
		group.Go(func() (err error) {
			pages[i], err = fetch(ctx, url)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return pages, nil
}
