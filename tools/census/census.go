// Package census counts what is in a directory tree: files, bytes, lines and
// words, and in Go files declarations and identifiers, with a SHA-256 digest
// of every file and of every directory.
//
// It does the same work in three ways, to be read beside each other:
// [Sequential] is the plain recursion, [Goroutines] starts a goroutine for
// each directory entry, and [Pool] forks each entry on a [pool.Pool]. The
// result does not depend on the way, nor on the schedule. [Measure] compares what
// they cost.
//
// Links are not followed. What cannot be read or parsed is listed in the
// result and does not end the work.
package census

import (
	"encoding/hex"
	"maps"
	"path"
	"slices"
)

// Counts is what is counted of a file, and summed over a directory.
type Counts struct {
	Files       int64 `json:"files"`       // regular files
	Directories int64 `json:"directories"` // directories, the one that is summed over included
	Skipped     int64 `json:"skipped"`     // links, devices, pipes and sockets: seen, not read
	Bytes       int64 `json:"bytes"`
	Lines       int64 `json:"lines"` // as wc(1) counts them: newlines
	Words       int64 `json:"words"` // as wc(1) counts them in the C locale
	GoFiles     int64 `json:"go_files"`
	Decls       int64 `json:"declarations"` // functions, types, constants and variables, local ones included
	Idents      int64 `json:"identifiers"`
	Unreadable  int64 `json:"unreadable"` // files and directories that could not be read
	Unparsable  int64 `json:"unparsable"` // Go files that could not be parsed
}

func (c *Counts) add(d *Counts) {
	c.Files += d.Files
	c.Directories += d.Directories
	c.Skipped += d.Skipped
	c.Bytes += d.Bytes
	c.Lines += d.Lines
	c.Words += d.Words
	c.GoFiles += d.GoFiles
	c.Decls += d.Decls
	c.Idents += d.Idents
	c.Unreadable += d.Unreadable
	c.Unparsable += d.Unparsable
}

// A Digest is a SHA-256 sum. It is written in hexadecimal.
type Digest [32]byte

// MarshalText returns the digest in hexadecimal.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// A Dir is one directory with all that is beneath it.
type Dir struct {
	Path string `json:"path"` // slash-separated, relative to the root, which is "."
	Counts
	// Digest covers the names, kinds, counts and digests of all entries.
	Digest Digest `json:"digest"`
}

// A Problem is a file or directory that could not be read or parsed.
type Problem struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

// A Census is the result for one tree. Two of the same tree are equal.
type Census struct {
	Dirs       []Dir     // each before those beneath it, siblings by name; the root is first
	Unreadable []Problem // in the same order
	Unparsable []Problem // in the same order
}

// Total returns the root directory, which sums over everything.
func (c *Census) Total() Dir { return c.Dirs[0] }

// Diff returns the paths of the directories in which the two differ in any
// count or in the digest, or that only one of them has.
func (c *Census) Diff(d *Census) []string {
	theirs := make(map[string]Dir, len(d.Dirs))
	for _, dir := range d.Dirs {
		theirs[dir.Path] = dir
	}
	var paths []string
	for _, dir := range c.Dirs {
		if theirs[dir.Path] != dir {
			paths = append(paths, dir.Path)
		}
		delete(theirs, dir.Path)
	}
	return append(paths, slices.Sorted(maps.Keys(theirs))...)
}

// flatten appends e, which is at dir, and all beneath it to the census.
func (c *Census) flatten(e *entry, dir string) {
	at := path.Join(dir, e.Name)
	switch e.Fault {
	case unreadable:
		c.Unreadable = append(c.Unreadable, Problem{at, e.Reason})
	case unparsable:
		c.Unparsable = append(c.Unparsable, Problem{at, e.Reason})
	}
	if e.Kind != directory {
		return
	}
	c.Dirs = append(c.Dirs, Dir{at, e.Counts, e.Digest})
	for i := range e.Entries {
		c.flatten(&e.Entries[i], at)
	}
}
