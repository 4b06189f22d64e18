package census

import (
	"context"
	"io"
	"io/fs"
	"path"
)

// A survey is one walk over a tree: what the three ways have in common.
type survey struct {
	ctx      context.Context
	fsys     fs.FS
	progress func()
}

// An Option changes how a walk is done.
type Option func(*survey)

// WithProgress has f called after each file, by the goroutine that has read it: by several
// at once unless the walk is sequential.
func WithProgress(f func()) Option { return func(s *survey) { s.progress = f } }

func newSurvey(ctx context.Context, fsys fs.FS, opts []Option) *survey {
	s := &survey{ctx: ctx, fsys: fsys, progress: func() {}}
	for _, o := range opts {
		o(s)
	}
	return s
}

// A place is one name in the tree, not yet looked at.
type place struct {
	path string
	mode fs.FileMode // the type bits
}

// root is where every walk begins.
var root = place{".", fs.ModeDir}

func (p place) isDir() bool { return p.mode.IsDir() }

// list returns what is in the directory, by name. If reading it ends early,
// the places until then are returned with the error.
func (s *survey) list(dir place) ([]place, error) {
	if s.ctx.Err() != nil {
		return nil, s.ctx.Err()
	}
	found, err := fs.ReadDir(s.fsys, dir.path)
	places := make([]place, len(found))
	for i, d := range found {
		places[i] = place{path.Join(dir.path, d.Name()), d.Type()}
	}
	return places, err
}

// look surveys a place that is no directory.
func (s *survey) look(p place) entry {
	if s.ctx.Err() != nil {
		return entry{} // The walk has been given up, its result is dropped.
	}
	if !p.mode.IsRegular() {
		e := entry{Name: path.Base(p.path), Kind: other}
		e.Counts.Skipped = 1
		return e
	}
	e := s.measure(p.path)
	s.progress()
	return e
}

// read writes the content of a file to w, and returns its length. It gives up when ctx ends, even
// in the middle of a file: some are endless.
func (s *survey) read(w io.Writer, name string) (int64, error) {
	f, err := s.fsys.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(w, reader{s.ctx, f})
}

// A reader reads a file until ctx ends.
type reader struct {
	ctx context.Context
	fs.File
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.File.Read(p)
}

// result makes the census of what was found at the root.
func (s *survey) result(found entry) (*Census, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	c := new(Census)
	c.flatten(&found, ".")
	return c, nil
}

// Warm reads every file of a tree once, so that a census taken after it finds
// them in the system's cache, and returns how many there are, as many as a walk
// reports to [WithProgress], and how many bytes they have. It returns an error
// only if ctx ends first.
func Warm(ctx context.Context, fsys fs.FS, opts ...Option) (files int, bytes int64, err error) {
	s := newSurvey(ctx, fsys, opts)
	err = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files++
			n, _ := s.read(io.Discard, path) // The census will say what is wrong with it.
			bytes += n
			s.progress()
		}
		return ctx.Err()
	})
	return files, bytes, err
}
