package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/cli"
)

// partSize is how many files and directories a part has at most: work for some tens of
// milliseconds, beside about one for a message there and back. Tests divide small trees.
var partSize = 128

// A run is the process that folds: it divides the tree, fills the queue, starts workers, and puts
// together what they find.
type run struct {
	dir, name      string
	url, store     string
	workers, procs int
	fresh          bool
	stdout, stderr io.Writer

	began time.Time
	parts []census.Part
	found []*result         // of each part; nil if it is not there
	done  int               // how many are there
	seen  uint64            // up to which message the stream of totals was read
	again map[string]int    // duplicates, by worker
	ended map[string]string // how workers of this process did, early
	queue *queue
	crew  *crew
	line  *cli.Progress
}

// do runs it all. On each way out, the workers and the server have ended when it returns.
func (r *run) do(ctx context.Context) (err error) {
	r.began = time.Now()
	if err := checkDir(r.dir); err != nil {
		return err
	}
	if r.parts, err = census.Split(ctx, os.DirFS(r.dir), partSize); err != nil {
		return err
	}
	r.found = make([]*result, len(r.parts))
	r.again, r.ended = map[string]int{}, map[string]string{}
	url := r.url
	if url == "" {
		server, err := embed(r.store)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.stop()) }()
		url = server.url
	}
	files := 0
	for _, part := range r.parts {
		files += part.Files
	}
	r.line = cli.Show(r.stderr)
	r.line.Begin(working, files)
	c, err := r.fold(ctx, url)
	r.line.Stop()
	switch {
	case err == nil:
		return r.report(c)
	case r.queue != nil && (r.url != "" || r.store != ""):
		fmt.Fprintf(r.stderr, "cluster: %d of %d parts are done, and kept: the same command goes on from there\n", r.done, len(r.parts))
	}
	return err
}

const (
	working = "census"
	waiting = "waiting for the NATS server"
)

// fold does all that needs the server.
func (r *run) fold(ctx context.Context, url string) (*census.Census, error) {
	js, err := connect(ctx, url, "cluster "+r.name,
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if !nc.IsClosed() {
				r.line.Say(waiting)
				r.tell("%s: the connection is lost, %v", waiting, err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			r.line.Say(working)
			r.tell("the NATS server is there again")
		}))
	if err != nil {
		return nil, err
	}
	defer js.Conn().Close()
	if r.queue, err = open(ctx, js, r.name, planOf(r.dir, r.parts), r.fresh); err != nil {
		r.queue = nil
		return nil, err
	}
	switch done, err := r.queue.fill(ctx, r.dir, r.parts); {
	case err != nil:
		return nil, err
	case done > 0:
		r.tell("run %s is taken up again: %d of %d parts were done earlier", r.name, done, len(r.parts))
	}
	r.crew, err = start(r.workers, r.procs, orders{URL: url, Run: r.name}, teller{r})
	if r.crew != nil {
		defer r.crew.dismiss()
	}
	if err != nil {
		return nil, err
	}
	if err := r.collect(ctx); err != nil {
		return nil, err
	}
	pieces := make([]census.Piece, len(r.parts))
	for key, f := range r.found {
		pieces[key] = *f.Piece
	}
	return census.Join(r.parts, pieces), r.queue.delete(ctx)
}

// collect reads the totals until all are there, and no part is in anybody's hands: a part that was
// counted and not acknowledged comes once more, and that is waited for, so that it is counted.
func (r *run) collect(ctx context.Context) error {
	// An ordered consumer notices gaps, and goes on from where it was when the server comes back.
	ordered, err := r.queue.js.OrderedConsumer(ctx, totalsOf(r.name), jetstream.OrderedConsumerConfig{})
	if err != nil {
		return err
	}
	messages, stop := make(chan jetstream.Msg), make(chan struct{})
	reading, err := ordered.Consume(func(msg jetstream.Msg) {
		select {
		case messages <- msg:
		case <-stop:
		}
	})
	if err != nil {
		return err
	}
	defer reading.Stop()
	defer close(stop)
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	workers := len(r.crew.all)
	for {
		select {
		case msg := <-messages:
			if err := r.read(msg); err != nil {
				return err
			}
		case m := <-r.crew.gone:
			workers--
			r.ended[m.name] = m.ended
			r.tell("worker %s, process %d: %s", m.name, m.pid, m.ended)
		case <-look.C:
			queued, known, err := r.queue.left(ctx, r.seen)
			switch {
			case err != nil:
				return err
			case known && queued == 0:
				return r.complete()
			case known && workers == 0 && r.done < len(r.parts):
				return fmt.Errorf("no worker is left of %d, and %d of %d parts are not done", len(r.crew.all), len(r.parts)-r.done, len(r.parts))
			case known && workers == 0:
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// complete returns an error if a total is missing though its part was acknowledged. It is there
// first, so then the server has lost it.
func (r *run) complete() error {
	for key, f := range r.found {
		if f == nil {
			return fmt.Errorf("the server has lost what was found in %s", r.where(key))
		}
	}
	return nil
}

// read takes a message of the stream of totals.
func (r *run) read(msg jetstream.Msg) error {
	m, err := r.queue.read(msg)
	if err != nil {
		return fmt.Errorf("%s: %w", msg.Subject(), err)
	}
	r.seen = m.sequence
	earlier := m.sequence < r.queue.begun
	if m.kind != "plan" && m.key >= len(r.parts) {
		return fmt.Errorf("%s: there are %d parts", msg.Subject(), len(r.parts))
	}
	worker := m.result.Worker
	if earlier {
		worker = earlierRun
	}
	switch m.kind {
	case "total":
		m.result.Worker = worker
		r.found[m.key] = &m.result
		r.done++
		r.line.Done.Add(int64(r.parts[m.key].Files))
	case "again":
		r.again[worker]++
	case "failed":
		if !earlier {
			return errors.New(m.reason)
		}
	case "advisory":
		if m.key >= 0 {
			return fmt.Errorf("%s: %d workers were given it, and all fell silent", r.where(m.key), maxDeliveries)
		}
	}
	return nil
}

// where names a part for people.
func (r *run) where(key int) string {
	p := r.parts[key]
	name := filepath.Join(r.dir, p.Dir, p.From)
	if p.Names > 1 {
		name += " to " + p.To
	}
	return name
}

// tell prints a line beside the progress.
func (r *run) tell(format string, args ...any) {
	_ = r.line.Print(r.stderr, cli.Printable(fmt.Sprintf("cluster: "+format, args...))+"\n")
}

// A teller is where the workers of this process print.
type teller struct{ *run }

func (t teller) Write(p []byte) (int, error) { return len(p), t.line.Print(t.stderr, string(p)) }

// checkDir returns an error if dir is no directory that can be read.
func checkDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", dir)
	}
	return err
}
