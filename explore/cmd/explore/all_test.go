package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// allTests are tests that others could have written, and allWant what -all says of each.
const allTests = `-- m_test.go --
package m

import (
	"os"
	"os/exec"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/quick"
	"testing/synctest"
	"time"

	"example.com/user/lock"
)

var begun = time.Now()

func TestOne(t *testing.T) { t.Parallel() }

func TestWatchdog(t *testing.T) {
	done := make(chan int)
	go func() { close(done) }()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("it hangs")
	}
}

func TestSleeps(t *testing.T) {
	var a, b atomic.Bool
	go a.Store(true)
	go func() {
		for !a.Load() { // a loop that polls comes before time, too
		}
		b.Store(true)
	}()
	time.Sleep(10 * time.Millisecond)
	if !b.Load() {
		t.Error("not done")
	}
}

func TestBug(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	wg.Wait()
	if n.Load() != 2 {
		t.Error("lost")
	}
}

func TestParts(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n atomic.Int32
			go func() { n.Store(1) }()
			if n.Load() == 1 && name == "b" {
				t.Error("in b")
			}
		})
	}
}

func TestSequence(t *testing.T) {
	n := 0
	t.Run("first", func(t *testing.T) { n++ })
	t.Run("second", func(t *testing.T) {
		if n != 1 {
			t.Error("alone")
		}
		c := make(chan int)
		go func() { c <- n }()
		<-c
	})
}

func TestMany(t *testing.T) {
	var wg sync.WaitGroup
	all := make(chan int)
	for range 70 {
		wg.Go(func() {
			select {
			case all <- 1:
			case <-all:
			}
		})
	}
	wg.Wait()
}

func TestManyFail(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 70 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	if wg.Wait(); n.Load() != 70 {
		t.Error("fewer")
	}
}

func TestExec(t *testing.T) { exec.Command("true").Run() }

func TestReflect(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	if i, v, ok := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}}); i != 1 || !ok || v.Int() != 1 {
		t.Error(i, v, ok)
	}
	v := reflect.ValueOf(c)
	go v.Send(reflect.ValueOf(2))
	if <-c != 2 || v.TrySend(reflect.ValueOf(3)) {
		t.Error("sent")
	}
	go v.Close()
	if _, ok := v.Recv(); ok {
		t.Error("not closed")
	}
}

func TestQuick(t *testing.T) {
	quick.Check(func(n int) bool {
		c := make(chan int)
		go func() { c <- n }()
		return <-c == n
	}, &quick.Config{MaxCount: 2})
}

func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var woken atomic.Bool
		begun := time.Now()
		go func() { time.Sleep(time.Minute); woken.Store(true) }()
		if synctest.Wait(); woken.Load() {
			t.Error("too early")
		}
		if time.Sleep(time.Second); time.Since(begun) != time.Second {
			t.Error(time.Since(begun))
		}
	})
}

func TestLeaves(t *testing.T) {
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	c <- 1
}

func TestLeftPanics(t *testing.T) {
	var done atomic.Bool
	go func() {
		if done.Load() {
			panic("left")
		}
	}()
	done.Store(true)
}

func TestClock(t *testing.T) {
	a := time.Now()
	go func() {}()
	if !time.Now().After(a) || time.Since(begun) <= 0 || time.Since(begun) > time.Hour {
		t.Error("another time")
	}
}

var calls int

func TestFails(t *testing.T) { t.Error("always") }

func TestAlone(t *testing.T) {
	if calls++; calls > 1 {
		t.Error("twice")
	}
}

func TestFiles(t *testing.T) {
	os.WriteFile("left.txt", nil, 0o666)
	os.CreateTemp("", "left")
}

func TestExits(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	if time.Sleep(1); os.Getenv("EXPLORE_ALL") != "" {
		lock.Fatal()
	}
	<-c
}

func TestNever(t *testing.T) {
	for {
	}
}

func TestLast(t *testing.T) {
	lock.With(t, func() { go func() {}() })
}
-- lock/lock.go --
package lock

import "testing"

func Fatal() { panic("in the middle") }

func With(t testing.TB, f func()) { f() }
-- broken/broken.go --
package broken

var x int = "x"
-- none/none.go --
package none
-- many/many_test.go --
package many

import "testing"
`

