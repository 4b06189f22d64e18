// Package pages knows the files that the flag -html of the command explore leads to. Each failure has a
// page of its own: the first one the file that the user names, the others that name with a number.
// The packages of a command line are tested by several processes, which share the names.
package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Mark is in the first lines of each page, so that nothing else with such a name is removed.
const Mark = `<meta name="generator" content="explore test"/>`

// named returns the name of the n-th page, from 1: page.html, page-2.html.
func named(name string, n int) string {
	if n == 1 {
		return name
	}
	ext := filepath.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
}

// Create creates the file of a page that no other failure has. What is not a regular file, such as a
// terminal, gets all pages.
func Create(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.OpenFile(name, os.O_WRONLY, 0)
	}
	for n := 1; ; n++ {
		f, err := os.OpenFile(named(name, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Remove removes what an earlier run has left: the file that the user names, whatever it is, and
// pages with its name and a number.
func Remove(name string) error {
	entries, err := os.ReadDir(filepath.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // Create says so.
	}
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(filepath.Base(name), ext)
	for _, e := range entries {
		number, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ext), stem+"-")
		n, bad := strconv.Atoi(number)
		at := filepath.Join(filepath.Dir(name), e.Name())
		switch {
		case !e.Type().IsRegular():
		case e.Name() == filepath.Base(name):
			err = errors.Join(err, os.Remove(at))
		case ok && bad == nil && n > 1 && e.Name() == filepath.Base(named(name, n)) && isPage(at):
			err = errors.Join(err, os.Remove(at))
		}
	}
	return err
}

// isPage reports whether a file begins as a page.
func isPage(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin, err := io.ReadAll(io.LimitReader(f, 512))
	return err == nil && bytes.Contains(begin, []byte(Mark))
}
