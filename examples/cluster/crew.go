package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"time"
)

// childCommand is the argument that makes a process a worker of the one that started it.
const childCommand = "worker"

// orders are the first line that a child reads. They are no arguments, for the URL may have a
// password in it.
type orders struct {
	URL, Run, Name string
}

// child is the worker that this process is. It ends when its input does: that is when its parent
// says so, or is gone, however it ended. Nothing need be tidied up: what it has in hand, another
// worker is given.
func child(ctx context.Context, stdin io.Reader, stderr io.Writer) error {
	signal.Ignore(os.Interrupt) // Ctrl-C is for the parent. SIGTERM ends ctx.
	in := bufio.NewReader(stdin)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return errors.New("this command is for cluster's own use")
	}
	var o orders
	if err := json.Unmarshal(line, &o); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(0)
	}()
	js, err := connect(ctx, o.URL, "worker "+o.Name)
	if err != nil {
		return err
	}
	defer js.Conn().Close()
	w := worker{js: js, run: o.Run, name: o.Name, stderr: stderr}
	return w.work(ctx)
}

// join is a worker that no parent has started.
func join(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("join", flag.ContinueOnError)
	url := flags.String("nats", "", "use the NATS server at `URL`")
	run := flags.String("run", "", "take parts of the run `NAME`")
	rest, err := parse(flags, args, stdout)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return fmt.Errorf("join takes no argument, and was given %q", rest[0])
	case *url == "":
		return errors.New("join needs --nats URL: the server that the others use")
	}
	if err := checkName(*run); err != nil {
		return err
	}
	host, _ := os.Hostname()
	name := host + "/" + strconv.Itoa(os.Getpid())
	js, err := connect(ctx, *url, "worker "+name)
	if err != nil {
		return err
	}
	defer js.Conn().Close()
	w := worker{js: js, run: *run, name: name, stderr: stderr}
	fmt.Fprintf(stdout, "worker %s of run %s; Ctrl-C ends it\n", name, *run)
	if err := w.work(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// A crew is the workers that this process has started.
type crew struct {
	all   []*member
	alive sync.WaitGroup
	gone  chan *member // each that has ended
}

type member struct {
	name   string
	pid    int
	stdin  io.Closer
	killer *os.Process
	ended  string // how; written before it comes from gone
}

// start starts the workers.
func start(n, procs int, o orders, stderr io.Writer) (*crew, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &crew{gone: make(chan *member, n)}
	for i := range n {
		o.Name = strconv.Itoa(i + 1)
		line, err := json.Marshal(o)
		if err != nil {
			return c, err
		}
		cmd := exec.Command(self, childCommand)
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
		cmd.Stderr = stderr
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return c, err
		}
		if err := cmd.Start(); err != nil {
			return c, err
		}
		m := &member{name: o.Name, pid: cmd.Process.Pid, stdin: stdin, killer: cmd.Process}
		c.all = append(c.all, m)
		c.alive.Go(func() {
			_, _ = stdin.Write(append(line, '\n')) // If it is not read, the process has ended.
			how := "ended early"
			if err := cmd.Wait(); err != nil {
				how = err.Error()
			}
			m.ended = how
			c.gone <- m
		})
	}
	return c, nil
}

// dismiss ends them all, and waits until they have.
func (c *crew) dismiss() {
	for _, m := range c.all {
		_ = m.stdin.Close()
	}
	hang := time.AfterFunc(5*time.Second, func() {
		for _, m := range c.all {
			_ = m.killer.Kill()
		}
	})
	defer hang.Stop()
	c.alive.Wait()
}
