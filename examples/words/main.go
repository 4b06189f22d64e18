// Words prints the most frequent words of all regular files beneath a directory.
//
//	words -top 10 $(go env GOROOT)/src
//
// A word is a sequence of letters, two bytes or more. Words reads and counts the files on several
// processors. If a file cannot be read, Words fails with the error of the first such file in the
// order of their names. An interrupt ends it, too.
package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("words", run) }

func run(ctx context.Context, c *program.Call) error {
	top := c.Flags.Int("top", 20, "how many words to print")
	if err := c.Parse(1, "dir", "top"); err != nil {
		return err
	}
	files, err := c.Dir()
	if err != nil {
		return err
	}
	var names []string
	if err := program.Walk(files, func(name string) error { names = append(names, name); return nil }); err != nil {
		return err
	}
	counts, err := program.Either(c, counted, countedPlain)(ctx, files, names)
	if err != nil {
		return err
	}
	for _, w := range first(counts, *top) {
		fmt.Fprintf(c.Out, "%8d %s\n", counts[w], w)
	}
	c.Done("%d files, %d different words", len(names), len(counts))
	return nil
}

// counts is how often there is each word.
type counts map[string]int

// wordsOf counts the words of a file.
func wordsOf(ctx context.Context, files fs.FS, name string) (counts, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(program.Reader(ctx, f), 64<<10) // not all of it: a file may be larger than memory
	c := counts{}
	var word []byte
	for err == nil {
		var r rune
		r, _, err = in.ReadRune()
		letter := err == nil && unicode.IsLetter(r)
		if !letter || len(word) >= maxWord {
			if len(word) > 1 {
				c[string(word)]++
			}
			word = word[:0]
		}
		if letter {
			word = utf8.AppendRune(word, r)
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return c, nil
}

// maxWord is about the bytes of a word. What is longer counts as several.
const maxWord = 1 << 10

// merge adds b to a, and returns it.
func merge(a, b counts) counts {
	if len(a) < len(b) {
		a, b = b, a
	}
	for w, n := range b {
		a[w] += n
	}
	return a
}

// first returns the most frequent words, and of those that are as frequent the first.
func first(c counts, n int) []string {
	words := slices.SortedFunc(maps.Keys(c), func(v, w string) int {
		return cmp.Or(cmp.Compare(c[w], c[v]), cmp.Compare(v, w))
	})
	return words[:min(n, len(words))]
}
