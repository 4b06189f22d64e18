package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// commandVariable is set in a process that a test starts, to the command's farewell.
const commandVariable = "EXPLORE_TEST_COMMAND"

// TestMain is the command itself in such a process.
func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv(commandVariable)); err == nil {
		farewell = d
		main()
	}
	os.Exit(m.Run())
}

// module writes the files of a module of a user, in the form "-- name --", and goes there.
func module(t *testing.T, files string) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here")
	}
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files = `-- go.mod --
module example.com/user

go 1.25.0

require (
	github.com/rouse-go/rouse/api v0.1.0
	github.com/rouse-go/rouse/explore v0.0.0
)

replace (
	github.com/rouse-go/rouse/api => ` + filepath.ToSlash(filepath.Join(filepath.Dir(here), "api")) + `
	github.com/rouse-go/rouse/explore => ` + filepath.ToSlash(here) + `
)
` + files
	tree := fstest.MapFS{}
	for _, f := range strings.Split("\n"+files, "\n-- ")[1:] {
		name, text, _ := strings.Cut(f, " --\n")
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
}

// longModule is module for a test that builds several programs, which takes long.
func longModule(t *testing.T, files string) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds several programs")
	}
	module(t, files)
}

// explores runs the command and expects its status, and all of the texts in what it prints.
func explores(t *testing.T, args string, status int, texts ...string) string {
	t.Helper()
	var out bytes.Buffer
	if got := run(t.Context(), strings.Fields(args), &out, &out); got != status {
		t.Errorf("explore %s: status %d, want %d\n%s", args, got, status, &out)
	}
	for _, s := range texts {
		if !strings.Contains(out.String(), s) {
			t.Errorf("explore %s does not print %q but\n%s", args, s, &out)
		}
	}
	return out.String()
}

