// Words prints the most frequent words of all regular files beneath a directory.
//
//	words -top 10 $(go env GOROOT)/src
//
// A word is two letters or more. The files are read and counted on several processors. The
// first file, in the order of their names, that cannot be read ends it, and so does an
// interrupt.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "words: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

// run is main with its arguments, for tests. It writes to log what it did.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("words", flag.ContinueOnError)
	flags.SetOutput(log)
	top := flags.Int("top", 20, "how many words to print")
	plain := flags.Bool("plain", false, "use goroutines in place of par")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: words [flags] dir\n\nIt prints the most frequent words of all files beneath dir.")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return flag.ErrHelp
	}
	if *top < 1 {
		return errors.New("-top must be positive")
	}
	start := time.Now()
	files := os.DirFS(flags.Arg(0))
	names, err := regular(files)
	if err != nil {
		return err
	}
	count := counted
	if *plain {
		count = countedPlain
	}
	counts, err := count(ctx, files, names)
	if err != nil {
		return err
	}
	for _, w := range first(counts, *top) {
		fmt.Fprintf(out, "%8d %s\n", counts[w], w)
	}
	fmt.Fprintf(log, "%d files, %d different words, %.2f s\n", len(names), len(counts), time.Since(start).Seconds())
	return nil
}

// regular returns the names of all regular files, in order.
func regular(files fs.FS) (names []string, err error) {
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// counts is how often there is each word.
type counts map[string]int

// wordsOf counts the words of a file.
func wordsOf(ctx context.Context, files fs.FS, name string) (counts, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	c := counts{}
	for len(text) > 0 {
		n := letters(text)
		if n >= 2 {
			c[string(text[:n])]++
		}
		_, skip := utf8.DecodeRune(text[n:])
		text = text[n+skip:]
	}
	return c, nil
}

// letters returns how many bytes the letters have with which the text begins.
func letters(text []byte) (n int) {
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !unicode.IsLetter(r) {
			return n
		}
		n += size
	}
	return n
}

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
