//go:build !unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// endings are the signals that end this program. SIGTERM is that a console is closed. They come
// to what the go command has started, too.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM}

func apart(cmd *exec.Cmd) { cmd.Cancel = func() error { return nil } }

func killRest(*exec.Cmd) {}

func relay(*exec.Cmd) (end func()) { return func() {} }

func dieOf(os.Signal) {}
