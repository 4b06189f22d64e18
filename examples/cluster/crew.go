package cluster

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"time"
)

// childCommand is the argument that makes a process a worker of the one that started it.
const childCommand = "worker"

// orders are the first line that a child reads. They are no arguments, for the URL may have a
// password in it.
type orders struct {
	Site      site
	Run, Name string
	Process   int // how many the worker had before this one
}

// child is the worker that this process is. It ends when its input does: that is when its parent
// says so, or is gone, however it ended. Nothing need be tidied up: what it has in hand, another
// worker is given.
func child(ctx context.Context, job *Job, stdin io.Reader, stderr io.Writer) error {
	signal.Ignore(os.Interrupt) // Ctrl-C is for the parent. SIGTERM ends ctx.
	in := bufio.NewReader(stdin)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("this command is for %s's own use", job.Name)
	}
	var o orders
	if err := json.Unmarshal(line, &o); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(0)
	}()
	js, err := o.Site.connect(ctx, "worker "+o.Name, func(error) {}) // The parent says it.
	if err != nil {
		return err
	}
	defer js.Conn().Close()
	w := worker{job: job, js: js, run: o.Run, name: o.Name, process: o.Process, stderr: stderr}
	return w.work(ctx)
}

// join is a worker that no parent has started.
func join(ctx context.Context, job *Job, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("join", flag.ContinueOnError)
	var s site
	s.flags(flags)
	run := flags.String("run", "", "take keys of the run `NAME`")
	rest, err := job.parse(flags, args, stdout)
	switch err := cmp.Or(err, s.check()); {
	case err != nil:
		return err
	case len(rest) > 0:
		return fmt.Errorf("join takes no argument, and was given %q", rest[0])
	case s.URL == "":
		return errors.New("join needs --nats URL: the server that the others use")
	}
	if err := checkName(*run); err != nil {
		return err
	}
	host, _ := os.Hostname()
	w := worker{job: job, run: *run, name: host + "/" + strconv.Itoa(os.Getpid()), stderr: stderr}
	w.js, err = s.connect(ctx, "worker "+w.name, func(lost error) {
		if lost != nil {
			fmt.Fprintf(stderr, "worker %s: waiting for the NATS server: %v\n", w.name, lost)
		}
	})
	if err != nil {
		return err
	}
	defer w.js.Conn().Close()
	fmt.Fprintf(stdout, "worker %s of run %s; Ctrl-C ends it\n", w.name, *run)
	if err := w.await(ctx); err != nil {
		return err
	}
	if err := w.work(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// A crew is the workers that this process has started.
type crew struct {
	all    []*member
	alive  int
	down   []*member
	limit  int // of ends without a result
	env    []string
	orders orders
	stderr io.Writer

	running sync.WaitGroup
	gone    chan departure
}

// A departure is the end of a process of a worker.
type departure struct {
	*member
	how string
}

// A member is a worker, whose process may be started again.
type member struct {
	name     string
	process  *os.Process
	stdin    io.Closer
	ended    string // how the last process did, early
	restarts int
	useful   int // its last process that had a result, or the first
}

// futile returns how many processes of m have ended since its last result, once the last one has.
func (m *member) futile() int { return m.restarts + 1 - m.useful }

// start starts n workers.
func start(n, procs, limit int, o orders, stderr io.Writer) (*crew, error) {
	c := &crew{limit: limit, orders: o, stderr: stderr, gone: make(chan departure, n)}
	c.env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
	for i := range n {
		m := &member{name: strconv.Itoa(i + 1)}
		if err := c.launch(m); err != nil {
			return c, err
		}
		c.all = append(c.all, m)
	}
	return c, nil
}

// launch starts a process of m.
func (c *crew) launch(m *member) error {
	o := c.orders
	o.Name, o.Process = m.name, m.restarts
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, childCommand)
	cmd.Env, cmd.Stderr = c.env, c.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	m.process, m.stdin = cmd.Process, stdin
	c.alive++
	c.running.Go(func() {
		_, _ = stdin.Write(append(line, '\n')) // If it is not read, the process has ended.
		how := "ended early"
		if err := cmd.Wait(); err != nil {
			how = err.Error()
		}
		c.gone <- departure{m, how}
	})
	return nil
}

// left notes that the process of a worker has ended.
func (c *crew) left(d departure) {
	d.ended = d.how
	c.alive--
	c.down = append(c.down, d.member)
}

// revive starts the workers again whose processes have ended, unless that was in vain too often.
func (c *crew) revive() (err error) {
	c.down = slices.DeleteFunc(c.down, func(m *member) bool {
		if m.futile() > c.limit || err != nil {
			return false
		}
		m.restarts++
		err = c.launch(m)
		return err == nil
	})
	return err
}

// restarts returns how often workers were started again.
func (c *crew) restarts() (n int64) {
	for _, m := range c.all {
		n += int64(m.restarts)
	}
	return n
}

// worked notes that a process of a worker had a result. It and later ones may have ended by now: a result is read later.
func (c *crew) worked(name string, process int) {
	if n, err := strconv.Atoi(name); err == nil && n <= len(c.all) {
		c.all[n-1].useful = max(c.all[n-1].useful, process)
	}
}

// dismiss ends them all, and waits until they have.
func (c *crew) dismiss() {
	for _, m := range c.all {
		_ = m.stdin.Close()
	}
	hang := time.AfterFunc(5*time.Second, func() {
		for _, m := range c.all {
			_ = m.process.Kill()
		}
	})
	defer hang.Stop()
	c.running.Wait()
}
