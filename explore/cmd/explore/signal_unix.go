//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// endings are the signals that end this program. The go command is ended first, with all that it
// has started, and what was written is removed.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE}

// apart has a command be of a process group of its own, so that what it starts can be ended with
// it. An interrupt is what the go command waits for its tests after.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// killRest ends what is left of a command that has been ended.
func killRest(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// relay passes on to a command that is apart what a terminal sends to all, until end is called.
func relay(cmd *exec.Cmd) (end func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT)
	go func() {
		for s := range signals {
			syscall.Kill(-cmd.Process.Pid, s.(syscall.Signal))
			if s == syscall.SIGTSTP {
				syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			}
		}
	}()
	return func() { signal.Stop(signals); close(signals) }
}

// dieOf ends this program as one that has not caught the signal.
func dieOf(s os.Signal) {
	signal.Reset(s)
	syscall.Kill(os.Getpid(), s.(syscall.Signal))
	time.Sleep(time.Second) // it may come to another thread
}
