package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each program is shorter with the pool, and the page says by how much.
func TestShorter(t *testing.T) {
	for _, p := range programs {
		var lines [2]int
		for i, name := range []string{"rouse.go", "plain.go"} {
			var err error
			if lines[i], err = count(filepath.Join("..", p, name)); err != nil {
				t.Fatal(err)
			}
		}
		if lines[0] >= lines[1] {
			t.Errorf("%s has %d lines with the pool, %d without", p, lines[0], lines[1])
		}
	}
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := run("..", &table); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), table.String()) {
		t.Errorf("the README does not have this table:\n%s", &table)
	}
}

func TestCount(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(name, []byte("// Comment\npackage x\n\n/* more\nof it */\nvar a,\n\tb int // two lines\n\nfunc f() { a = 1; b = 2 }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if n, err := count(name); n != 4 || err != nil {
		t.Errorf("%d lines, %v, want 4", n, err)
	}
	if _, err := count("gone.go"); err == nil {
		t.Error("no error of a file that does not exist")
	}
}
