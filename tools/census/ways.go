package census

import (
	"context"
	"io/fs"
	"path"
	"sync"

	"github.com/rouse-go/rouse/pool"
)

// Sequential takes the census of a tree on the calling goroutine. It returns
// an error only if ctx ends first.
func Sequential(ctx context.Context, fsys fs.FS, opts ...Option) (*Census, error) {
	s := newSurvey(ctx, fsys, opts)
	return s.result(s.sequential(root))
}

func (s *survey) sequential(p place) entry {
	if !p.isDir() {
		return s.look(p)
	}
	places, err := s.list(p)
	entries := make([]entry, len(places))
	for i, place := range places {
		entries[i] = s.sequential(place)
	}
	return sum(path.Base(p.path), entries, err)
}

// Goroutines takes the census of a tree with a goroutine for each entry. It
// returns an error only if ctx ends first.
func Goroutines(ctx context.Context, fsys fs.FS, opts ...Option) (*Census, error) {
	s := newSurvey(ctx, fsys, opts)
	return s.result(s.goroutines(root, make(chan struct{}, maxOpen)))
}

// maxOpen is well below the 256 file descriptors of the stingiest platform.
const maxOpen = 128

// goroutines has at most as many files and directories open as slots has room for: a
// goroutine that wants one more waits. A goroutine that has one open does not wait, so that ends.
func (s *survey) goroutines(p place, slots chan struct{}) entry {
	slots <- struct{}{}
	if !p.isDir() {
		defer func() { <-slots }()
		return s.look(p)
	}
	places, err := s.list(p)
	<-slots
	entries := make([]entry, len(places))
	var wg sync.WaitGroup
	for i, place := range places {
		wg.Go(func() { entries[i] = s.goroutines(place, slots) })
	}
	wg.Wait()
	return sum(path.Base(p.path), entries, err)
}

// Pool takes the census of a tree by fork-join on p. It returns an error only
// if ctx ends first or p is closed.
//
// A file is work for a tenth of a millisecond and more, so the pool is best
// made with [pool.WithEagerPublish]: a fork that is offered at once costs
// nothing beside that, and no worker idles while its owner parses a large file.
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
	return sum(path.Base(p.path), s.forkEach(w, places), err)
}

// forkEach surveys each place, and returns what was found in their order.
func (s *survey) forkEach(w *pool.Worker, places []place) []entry {
	forks := make([]pool.Forked[place, entry], len(places))
	for i, place := range places {
		forks[i] = pool.Fork(w, s.forkJoin, place)
	}
	// Newest first: thieves take the oldest, so the two meet only at the end.
	entries := make([]entry, len(places))
	for i := len(forks) - 1; i >= 0; i-- {
		entries[i] = forks[i].Join(w)
	}
	return entries
}
