package harness

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
)

// A panic on a goroutine of the code under test, such as a pool's, cannot be recovered: the
// process dies, and what the runtime prints names no rule. No code of that process runs any
// more, so another one must say it. It is told the rule of each subtest as that begins, and
// the runtime sends it a copy of what it prints as the process dies.

// crashReader says in the environment of a process that it is that other one.
const crashReader = "ROUSE_CRASH_READER"

// listener leads to the reader of crashes. It is nil if there is none.
var listener *os.File

// begun marks a line that says which subtest begins.
const begun = "begins: "

// NameCrashes has a crash of this process end with the rule that was at stake. Call it when
// the process starts. It is for tests of this module: a user of the suite may want no other
// process.
func NameCrashes() {
	if os.Getenv(crashReader) != "" {
		nameCrash(os.Stdin, os.Stderr)
		os.Exit(0)
	}
	in, out, err := os.Pipe()
	if err != nil {
		return
	}
	defer in.Close()
	cmd := exec.Command(os.Args[0]) // by its name, an emulator starts it again
	cmd.Env = append(os.Environ(), crashReader+"=1")
	cmd.Stdin, cmd.Stderr = in, os.Stderr
	if cmd.Start() == nil && debug.SetCrashOutput(out, debug.CrashOptions{}) == nil {
		listener = out
	}
}

// begins says that a subtest begins.
func begins(rule, test string) {
	if listener != nil {
		fmt.Fprintf(listener, "%s%s: %s\n", begun, rule, test)
	}
}

// nameCrash reads what another process says until that has died, and writes which rule was
// at stake if it crashed.
func nameCrash(in io.Reader, out io.Writer) {
	var last, why string
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if subtest, ok := strings.CutPrefix(lines.Text(), begun); ok {
			last = subtest
		} else if why == "" {
			why = lines.Text()
		}
	}
	io.Copy(io.Discard, in)
	if why == "" || last == "" {
		return
	}
	rule, _, _ := strings.Cut(last, ":")
	fmt.Fprintf(out, "\n%s has begun, and the process dies: %s\nRule %s: %s\n", last, why, rule, Rules[rule])
}
