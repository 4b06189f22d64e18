package census

import (
	"context"
	"io/fs"
	"path"
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
