//go:build explore

package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A site is a line of the source code.
type site struct {
	file string
	line int
}

// directory is where the package under test is: go test runs tests there.
var directory, _ = os.Getwd()

// String is short: the name of the file, and its directory if that is not the package's.
func (s site) String() string {
	if s.line == 0 {
		return ""
	}
	dir, file := filepath.Split(filepath.FromSlash(s.file))
	if filepath.Clean(dir) != directory {
		file = filepath.Base(dir) + "/" + file
	}
	return fmt.Sprintf("%s:%d", file, s.line)
}

// place returns the source line that called a primitive, or none if none of the frames is of the
// program. Functions of twins are known by their files: the compiler may have put them into
// those that call them.
func place(at []uintptr) site {
	frames := runtime.CallersFrames(at)
	for {
		f, more := frames.Next()
		if f.Function != "" && !ours(f) {
			return site{f.File, f.Line}
		}
		if !more {
			return site{}
		}
	}
}

// module is where the module of the package under test is, or "".
var module = func() string {
	for dir := directory; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.ToSlash(dir) + "/"
		} else if dir == filepath.Dir(dir) {
			return ""
		}
	}
}()

// origin is place, but for a line of the module of the package under test, if one has led there.
func origin(at []uintptr) site {
	frames := runtime.CallersFrames(at)
	for {
		f, more := frames.Next()
		inside, is := strings.CutPrefix(f.File, module)
		if f.Function != "" && !ours(f) && is && !strings.Contains("/"+inside, "/vendor/") {
			return site{f.File, f.Line}
		}
		if !more {
			return place(at)
		}
	}
}

func ours(f runtime.Frame) bool {
	for _, part := range []string{"/api/prim.", "/explore.(*engine).", "/explore.(*Exec).", "/explore.(*thread).", "/explore.(*inner).", "/explore.twins.", "/explore/drive."} {
		if strings.Contains(f.Function, part) {
			return true
		}
	}
	return strings.Contains(f.File, "/explore/twin/") || strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "runtime/debug.")
}

// where is place for a step of t, or else where t was started.
func (t *thread) where(at []uintptr) site {
	if p := place(at); p.line > 0 {
		return p
	}
	return place(t.startedAt)
}
