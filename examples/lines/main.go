// Lines counts the lines of code in which the two versions of each program differ: those
// of rouse.go and of plain.go, without comments and empty lines. Run it in the directory
// of the examples.
package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"

	"github.com/jedib0t/go-pretty/v6/table"
)

func main() {
	if err := run(".", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

// programs are the directories of those that have two versions.
var programs = []string{"buildgraph", "server", "pipeline", "words", "mandelbrot", "pagerank", "kmeans", "records", "fetch", "compress"}

// run writes a table of the programs beneath dir.
func run(dir string, out io.Writer) error {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"program", "with Rouse", "plain Go"})
	for _, p := range programs {
		rouse, err := count(filepath.Join(dir, p, "rouse.go"))
		if err != nil {
			return err
		}
		plain, err := count(filepath.Join(dir, p, "plain.go"))
		if err != nil {
			return err
		}
		t.AppendRow(table.Row{fmt.Sprintf("[%s](%[1]s/README.md)", p), rouse, plain})
	}
	_, err := fmt.Fprintln(out, t.RenderMarkdown())
	return err
}

// count returns how many lines of a Go file have a token on them.
func count(name string) (lines int, err error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	file := token.NewFileSet().AddFile(name, -1, len(source))
	var s scanner.Scanner
	var errs scanner.ErrorList
	s.Init(file, source, errs.Add, 0)
	for last := 0; ; {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return lines, errs.Err()
		case tok == token.SEMICOLON && text == "\n":
			continue // the scanner's own
		}
		if line := file.Line(pos); line != last {
			lines, last = lines+1, line
		}
	}
}
