package program_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines returns how many lines of a Go file have a token: no comment, no empty line.
func lines(t *testing.T, name string) int {
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file := token.NewFileSet().AddFile(name, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	seen := map[int]bool{}
	for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
		if tok != token.SEMICOLON || text != "\n" { // that one is the scanner's own
			seen[file.Line(pos)] = true
		}
	}
	return len(seen)
}

// Each program is shorter with Rouse, and the README says by how much.
func TestLines(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob("../../*/rouse.go")
	if err != nil || len(programs) < 8 {
		t.Fatal(programs, err)
	}
	for _, p := range programs {
		dir := filepath.Dir(p)
		rouse, plain := lines(t, p), lines(t, filepath.Join(dir, "plain.go"))
		if rouse >= plain {
			t.Errorf("%s has %d lines with Rouse, %d without", dir, rouse, plain)
		}
		if row := fmt.Sprintf("| [%s](%[1]s) | %d | %d |", filepath.Base(dir), rouse, plain); !strings.Contains(string(readme), row) {
			t.Errorf("the README does not have the row\n%s", row)
		}
	}
}
