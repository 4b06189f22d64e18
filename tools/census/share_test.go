package census_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/tools/census"
)

// spinner is the environment variable that makes the test a program which keeps
// a processor busy.
const spinner = "ROUSE_TEST_SPINNER"

func TestMain(m *testing.M) {
	if os.Getenv(spinner) != "" {
		spin()
	}
	os.Exit(m.Run())
}

// spin says that it has begun, and goes on until its input ends, as it does when
// the test is gone.
func spin() {
	var ended atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		ended.Store(true)
	}()
	fmt.Println("spinning")
	for !ended.Load() {
	}
	os.Exit(0)
}

// Beside two programs for each processor, a process gets about a third of their
// time. A failure here means that rouse run does not notice that the machine is
// busy.
func TestShare(t *testing.T) {
	if _, ok := census.CPUTime(); !ok {
		if _, ok := census.Share(time.Millisecond); ok {
			t.Error("a share is known where processor time is not")
		}
		return
	}
	if s, ok := census.Share(100 * time.Millisecond); !ok || s <= 0 || s > 1 {
		t.Errorf("share %v, known %v; want more than 0, at most 1", s, ok)
	}
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), spinner+"=1")
		in, err := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err := errors.Join(err, err2, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer in.Close()
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	// A scheduler need not be fair within so short a time.
	if s, _ := census.Share(400 * time.Millisecond); s > 0.8 {
		t.Errorf("beside programs that keep all processors busy twice, the share is %.2f", s)
	}
}
