package census

import (
	"context"
	"io/fs"
	"path"

	"github.com/rouse-go/rouse/pool"
)

// Pool takes the census of a tree by fork-join on p. It returns an error only
// if ctx ends first or p is closed.
//
// A file is work for a tenth of a millisecond and more, so the pool is best
// made with [pool.WithEagerPublish]: a fork that is offered at once costs
// nothing beside that, and nobody idles while its owner parses a large file.
func Pool(ctx context.Context, p *pool.Pool, fsys fs.FS, opts ...Option) (*Census, error) {
	s := newSurvey(ctx, fsys, opts)
	found, err := pool.Run(ctx, p, s.forkJoin, root)
	if err != nil {
		return nil, err
	}
	return s.result(found)
}

func (s *survey) forkJoin(w *pool.Worker, p place) entry {
	if !p.isDir() {
		return s.look(p)
	}
	places, err := s.list(p)
	forks := make([]pool.Forked[place, entry], len(places))
	for i, place := range places {
		forks[i] = pool.Fork(w, s.forkJoin, place)
	}
	// Newest first: thieves take the oldest, so the two meet only at the end.
	entries := make([]entry, len(places))
	for i := len(forks) - 1; i >= 0; i-- {
		entries[i] = forks[i].Join(w)
	}
	return sum(path.Base(p.path), entries, err)
}
