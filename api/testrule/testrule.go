// Package testrule has a test that panics or hangs begin its failure with the rule at stake, as
// its messages do. The tests of a module need one function for that:
//
//	func TestMain(m *testing.M) { testrule.Main(m) }
//
// A test names rules in its messages and nowhere else. A stack leads from the code under test
// to the line of the test that called it, and the next message behind that line is the one
// that the call was made for.
package testrule

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// Main runs the tests of m. It names the rule of a panic on the goroutine of a test, or on one
// that [prim.Go] has started, and of what still runs shortly before the time for all tests is
// over.
func Main(m *testing.M) {
	// Package testing calls nothing before each test, so each test is replaced. Where the field
	// has another name, the tests run as they are, and TestNames fails.
	if f := reflect.ValueOf(m).Elem().FieldByName("tests"); f.IsValid() && f.Type() == reflect.TypeFor[[]testing.InternalTest]() {
		tests := *(*[]testing.InternalTest)(unsafe.Pointer(f.UnsafeAddr()))
		for i, test := range tests {
			tests[i].F = func(t *testing.T) {
				t.Cleanup(nameTestPanic)
				test.F(t)
			}
		}
	}
	if prim.AtEnd == nil { // the suite of package conformance has its own
		prim.AtEnd = Name
	}
	flag.Parse()
	if limit := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration); limit > 0 {
		time.AfterFunc(limit-min(limit/10, time.Second), func() { say("no end of a test") })
	}
	m.Run()
}

// Name names the rule if its goroutine panics, and lets the panic go on. A goroutine that a
// test starts defers it.
func Name() {
	if v := recover(); v != nil {
		say("panic")
		panic(v)
	}
}

// Bubble is [synctest.Test]. A panic in a bubble ends the process before the end of the test.
// A failed test may leave goroutines that wait.
func Bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	defer func() { // synctest panics about those
		if p := recover(); p != nil && !t.Failed() {
			panic(p)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		defer Name()
		f(t)
	})
}

// nameTestPanic is called at the end of a test. If that or a subtest panics, it is on top of
// the frames that do.
func nameTestPanic() {
	if bytes.Contains(debug.Stack(), []byte("\npanic({")) {
		say("panic")
	}
}

// place is a line of a test in a stack. Tests run where their sources are.
var place = regexp.MustCompile(`([^/\n]+_test\.go):(\d+)`)

// say says what happens, and where in the tests, behind the rule of the first goroutine that is
// at one. That of the caller comes first, and one that waits for a subtest is left out.
func say(what string) {
	stacks := make([]byte, 1<<24)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, anywhere := range []bool{false, true} {
		for stack := range strings.SplitSeq(string(stacks), "\n\n") {
			if strings.Contains(stack, "testing.(*T).Run(") {
				continue
			}
			for _, m := range place.FindAllStringSubmatch(stack, -1) {
				if rule := ruleAt(m[1], m[2], anywhere); rule != "" {
					fmt.Fprintf(os.Stderr, "%s: %s, at %s\n", rule, what, m[0])
					return
				}
			}
		}
	}
}

// message is the beginning of a message that names a rule, or a name of the module.
var message = regexp.MustCompile(`"([CDFILSP][1-9][0-9]?\b|(package \w+|[A-Z][\w. ]*): )`)

// ruleAt returns the rule of the next message in the declaration that has a line of a file, or
// else of the last one before the line. A test whose messages are in a table, or in another
// declaration, has its rule anywhere in the file.
func ruleAt(file, line string, anywhere bool) (rule string) {
	read, _ := os.ReadFile(file)
	text := string(read)
	here := 0
	for n, _ := strconv.Atoi(line); n > 1; n-- {
		here += strings.Index(text[here:], "\n") + 1
	}
	begin, end := strings.LastIndex(text[:here], "\nfunc "), here+strings.Index(text[here:], "\nfunc ")
	if end < here {
		end = len(text)
	}
	for _, m := range message.FindAllStringIndex(text, -1) {
		if anywhere || begin < m[0] && m[0] < end {
			rule, _, _ = strings.Cut(text[m[0]+1:m[1]], ":")
			if m[0] >= here {
				break
			}
		}
	}
	return rule
}
