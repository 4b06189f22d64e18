package rewrite

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// tables is a file of a user. What a line becomes has the comment of that line in it.
const tables = `package user

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	_ "unsafe"
)

var (
	buffer bytes.Buffer
	lines  []string
	values url.Values
	digits []int
)

func reads() int    { return buffer.Len() }            // ReadWhole(&buffer
func writes()       { buffer.WriteString("") }         // WriteWhole(&buffer
func gets() string  { return values.Get("") }          // ReadMap(
func sets()         { values.Set("", "") }             // WriteMap(
func joins() string { return strings.Join(lines, "") } // ReadSlice(
func sorts()        { sort.Ints(digits) }              // WriteOrder(
func shows()        { fmt.Fprint(&buffer, digits) }    // WriteWhole(&buffer
func lists()        { fmt.Print(digits) }              // ReadSlice(
func starts(c *exec.Cmd) error { return c.Run() }      // Unseen("os/exec.Cmd.Run", c.Run)

//go:linkname nanotime runtime.nanotime
func nanotime() int64 // explore__of_nanotime() int64

//go:linkname pin runtime.procPin
func pin() int

func pins() { pin() } // Unseen("runtime.procPin, by go:linkname at

func alone() {
	go strconv.Itoa(1)                    // GoSeen(
	go func() { errors.New("") }()        // GoSeen(
	go func() { exec.LookPath("") }()     // Go(
	go func(f func()) { f() }(func() {})  // Go(
	go joins()                            // GoSeen(
	go func() { fmt.Print() }()           // Go(
}
`

// A failure would mean that a table is not heeded: that of what the standard library reads and writes, of
// what it waits for, of functions by their links, or of packages in which nothing waits.
func TestTables(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, fstest.MapFS{
		"go.mod":  {Data: []byte("module example.com/user\n\ngo 1.25.0\n")},
		"user.go": {Data: []byte(tables)},
		"link.s":  {},
	}); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	temp := t.TempDir()
	if _, err := Rewrite(Config{Patterns: []string{"."}, Temp: temp}); err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	text, _ := os.ReadFile(filepath.Join(temp, Overlay))
	if err := json.Unmarshal(text, &overlay); err != nil {
		t.Fatal(err)
	}
	text, _ = os.ReadFile(overlay.Replace[filepath.Join(dir, "user.go")])
	n := 0
	for line := range strings.Lines(string(text)) {
		code, want, ok := strings.Cut(line, " // ")
		if !ok {
			continue
		}
		if n++; !strings.Contains(code, strings.TrimSpace(want)) {
			t.Errorf("want %s in %s", strings.TrimSpace(want), code)
		}
	}
	if n != strings.Count(tables, " // ") {
		t.Errorf("%d lines, of a file of %d bytes", n, len(text))
	}
}
