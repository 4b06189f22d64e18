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
	s := newSurvey(ctx, limitOpen(fsys), opts)
	return s.result(s.goroutines(root))
}

func (s *survey) goroutines(p place) entry {
	if !p.isDir() {
		return s.look(p)
	}
	places, err := s.list(p)
	entries := make([]entry, len(places))
	var wg sync.WaitGroup
	for i, place := range places {
		wg.Go(func() { entries[i] = s.goroutines(place) })
	}
	wg.Wait()
	return sum(path.Base(p.path), entries, err)
}

// maxOpen is well below the 256 file descriptors of the stingiest platform.
const maxOpen = 128

// limitOpen returns fsys with at most maxOpen files and directories open at
// once; whoever wants one more waits. That cannot deadlock, since nobody here
// opens a second while holding the first.
func limitOpen(fsys fs.FS) fs.FS {
	return limitedFS{fsys, make(chan struct{}, maxOpen)}
}

type limitedFS struct {
	fs.FS
	slots chan struct{}
}

func (l limitedFS) Open(name string) (fs.File, error) {
	l.slots <- struct{}{}
	f, err := l.FS.Open(name)
	if err != nil {
		<-l.slots
		return nil, err
	}
	return limitedFile{f, l.slots}, nil
}

func (l limitedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	l.slots <- struct{}{}
	defer func() { <-l.slots }()
	return fs.ReadDir(l.FS, name)
}

type limitedFile struct {
	fs.File
	slots chan struct{}
}

func (f limitedFile) Close() error {
	defer func() { <-f.slots }()
	return f.File.Close()
}