// replays runs the line that replays what out tells, with more flags, and expects the same trace, and
// want in it.
func replays(t *testing.T, out, want string, more ...string) {
	t.Helper()
	trace := func(out string) string {
		_, trace, _ := strings.Cut(out, "preemption")
		trace, _, _ = strings.Cut(trace, "schedules/s")
		var lines []string // -v moves them
		for _, line := range strings.Split(trace, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		return strings.Join(lines[:max(0, len(lines)-1)], "\n") // without the counts
	}
	_, line, ok := strings.Cut(out, "To replay it: go tool explore ")
	if !ok {
		t.Fatalf("nothing says how to replay it:\n%s", out)
	}
	line, _, _ = strings.Cut(line, "\n")
	var args []string
	for i, word := range strings.FieldsFunc(line, func(r rune) bool { return r == '\'' || r == '"' }) {
		if i%2 == 1 {
			args = append(args, word)
		} else {
			args = append(args, strings.Fields(word)...)
		}
	}
	args = slices.Insert(args, 1, more...)
	var again bytes.Buffer
	if status := run(t.Context(), args, &again, &again); status != 1 {
		t.Errorf("%q: status %d\n%s", args, status, &again)
	}
	if got := trace(again.String()); got != trace(out) || !strings.Contains(got, want) {
		t.Errorf("%q shows\n%s\nand before it was\n%s", args, &again, out)
	}
}

var (
	blocks = regexp.MustCompile("(?s)```(go|text)\n(.*?)```")
	times  = regexp.MustCompile(`[0-9.]+(s|ms|µs)\b|\([0-9]+ schedules/s\)`)
)

// The README shows what the command prints, but for times: the failure, and, with the fix, the
// success.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var block []string
	for _, m := range blocks.FindAllStringSubmatch(string(readme), 5) {
		block = append(block, m[2])
	}
	if len(block) < 5 {
		t.Fatalf("there are %d blocks of code and output, want 5", len(block))
	}
	broken, test, failure, fix, success := block[0], block[1], block[2], block[3], block[4]
	module(t, "-- cache.go --\n"+broken+"-- cache_test.go --\n"+test)
	shows := func(args string, status int, want string) {
		t.Helper()
		got := strings.ReplaceAll(explores(t, args, status), "example.com/user", "example.com/cache")
		got, _, _ = strings.Cut(got, "FAIL\nFAIL")
		got, want = times.ReplaceAllString(got, "time"), times.ReplaceAllString(want, "time")
		rest := got
		for _, line := range strings.Split(want, "\n") {
			_, after, ok := strings.Cut(rest, strings.TrimSpace(line))
			if !ok {
				t.Fatalf("explore %s does not print %q, or not there, but\n%s\nThe README shows\n%s", args, line, got, want)
			}
			rest = after
		}
		if strings.Count(got, "\n") > strings.Count(want, "\n")+1 {
			t.Errorf("explore %s prints more than the README shows:\n%s", args, got)
		}
	}
	shows("test", 1, failure)
	before, _, _ := strings.Cut(broken, "\tc.mu.Lock()")
	if err := os.WriteFile("cache.go", []byte(before+fix+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	shows("test -v", 0, success)
}

// Of several explorations of a test, of a subtest with a strange name, the one that has failed
// is replayed, also if its schedule is empty. Elements are called by their indexes.
func TestReplay(t *testing.T) {
	longModule(t, `-- user_test.go --
package user

import (
	"sync"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

func TestSub(t *testing.T) {
	t.Run("is \"one\" (1)", func(t *testing.T) {
		explore.Test(t, func(t *testing.T) { ch := make(chan int, 1); ch <- 1 })
		explore.Test(t, func(t *testing.T) {
			var s struct {
				sync.Mutex
				grid [2][3]int
			}
			i := 1
			go func() {
				s.grid[i][i-1]++
				s.Lock()
			}()
			s.grid[1][0]++
		})
	})
}
`)
	replays(t, explores(t, "test ./...", 1, "s.grid[1][0] is written by thread 1 at user_test.go:20"), "write s.grid[1][0]")
	// As it is, nothing is explored.
	plain, err := exec.Command("go", "test", "-vet=off", "-v").CombinedOutput()
	if want := "run it with go tool explore test -run '^TestSub/"; err != nil || !strings.Contains(string(plain), want) {
		t.Errorf("go test does not say %q but\n%s", want, plain)
	}
	explores(t, "test -schedule 1:1 -html none/page.html", 1, "the schedule does not fit", "user_test.go:12: open ")
}

// mark is the byte order mark.
const mark = "\uFEFF"

const counter = `
-- counter.go --
` + mark + `package user

import "sync"

// A Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Add() {
	c.mu.Lock()
	n := c.n
	c.mu.Unlock()
	c.mu.Lock()
	c.n = n + 1
	c.mu.Unlock()
}
-- counter_test.go --
package user_test

import (
	"sync"
	"testing"

	user "example.com/user"
	"github.com/rouse-go/rouse/explore"
)

func TestCounter(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var c user.Counter
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(c.Add)
		}
		wg.Wait()
		if c.Get() != 2 {
			t.Errorf("%d, want 2", c.Get())
		}
	})
}

func TestOther(t *testing.T) {}
-- get.go --
//go:build explore

package user

func (c *Counter) Get() int { return c.n }
`

// What fails is shown with the lines of the user's files.
func TestFault(t *testing.T) {
	module(t, counter)
	out := explores(t, "test -bound 2 -html page.html", 1, "--- FAIL: TestCounter", "1, want 2", "counter.go:12", "counter.go:15", "FAIL\texample.com/user")
	replays(t, out, "fails: 1, want 2", "-v")
	if page, err := os.ReadFile("page.html"); err != nil || !strings.Contains(html.UnescapeString(string(page)), "c.n = n + 1") {
		t.Errorf("the page lacks the source: %v\n%s", err, page)
	}
	// Each failure has a page, and none is of an earlier run, also if nothing runs.
	for args, want := range map[string]int{"-count 2 -bound 2": 2, "-count 3 -bound 2": 3, "-run Other": 0, "-mod=nonsense": 0, "-bound 2": 1, "none": 0} {
		explores(t, "test -html page.html "+args, 1)
		if all, err := filepath.Glob("page*"); err != nil || len(all) != want {
			t.Errorf("%s: the pages are %q, %v, want %d", args, all, err, want)
		}
	}
	explores(t, "test -run Other", 1, "ok  \texample.com/user", "no explore.Test ran")
	explores(t, "test -run Counter -bound 0 .", 0, "ok  \texample.com/user")
	explores(t, "test ./none", 1, "none")
	explores(t, "test -with example.com/none", 1, "-with example.com/none: no package of this module is used")
	explores(t, "test container/ring", 1, "container/ring is in the standard library") // which little imports: few packages are compiled for it
}

func TestUsage(t *testing.T) {
	explores(t, "", 2, "usage: explore test")
	explores(t, "run", 2, "usage: explore test", "there is no command \"run\"")
	if out := explores(t, "help", 2, "usage: explore test"); out != usage {
		t.Errorf("explore help prints more than the usage:\n%s", out)
	}
	out := explores(t, "test -nonsense", 2, "usage: explore test")
	if want := usage + "explore: flag provided but not defined: -nonsense\n"; out != want {
		t.Errorf("explore test -nonsense prints\n%s", out)
	}
	explores(t, "test -bound -1", 2, "must be a number, at least 0")
	explores(t, "test -processes 0", 2, "must be a number, at least 1")
	explores(t, "test -rounds -1", 2, "must be a number, at least 0")
	explores(t, "test -budget soon", 2, "must be a time")
	explores(t, "test -bound x", 2, `invalid value "x"`)
	explores(t, "test . -run X", 2, "-run: flags come before packages")
	explores(t, "test -race", 2, "data races are found without it")
	explores(t, "test -bench .", 2, "benchmarks are not explored")
	explores(t, "test -fuzz .", 2, "fuzz tests are not explored")
	explores(t, "test -c", 2, "keeps no program")
	explores(t, "test -C none", 2, "none")
	explores(t, "test -h", 0, "usage: explore test")
	explores(t, "test -overlay x", 2, "uses an overlay itself")
	t.Setenv("GOFLAGS", "-overlay=x")
	explores(t, "test", 2, "GOFLAGS has -overlay")
	explores(t, "help", 2, "usage: explore test [-all]", "\n  -bound n        run at most", "\n\nAnd these flags of go test: -C ")
}

// Flags of go test do what they do there, those of GOFLAGS too, and a replay has those that it
// needs.
func TestFlags(t *testing.T) {
	longModule(t, counter+`
-- sub/tagged.go --
//go:build one && two

package sub

const Tagged = true
-- sub/tagged_test.go --
package sub

import (
	"flag"
	"testing"

	user "example.com/user"
	"github.com/rouse-go/rouse/explore"
)

var mine = flag.String("mine", "", "")

func TestTagged(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var c user.Counter
		c.Add()
		if Tagged && *mine == "it is" {
			t.Error(*mine, flag.Args(), flag.Lookup("test.parallel").Value)
		}
	})
}
`)
	flags := os.Getenv("GOFLAGS")
	t.Setenv("GOFLAGS", flags+" -tags=one,two -race -cover")
	t.Setenv(commandVariable, farewell.String()) // the cover tool is run by it
	t.Chdir("sub")
	explores(t, "test -count=2 -failfast -coverpkg=example.com/user -p 1", 0, "ok  \texample.com/user/sub", "% of statements in example.com/user")
	t.Setenv("GOFLAGS", flags)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("..")
	var out bytes.Buffer
	args := []string{"test", "-C", dir, "-tags=one two", ".", "-args", "-mine", "it is", "x"}
	if status := run(t.Context(), args, &out, &out); status != 1 {
		t.Errorf("status %d\n%s", status, &out)
	}
	replays(t, out.String(), "fails: it is [x] 1")
}

const asking = `-- helper_test.go --
package user

import (
	"testing"

	"github.com/rouse-go/rouse/explore"
)

type suite[T any] struct{ never bool }

func (s suite[T]) ask(t *testing.T) {
	if s.never {
		explore.Possible(t, true, "by a method")
	}
	again(t, 1)
}

func again(t *testing.T, n int) {
	if n > 1 {
		explore.Possible(t, true, "by \"others\"")
		again(t, n-1)
	}
}
-- user_test.go --
package user

import (
	"testing"

	. "github.com/rouse-go/rouse/explore"
)

const what = "by its name"

func body(t *testing.T) {
	if len(t.Name()) == 0 {
		Possible(t, true, what)
	}
}

func TestBody(t *testing.T) { Test(t, body) }

func TestMethod(t *testing.T) {
	Test(t, func(t *testing.T) { suite[int]{}.ask(t) })
}

func TestReached(t *testing.T) {
	Test(t, func(t *testing.T) {
		suite[string]{never: true}.ask(t)
		again(t, 3)
		Possible(t, false, "twice")
		Possible(t, true, "twice")
	})
}

func TestOther(t *testing.T) { Test(t, func(t *testing.T) {}) }

func ask(t *testing.T) { Possible(t, len(t.Name()) == 0, "alone") }

func TestApart(t *testing.T) {
	t.Run("first", func(t *testing.T) {
		Test(t, func(t *testing.T) { Possible(t, true, "first") })
	})
	t.Run("second", func(t *testing.T) {
		Test(t, func(t *testing.T) {
			Possible(t, true, "second")
			again(t, 3)
		})
	})
	for _, c := range []struct {
		name string
		f    func(t *testing.T)
	}{
		{"table", func(t *testing.T) { Possible(t, true, "third") }},
		{"ask", ask},
	} {
		t.Run(c.name, func(t *testing.T) { Test(t, c.f) })
	}
	Test(t, func(t *testing.T) {})
}

func TestWrapped(t *testing.T) {
	for _, f := range []func(t *testing.T){ask, func(t *testing.T) { Possible(t, true, "reached") }} {
		Test(t, func(t *testing.T) { f(t) })
	}
}
`

// A call of Possible that no execution comes to counts for each test whose function refers to
// that with the call, itself or by others, but for none that explores something else.
func TestAsking(t *testing.T) {
	longModule(t, asking)
	out := explores(t, "test -v", 1, "--- PASS: TestReached", "--- PASS: TestOther")
	for test, want := range map[string][]string{
		"Body": {"by its name"}, "Method": {"by a method", `by "others"`}, "Reached": nil, "Other": nil,
		"Apart": nil, "Apart/first": nil, "Apart/second": nil, "Apart/table": nil, "Apart/ask": {"alone"},
		"Wrapped": {"alone", "reached", "alone"}, // what calls a variable may ask what any asks
	} {
		_, of, _ := strings.Cut(out, "=== RUN   Test"+test+"\n")
		of, _, _ = strings.Cut(of, "=== RUN ")
		for _, s := range want {
			if !strings.Contains(of, "in none of 1 executions: "+s+"\n") {
				t.Errorf("%s does not say %q but\n%s", test, s, of)
			}
		}
		if n := strings.Count(of, "in none of"); n != len(want) {
			t.Errorf("%s misses %d, want %d\n%s", test, n, len(want), of)
		}
	}
}

// What cannot be rewritten is said with file and line.
func TestRefused(t *testing.T) {
	module(t, `-- user.go --
package user

// #include <stdlib.h>
import "C"

func Abs(n int) int { return int(C.abs(C.int(n))) }
-- broken/broken.go --
package broken

func f() int { return "x" }
-- broken/syntax/syntax.go --
package syntax

func f( {
-- none/none_test.go --
package none

import "testing"

func TestNone(t *testing.T) {}
`)
	explores(t, "test ./broken", 1, "broken.go:3:23", "cannot use", "FAIL\texample.com/user/broken [build failed]")
	explores(t, "test ./broken/syntax", 1, "syntax.go:3:9")
	explores(t, "test ./none", 1, "no test of ./none imports github.com/rouse-go/rouse/explore")
	if out, err := exec.Command("go", "build", ".").CombinedOutput(); err != nil {
		t.Skipf("there is no C compiler here: %s", out)
	}
	explores(t, "test", 1, "user.go:4: package example.com/user uses cgo")
}

const mixed = `-- gen/gen.go --
//line gen.y:1
package gen

func Inc(n *int) {
//line gen.y:20
	done := make(chan bool)
	go func() {
		*n++
		done <- true
	}()
	select {
	case done <- true:
//line gen.y:40
	case <-done:
	}
	*n++
}
-- gen/gen_test.go --
package gen

import (
	"testing"

	"github.com/rouse-go/rouse/explore"
)

func TestGenerated(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		Inc(new(int))
		t.Error("it is shown")
	})
}
-- user.go --
package user

import (
	_ "embed"
	"sync"

	"example.com/user/box"
)

//go:embed text.txt
var text string

// Texts has the box, in goroutines.
func Texts() string {
	var b box.Box[string]
	var wg sync.WaitGroup
	wg.Go(func() { b.Put(text) })
	s := b.Take()
	wg.Wait()
	return s
}
-- text.txt --
text
-- box/box.go --
// Code generated by nobody. DO NOT EDIT.

package box

// A Box has one.
type Box[T any] struct {
	once chan T
	mu   chan struct{}
}
-- box/box_new.go --
//go:build go1.22

package box

import "sync"

var mu sync.Mutex

func (b *Box[T]) ch() chan T {
	mu.Lock()
	defer mu.Unlock()
	if b.once == nil {
		b.once = make(chan T, 1)
	}
	return b.once
}

func (b *Box[T]) Put(v T) { b.ch() <- v }

func (b *Box[T]) Take() T { return <-b.ch() }
-- box/box_old.go --
//go:build !go1.22

package box

this is not Go
-- user_test.go --
package user

import (
	"testing"

	"github.com/rouse-go/rouse/explore"
)

func TestTexts(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		if s := Texts(); s != "text" {
			t.Errorf("%q", s)
		}
		explore.Possible(t, true, "it is reached")
	})
}

func TestNever(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		if Texts() == "" {
			explore.Possible(t, true, "that it is empty")
		}
	})
}
`

// Generics, build tags, files that are generated or embedded, other packages of the module,
// and modules that are vendored.
func TestMixed(t *testing.T) {
	longModule(t, mixed)
	explores(t, "test -v ./...", 1, "--- PASS: TestTexts", "that it is empty", "./gen.y:21      go 1", "./gen.y:22      │", "./gen.y:25      select", "./gen.y:42      write *n ← 2\n        ✗ gen_test.go:12  fails")
	out, err := exec.Command("go", "mod", "vendor").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	explores(t, "test -mod=vendor -run Texts", 0, "ok  \texample.com/user")
}

// box is a part of two libraries.
const box = `// A Box has a lock that the explorer sees only with the flag -with.
type Box struct {
	mu  sync.Mutex
	has bool
}

func (b *Box) Put() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.has = true
}

func (b *Box) Has() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.has
}
`

// Variables of loops are those of the language version of the module, which need not have
// generics. What orders memory there, and takes a mutex, must be rewritten for that.
func TestOldLoops(t *testing.T) {
	longModule(t, `-- old/go.mod --
module example.com/old

go 1.15
-- old/constrained.go --
`+mark+`//go:build !never
// +build !never

package old

// Full returns a channel that has n values.
func Full(n int) chan int {
	ch := make(chan int, n)
	for i := 1; i <= n; i++ {
		ch <- i
	}
	close(ch)
	return ch
}
-- old/old.go --
package old

import "sync"

func Lock(mu *sync.Mutex) { mu.Lock() }

`+box+`
// Last receives from ch and returns functions that return what was received.
func Last(ch chan int) (all []func() int) {
	for v := range ch {
		all = append(all, func() int { return v })
	}
	return all
}
-- user_test.go --
package user

import (
	"testing"

	"example.com/old"
	"github.com/rouse-go/rouse/explore"
)

func TestOld(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		if all := old.Last(old.Full(2)); all[0]() != 2 {
			t.Error("an old module has new loops")
		}
		var all []func() int
		for v := range old.Full(2) {
			all = append(all, func() int { return v })
		}
		if all[0]() != 1 || all[1]() != 2 {
			t.Error("a new module has old loops")
		}
	})
}

func TestOrdered(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var b old.Box
		n, done := 0, make(chan bool)
		go func() {
			n = 1
			b.Put()
			close(done)
		}()
		if b.Has() && n != 1 {
			t.Errorf("n is %d", n)
		}
		<-done
	})
}
`)
	edit := exec.Command("go", "mod", "edit", "-require=example.com/old@v1.0.0", "-replace=example.com/old=./old")
	if out, err := edit.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	explores(t, "test -run Old", 0, "ok  \texample.com/user")
	explores(t, "test -with example.com/old", 0, "ok  \texample.com/user")
	lock := "package user\n\nimport (\n\t\"sync\"\n\n\t\"example.com/old\"\n)\n\nfunc f(mu *sync.Mutex) { old.Lock(mu) }\n"
	if err := os.WriteFile("lock.go", []byte(lock), 0o644); err != nil {
		t.Fatal(err)
	}
	explores(t, "test", 1, "lock.go:9:35: cannot use", "but not when it is rewritten", "-with")
}

// The other modules of a workspace are explored, too, but for packages that use cgo; so a replay
// needs no flag, whichever packages it names.
func TestWorkspace(t *testing.T) {
	longModule(t, `-- go.work --
go 1.25.0

use (
	.
	./count
)
-- count/go.mod --
module example.com/count

go 1.25.0
-- count/count.go --
package count

import "sync/atomic"

func Add(n *atomic.Int32) { n.Store(n.Load() + 1) }
-- count/c/c.go --
package c

// #include <stdlib.h>
import "C"

func Abs(n int) int { return int(C.abs(C.int(n))) }
-- user_test.go --
package user

import (
	"sync/atomic"
	"testing"

	"example.com/count"
	"github.com/rouse-go/rouse/explore"
)

func TestAdd(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var n atomic.Int32
		done := make(chan bool)
		go func() { count.Add(&n); done <- true }()
		count.Add(&n)
		<-done
		if n.Load() != 2 {
			t.Errorf("%d, want 2", n.Load())
		}
	})
}
-- c_test.go --
//go:build c

package user

import _ "example.com/count/c"
`)
	t.Setenv("GOWORK", "")
	replays(t, explores(t, "test ./... example.com/count", 1, "count/count.go:5  Load n = 0", "1, want 2"), "1, want 2")
	if out, err := exec.Command("go", "build", "./count/c").CombinedOutput(); err != nil {
		t.Skipf("there is no C compiler here: %s", out)
	}
	explores(t, "test -tags c", 1, "1, want 2")
	explores(t, "test -tags c -with example.com/count", 1, "c.go:4: package example.com/count/c uses cgo")
}

// bad has tests that cannot be explored as they are, or have a fault that no schedule is needed for.
const bad = `-- assert/go.mod --
module example.com/assert

go 1.25.0
-- goleak/go.mod --
module go.uber.org/goleak

go 1.25
-- goleak/goleak.go --
package goleak

// VerifyNone stands for the function of that name.
func VerifyNone(any) {}
-- assert/assert.go --
package assert

import (
	"net/http"
	"sync"
	"time"
)

type TestingT interface {
	Errorf(format string, args ...any)
	FailNow()
}

func Equal(t TestingT, want, got any) bool {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	if want != got {
		t.Errorf("want %v, got %v", want, got)
	}
	return want == got
}

func NoError(t TestingT, err error) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	if err != nil {
		t.Errorf("an error: %v", err)
		t.FailNow()
	}
}

var last time.Time

// Now returns a time that it has not returned before.
func Now() int64 {
	now := time.Now()
	for now = time.Now(); now.Equal(last); now = time.Now() {
	}
	last = now
	return now.UnixNano()
}

` + box + `
func Go(f func()) { go f() }

func Sent() chan bool {
	sent := make(chan bool)
	Go(func() { sent <- true })
	return sent
}

type hidden struct{ *http.Client }

// A Fetcher is a client, by a field that others cannot name.
type Fetcher struct{ hidden }

func NewFetcher(by http.RoundTripper) *Fetcher { return &Fetcher{hidden{&http.Client{Transport: by}}} }
-- link.s --
-- link.go --
package user

import _ "unsafe"

//go:linkname random runtime.cheaprand
//go:noescape
func random() uint32

// Below has a name that others can use.
//
//go:linkname Below runtime.cheaprandn
func Below(uint32) uint32

//go:linkname nanotime runtime.nanotime
func nanotime() int64

//go:linkname pin runtime.procPin
func pin() int
-- user_test.go --
package user

import (
	"crypto/rand"
	"errors"
	"io"
	"log"
	old "math/rand"
	newer "math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/assert"
	"github.com/rouse-go/rouse/explore"
	"go.uber.org/goleak"
)

var exit = os.Exit

func TestMain(m *testing.M) { exit(m.Run()) }

func TestExits(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		done := make(chan bool)
		go func() {
			exit(3) // the end
		}()
		<-done
	})
}

var requests = make(chan int)

func init() {
	go func() { // a server
		for range requests {
		}
	}()
}

// bits performs an operation for each bit.
func bits(x uint64) {
	var n atomic.Int32
	done := make(chan bool)
	go func() { n.Add(1); done <- true }()
	for i := range 48 {
		if x>>i&1 != 0 {
			n.Add(1)
		}
	}
	<-done
}

func TestRandom(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var random [6]byte
		rand.Read(random[:])
		x := uint64(0)
		for _, b := range random {
			x = x<<8 | uint64(b)
		}
		bits(x)
	})
}

func TestPseudo(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		n := old.New(old.NewSource(time.Now().UnixNano()))
		var b [2]byte
		old.Seed(1)
		old.Read(b[:])
		bits(newer.Uint64() ^ newer.N(uint64(1<<48)) ^ old.Uint64() ^ n.Uint64() ^ uint64(b[0]))
	})
}

func TestLinked(t *testing.T) {
	r, s, n := random, random(), Below(3) // before there is an execution
	explore.Test(t, func(t *testing.T) {
		drawn := make(chan uint32)
		go func() { drawn <- random() }()
		x := uint64(random())<<32 | uint64(r())
		if y := uint64(<-drawn); y == x>>32 || x>>32 == x&(1<<32-1) {
			t.Error("the same numbers again")
		}
		bits(x)
		if Below(3) > 2 || nanotime() != time.Now().UnixNano() {
			t.Error(s, n)
		}
	})
}

func TestMapOrder(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		m := make(map[*int]int)
		for i := range 20 {
			m[new(int)] = i
		}
		x := uint64(0)
		for _, i := range m {
			x = x*31 + uint64(i)
		}
		bits(x)
	})
}

var runs int

func TestGlobal(t *testing.T) {
	runs := 0 // or one of the package, which is as new
	explore.Test(t, func(t *testing.T) {
		runs++
		bits(uint64(runs))
	})
}

func TestThreads(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		for range 100 {
			wg.Add(1)
			go wg.Done() // one too many
		}
		wg.Wait()
	})
}

func TestNoEnd(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var ready atomic.Bool
		go ready.Load()
		for !ready.Load() { // forever
		}
	})
}

func TestGoesOn(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		go func() { // a janitor
			for range time.Tick(time.Second) {
			}
		}()
	}, explore.MaxSteps(1000))
}

func TestOutlives(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		ch := make(chan int)
		go func() {
			ch <- 1 // nobody receives
		}()
	})
}

type roundTripper func(r *http.Request) *http.Response

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func TestRoundTripper(t *testing.T) {
	old := http.DefaultClient
	defer func() { http.DefaultClient = old }()
	explore.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		by := roundTripper(func(r *http.Request) *http.Response {
			w := httptest.NewRecorder()
			http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				io.Copy(w, r.Body)
			}).ServeHTTP(w, r)
			return w.Result()
		})
		done := make(chan bool)
		c := http.Client{Transport: by}
		const url, kind, text = "http://a/b?c=d", "text/plain", "hello"
		go func() {
			c.Post(url, kind, strings.NewReader(text))
			done <- true
		}()
		http.DefaultClient = &c
		post := http.Post
		if r, err := post(url, kind, strings.NewReader(text)); err != nil {
			t.Error(err)
		} else if s, err := io.ReadAll(r.Body); string(s) != text {
			t.Error(s, err)
		}
		api := struct {
			*http.Client
			next http.RoundTripper
		}{http.DefaultClient, by}
		r, err := http.NewRequest("POST", url, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		api.Do(r)
		api.next.RoundTrip(r)
		assert.NewFetcher(by).Do(r)
		<-done
		explore.Possible(t, asked.Load() == 5, "that all are asked")
	})
}

func TestUnordered(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var b assert.Box
		n, done := 0, make(chan bool)
		go func() {
			n = 1
			b.Put()
			close(done)
		}()
		if b.Has() && n != 1 {
			t.Errorf("n is %d", n)
		}
		<-done
	})
}

func TestAssert(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		assert.NoError(t, nil)
		assert.Equal(t, 1, 2) // not equal
		assert.NoError(t, errors.New("bad")) // an error
		t.Error("it goes on")
	})
}

type env struct{ *testing.T }

func (e env) check() {
	e.Helper()
	e.Errorf("from a helper")
}

func TestHelper(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		t.Log("a log") // is here
		env{t}.check() // of the caller
	})
}

func TestExit(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		done := make(chan bool)
		go func() {
			t.Fatal("elsewhere") // in a goroutine
		}()
		<-done
	})
}

func TestRun(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		n := 0
		go t.Run("sub", func(t *testing.T) {
			n++ // in a part
		})
		n++
	})
}

`

const foreign = "foreign goroutine: a goroutine that the explorer does not see, started by example.com/assert.Go: its package was not rewritten: name its module with the flag -with"

// Each is a test of one line, and what is said of it: @ is where that is.
var oneLine = [][]string{
	{"Fatal", `log.New(io.Discard, "", 0).Fatalf("no %s", "luck")`, "Logger.Fatalf: no luck at @", "-schedule "},
	{"Server", "requests <- 1", "0 test: send requests at @", "goroutines that were started before the exploration wait"},
	{"Finalizer", "runtime.SetFinalizer(new(int), func(*int) {})", "runtime.SetFinalizer is called, which the explorer does not control at @"},
	{"Cleanup", "runtime.AddCleanup(new(int), func(int) {}, 1)", "runtime.AddCleanup is called, which the explorer does not control at @"},
	{"Net", `net.Dial("tcp", "localhost:1")`, "net.Dial is called, which the explorer does not control at @"},
	{"Client", `http.Get("http://localhost:1")`, "net/http.Get is called with an http.Transport, for a network, which the explorer does not control at @"},
	{"Transport", "by := struct{ http.RoundTripper }{http.DefaultTransport}; by.RoundTrip(nil)", "net/http.RoundTripper.RoundTrip is called with an http.Transport, for a network, which the explorer does not control at @"},
	{"Timeout", "c := &http.Client{Timeout: time.Second}; do := c.Do; do(nil)", "net/http.Client.Do is called with a Timeout, which is in real time, so the explorer does not control it at @"},
	{"Exec", `exec.Command("none").Run()`, "os/exec.Cmd.Run is called, which the explorer does not control at @"},
	{"Method", `run := (*exec.Cmd).Run; run(exec.Command("none"))`, "os/exec.Cmd.Run is called, which the explorer does not control at @"},
	{"Count", "t.Log(runtime.NumGoroutine())", "runtime.NumGoroutine is called, which the explorer does not control at @"},
	{"Leaks", "defer goleak.VerifyNone(t)", "go.uber.org/goleak.VerifyNone is called, which the explorer does not control at @", "remove it, or call it outside"},
	{"Pipe", "io.Pipe()", "io.Pipe is called, which the explorer does not control at @"},
	{"Pin", "pin()", "runtime.procPin, by go:linkname at link.go:17, is called, which the explorer does not control at @"},
	{"NilMap", "go new(sync.Mutex).Lock(); var m *sync.Map; m.Load(1)", "nil pointer dereference\n        \t@", "✗ @ "},
	{"NilInt", "go new(sync.Mutex).Lock(); var n *int32; atomic.AddInt32(n, 1)", "nil pointer dereference\n        \t@", "✗ @ "},
	{"Cut", `go new(sync.Mutex).Lock(); strings.Repeat("x", -1)`, "strings.Repeat\n        \t@", "✗ @ "},
	{"File", `if err := os.WriteFile(t.TempDir()+"/x", nil, 0o600); err != nil { t.Error(err) }`, "--- PASS"},
	{"Foreign", "done := make(chan bool); assert.Go(func() { done <- true }); <-done", foreign},
	{"ForeignSend", "<-assert.Sent()", foreign},
	{"Unseen", "go func() { runs = os.Getpid() }(); new(sync.Mutex).Lock()", "nothing seen of a thread: no operation of \"@\" was seen"},
	{"Skips", `t.Skip("not today")`, "--- SKIP", "each of 1 executions was skipped", "not today"},
	{"Time", "bits(uint64(assert.Now()) * 0x9e3779b97f4a7c15)", "not deterministic: ", "once:\n", "and once more, by the same schedule:\n", "Add n"},
}

// What cannot be explored is said, with file and line.
func TestBad(t *testing.T) {
	all := bad
	for _, c := range oneLine {
		all += fmt.Sprintf("func Test%s(t *testing.T) {\n\texplore.Test(t, func(t *testing.T) {\n\t\t%s // of Test%[1]s\n\t})\n}\n\n", c[0], c[1])
	}
	longModule(t, all)
	edit := exec.Command("go", "mod", "edit", "-require=example.com/assert@v1.0.0", "-replace=example.com/assert=./assert",
		"-require=go.uber.org/goleak@v1.0.0", "-replace=go.uber.org/goleak=./goleak")
	if out, err := edit.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out := explores(t, "test -v", 1)
	src, _ := os.ReadFile("user_test.go")
	// at is where the line with the comment is.
	at := func(comment string) string {
		before, _, found := strings.Cut(string(src), "// "+comment)
		if !found {
			t.Fatalf("no comment %q", comment)
		}
		return fmt.Sprintf("user_test.go:%d", strings.Count(before, "\n")+1)
	}
	otherwise := []string{"not deterministic: ", "once:\n", "and once more, by the same schedule:\n", "Add n"}
	says := map[string][]string{
		"Random": otherwise, "MapOrder": otherwise, "Global": otherwise,
		"Threads":      {"too many threads: more threads are started than MaxThreads allows at ", at("one too many"), "the limit is 64 at one moment, counting the test's own; two or three threads show most faults"},
		"NoEnd":        {"livelock: an execution took more than 10000 operations: 0 test went round, and no other thread could go on", at("forever"), "(what follows, 1 operation, is repeated "},
		"GoesOn":       {"livelock: an execution took more than 1000 operations", "the test has returned without ending all that it started; what still runs begins at " + at("a janitor")},
		"Outlives":     {"deadlock: the test has returned, and what it started is blocked", "send ch at ", at("nobody receives")},
		"RoundTripper": {"--- PASS"},
		"Linked":       {"--- PASS"},
		"Pseudo":       {"--- PASS"},
		"Unordered":    {"nothing orders the two,\n        \tunless code of example.com/assert, go.uber.org/goleak does, which is not rewritten: the flag -with"},
		"Assert":       {at("not equal") + ": want 1, got 2", at("an error") + ": an error: bad"},
		"Helper":       {at("is here") + ": a log", at("of the caller") + ": from a helper"},
		"Exit":         {at("in a goroutine") + ": elsewhere"},
		"Exits":        {"os.Exit(3) at " + at("the end"), "-schedule "},
		"Run":          {"data race: n is written by thread 1 at " + at("in a part")},
	}
	for _, c := range oneLine {
		for _, want := range c[2:] {
			says[c[0]] = append(says[c[0]], strings.ReplaceAll(want, "@", at("of Test"+c[0])))
		}
	}
	says["Server"] = append(says["Server"], "for its end: "+at("a server"))
	for test, want := range says {
		_, of, _ := strings.Cut(out, "=== RUN   Test"+test+"\n")
		of, _, _ = strings.Cut(of, "=== RUN ")
		for _, s := range want {
			if !strings.Contains(of, s) {
				t.Errorf("%s does not say %q but\n%s", test, s, of)
			}
		}
	}
}
