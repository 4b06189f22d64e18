//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// A signal ends the command as it ends others, but with the test, whatever that does of signals,
// and without what was written.
func TestSignals(t *testing.T) {
	me, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	module(t, `-- user_test.go --
package user

import (
	"net"
	"os"
	"os/signal"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

func TestEnds(t *testing.T) {
	if os.Getenv("IGNORES") != "" {
		signal.Ignore()
	}
	if _, err := net.Dial("tcp", os.Getenv("ADDRESS")); err != nil {
		t.Fatal(err)
	}
	explore.Test(t, func(t *testing.T) {
		for {
		}
	}, explore.Hung(1<<40))
}
`)
	for _, c := range []struct {
		signal  syscall.Signal
		ignores string
		again   bool // the second signal does not wait
	}{{syscall.SIGTERM, "", false}, {syscall.SIGHUP, "", false}, {syscall.SIGINT, "", false}, {syscall.SIGTERM, "1", false}, {syscall.SIGINT, "1", true}} {
		t.Run(fmt.Sprint(c.signal, c.ignores, c.again), func(t *testing.T) {
			if testing.Short() && (c.ignores != "" || c.signal == syscall.SIGHUP) {
				t.Skip("it waits, or is like another one")
			}
			if signal.Ignored(c.signal) {
				t.Skip("it is ignored here, as under nohup, so the command ignores it, too")
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Skip(err)
			}
			defer l.Close()
			temp := t.TempDir()
			var out bytes.Buffer
			cmd := exec.Command(me, "test")
			patience := farewell
			if c.ignores != "" && !c.again { // it waits for as long
				patience = farewell / 10
			}
			cmd.Env = append(os.Environ(), commandVariable+"="+patience.String(), "IGNORES="+c.ignores, "ADDRESS="+l.Addr().String(), "TMPDIR="+temp)
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan bool)
			go func() {
				cmd.Wait()
				l.Close()
				close(ended)
			}()
			conn, err := l.Accept()
			if err != nil {
				<-ended
				t.Fatalf("the test was not run:\n%s", &out)
			}
			defer conn.Close()
			cmd.Process.Signal(c.signal)
			sent := time.Now()
			for c.again && time.Since(sent) < farewell {
				select {
				case <-ended:
					c.again = false
				case <-time.After(50 * time.Millisecond): // two that come at once are one
					cmd.Process.Signal(c.signal)
				}
			}
			if c.again {
				t.Errorf("a second %v does not end it", c.signal)
			}
			io.Copy(io.Discard, conn) // which ends with the test
			<-ended
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if is := status.Signaled() && status.Signal() == c.signal; is != (c.signal != syscall.SIGINT) {
				t.Errorf("it ends by %v:\n%s", cmd.ProcessState, &out)
			}
			if left, err := os.ReadDir(temp); err != nil || c.ignores == "" && len(left) > 0 {
				t.Errorf("it leaves %v, %v", left, err)
			}
		})
	}
}
