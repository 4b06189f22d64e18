// Package census counts what is in a directory tree: files, bytes, lines and
// words, and in Go files declarations, with a SHA-256 digest of every file and of
// every directory.
//
// It does the same work in three ways, to be read beside each other:
// [Sequential] is the plain recursion, [Goroutines] starts a goroutine for
// each directory entry, and [Pool] forks each entry on a [pool.Pool]. The
// result does not depend on the way, nor on the schedule. A piece of a tree can
// also be counted elsewhere: see [Split].
//
// Links are not followed. A file that cannot be read or parsed is counted as such
// and does not stop the work.
package census

import (
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/tools/cli"
)

// Counts is what is counted of a file, and summed over a directory.
type Counts struct {
	Files       int64 // regular files
	Directories int64 // directories, the one that is summed over included
	Skipped     int64 // links, devices, pipes and sockets: seen, not read
	Bytes       int64
	Lines       int64 // as wc(1) counts them: newlines
	Words       int64 // as wc(1) counts them in the C locale
	GoFiles     int64
	Decls       int64 // functions, types, constants and variables, local ones included
	Unreadable  int64 // files and directories that could not be read
	Unparsable  int64 // Go files that could not be parsed
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
	c.Unreadable += d.Unreadable
	c.Unparsable += d.Unparsable
}

// A Digest is a SHA-256 sum.
type Digest [32]byte

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// A Dir is one directory with all that is beneath it.
type Dir struct {
	Path string // slash-separated, relative to the root, which is "."
	Counts
	// Digest covers the names, kinds, counts and digests of all entries.
	Digest Digest
}

// A Problem is a file or directory that could not be read.
type Problem struct {
	Path  string
	Error string
}

// A Census is the result for one tree. Two of the same tree are equal.
type Census struct {
	Dirs       []Dir     // each before those beneath it, siblings by name; the root is first
	Unreadable []Problem // in the same order
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

// Summary describes in some short lines what was found: the totals, and the first few of what could
// not be read.
func (c *Census) Summary() string {
	var b strings.Builder
	t := c.Total()
	fmt.Fprintf(&b, "files: %d, directories: %d, bytes: %d\n", t.Files, t.Directories, t.Bytes)
	fmt.Fprintf(&b, "lines: %d, words: %d\n", t.Lines, t.Words)
	fmt.Fprintf(&b, "Go files: %d, declarations: %d\n", t.GoFiles, t.Decls)
	if t.Unparsable > 0 {
		fmt.Fprintf(&b, "Go files that do not parse: %d\n", t.Unparsable)
	}
	if t.Skipped > 0 {
		fmt.Fprintf(&b, "links and special files, not read: %d\n", t.Skipped)
	}
	if t.Unreadable > 0 {
		fmt.Fprintf(&b, "unreadable: %d\n", t.Unreadable)
	}
	for i, p := range c.Unreadable {
		if i == 3 {
			fmt.Fprintf(&b, "  and %d more\n", len(c.Unreadable)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", cli.Printable(p.Path+": "+p.Error))
	}
	return b.String()
}

// flatten appends e, which is at dir, and all beneath it to the census.
func (c *Census) flatten(e *entry, dir string) {
	at := path.Join(dir, e.Name)
	if e.Problem != "" {
		c.Unreadable = append(c.Unreadable, Problem{at, e.Problem})
	}
	if e.Kind != directory {
		return
	}
	c.Dirs = append(c.Dirs, Dir{at, e.Counts, e.Digest})
	for i := range e.Entries {
		c.flatten(&e.Entries[i], at)
	}
}