var allWant = []string{
	`-     user\.TestOne .*one thread`,
	`(all  |ok   ) user\.TestWatchdog .*only when all wait.*depends on timing: assertion: m_test.go:\d+: it hangs`,
	`(all  |ok   ) user\.TestSleeps .*depends on timing`,
	`FAIL  user\.TestBug .*assertion`,
	`FAIL  user\.TestParts .*assertion`,
	`(all  |ok   ) user\.TestSequence`,
	`ok    user\.TestMany .*at random: more than 64 threads`,
	`FAIL  user\.TestManyFail`,
	`-     user\.TestExec .*not explored: os/exec\.Cmd\.Run`,
	`(all  |ok   ) user\.TestReflect`,
	`(all  |ok   ) user\.TestQuick .*but for other random numbers at m_test.go`,
	`(all  |ok   ) user\.TestBubble .*only when all wait`,
	`(all  |ok   ) user\.TestLeaves .*leaves 1 goroutine`,
	`FAIL  user\.TestLeftPanics .*panic`,
	`(all  |ok   ) user\.TestClock`,
	`FAIL  user\.TestFails .*as it is, not explored: fails in each schedule: m_test.go:\d+: always`,
	`-     user\.TestAlone .*one thread`,
	`-     user\.TestFiles .*one thread`,
	`FAIL  user\.TestExits .*as it is`,
	`-     user\.TestNever .*not explored: .*takes more than 2s`,
	`(all|-)  +user\.TestLast`,
	`a test has left .*left.txt`,
	`-     example.com/user/broken .*does not build`,
	`5021 tests: .* 6 failed, 2 not explored`,
	`not explored: 1 os/exec.Cmd.Run, 1 takes more than 2s`,
}

// Whatever the tests are like, each has its line, the run ends, and nothing is left behind.
func TestAll(t *testing.T) {
	if testing.Short() {
		t.Skip("a test that does not end takes its time")
	}
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, "func Test%d(t *testing.T) {}\n", i)
	}
	module(t, allTests+many.String())
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var out bytes.Buffer
	if status := run(t.Context(), strings.Fields("test -all -budget 500ms ./..."), &out, &out); status != 1 {
		t.Errorf("status %d", status)
	}
	for _, want := range allWant {
		if !regexp.MustCompile("(?m)^" + want).Match(out.Bytes()) {
			t.Errorf("there is no line %s", want)
		}
	}
	lines := regexp.MustCompile(`(?m)^\S+ +many\.Test\d+ .*\n`)
	if left, _ := filepath.Glob(temp + "/*"); left != nil || len(lines.FindAll(out.Bytes(), -1)) != 5000 {
		t.Errorf("%d of 5000 lines; left behind: %q", len(lines.FindAll(out.Bytes(), -1)), left)
	}
	shown := lines.ReplaceAllString(out.String(), "")
	for _, s := range []string{"in b", "-run '^TestParts$' -schedule '2/", "test -all -run"} {
		if !strings.Contains(shown, s) {
			t.Errorf("it does not print %q", s)
		}
	}
	if t.Failed() {
		t.Logf("it prints\n%s", shown)
	}
	for _, name := range []string{"TestParts", "TestManyFail"} {
		_, out, _ := strings.Cut(shown, "FAIL  user."+name)
		replays(t, out, "")
	}
	os.Remove("left.txt")
	explores(t, "test -all -json .", 2, "-json is not with -all")
	explores(t, "test -all ./broken", 2, "broken.go:3")
	explores(t, "test -all ./none", 0, "0 tests")
}
