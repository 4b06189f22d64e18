package census

import (
	"context"
	"io/fs"
	"path"
	"sync"
)

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
