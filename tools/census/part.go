package census

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/rouse-go/rouse/pool"
)

// A Part is a piece of a census that can be taken by itself, by another process or on another
// machine: some neighbours in one directory, with all that is beneath them. [Split] makes the
// parts of a tree, and [Join] puts together what was found.
type Part struct {
	Dir      string // slash-separated, relative to the root, which is "."
	From, To string // the first name and the last
	Names    int    // how many there are from the one to the other
}

// A Piece is what was found of a Part. It can be encoded by package encoding/gob.
type Piece struct {
	Entries []entry
}

// Unreadable returns what could not be read of a piece that lies in dir: directories, and files.
func (p *Piece) Unreadable(dir string) (dirs, files []Problem) {
	var c Census
	for i := range p.Entries {
		c.flatten(&p.Entries[i], dir)
	}
	for _, u := range c.Unreadable {
		if slices.ContainsFunc(c.Dirs, func(d Dir) bool { return d.Path == u.Path }) {
			dirs = append(dirs, u)
		} else {
			files = append(files, u)
		}
	}
	return dirs, files
}

// Split divides a tree into parts of at most most files and directories each, which is
// positive. It lists directories and reads no file. A directory that it cannot list is left to
// the taker of its part, unless it is the root. The parts of a tree that does not change are
// always the same.
func Split(ctx context.Context, fsys fs.FS, most int) ([]Part, error) {
	s := splitter{survey: newSurvey(ctx, fsys, nil), most: most}
	if _, err := s.list(root); err != nil {
		return nil, err
	}
	s.split(root, true)
	return s.parts, ctx.Err()
}

type splitter struct {
	*survey
	most  int
	parts []Part
}

// split returns the number of entries in and beneath dir, dir included, if dir fits into a part.
// Otherwise, or if it must, it makes parts of what is in dir, and returns 0.
func (s *splitter) split(dir place, must bool) (entries int) {
	places, err := s.list(dir)
	if err != nil && !must {
		return 1
	}
	sizes, all := make([]int, len(places)), 1
	for i, p := range places {
		sizes[i] = 1
		if p.isDir() {
			sizes[i] = s.split(p, false)
			must = must || sizes[i] == 0 // p is in parts, so dir is, too
		}
		all += sizes[i]
	}
	if !must && all <= s.most {
		return all
	}
	size := s.most // of the last part, to which the first name is not to be added
	for i, p := range places {
		if sizes[i] == 0 { // nor is what comes after it
			size = s.most
			continue
		}
		name := path.Base(p.path)
		if size += sizes[i]; size > s.most {
			s.parts = append(s.parts, Part{Dir: dir.path, From: name})
			size = sizes[i]
		}
		last := &s.parts[len(s.parts)-1]
		last.To = name
		last.Names++
	}
	return 0
}

// Take takes the census of the part, of the tree fsys, by fork-join on p. It returns an error if
// ctx ends first, if p is closed, if the directory of the part cannot be listed, or if there are
// not so many names in it as when the parts were made. What else cannot be read is in the piece
// as such.
func (part Part) Take(ctx context.Context, p *pool.Pool, fsys fs.FS, opts ...Option) (*Piece, error) {
	s := newSurvey(ctx, fsys, opts)
	entries, err := pool.RunErr(ctx, p, s.take, part)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return nil, err
	}
	return &Piece{entries}, nil
}

func (s *survey) take(_ context.Context, w *pool.Worker, part Part) ([]entry, error) {
	places, err := s.list(place{part.Dir, fs.ModeDir})
	if err != nil {
		return nil, err
	}
	places = slices.DeleteFunc(places, func(p place) bool {
		name := path.Base(p.path)
		return name < part.From || name > part.To
	})
	if len(places) != part.Names {
		return nil, fmt.Errorf("%s has %d names from %q to %q, and had %d: it was changed, or this is another tree",
			part.Dir, len(places), part.From, part.To, part.Names)
	}
	return s.forkEach(w, places), nil
}

// Join returns the census of the tree whose parts these are, with the piece of each. It is the
// same as that of [Sequential].
func Join(parts []Part, pieces []Piece) *Census {
	found := map[string][]entry{} // by the directory
	for i, part := range parts {
		found[part.Dir] = append(found[part.Dir], pieces[i].Entries...)
		for dir := part.Dir; dir != root.path; {
			dir = path.Dir(dir)
			if _, is := found[dir]; !is {
				found[dir] = nil // It has no part of its own.
			}
		}
	}
	// A directory that was divided is an entry of the one that it is in, which was divided, too.
	// The longer path is the deeper one, of those of which one is in the other.
	dirs := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, dir := range dirs {
		if dir != root.path {
			up := path.Dir(dir)
			found[up] = append(found[up], join(path.Base(dir), found[dir]))
		}
	}
	e := join(root.path, found[root.path])
	c := new(Census)
	c.flatten(&e, ".")
	return c
}

func join(name string, entries []entry) entry {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.Name, b.Name) })
	return sum(name, entries, nil)
}
