package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The picture in the repository is the one of the table in the README.
func TestPicture(t *testing.T) {
	name := filepath.Join(t.TempDir(), "costs.svg")
	if err := run("../../../README.md", name); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../costs.svg")
	if err != nil || string(got) != string(want) || strings.Count(string(got), "<rect") != 9 {
		t.Errorf("costs.svg is not of the table in README.md (%v): run go -C lab run ./cmd/costs", err)
	}
	if _, err := draw("no table"); err == nil {
		t.Error("no error of a page without a table")
	}
}
