package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/rouse-go/rouse/tools/cli"
)

// A run is the process that folds: it plans, fills the queue, starts workers, and reads their results.
type run struct {
	job            *Job
	plan           *Plan
	name           string
	site           site
	store, metrics string
	workers, procs int
	restarts       int
	replicas       int
	fresh          bool
	stdout, stderr io.Writer

	began   time.Time
	home    *home     // the server in this process; nil if it is another
	results []*report // of each key; nil if it is not there
	counts  counts
	seen    uint64         // up to which message the stream of totals was read
	again   map[string]int // duplicates, by worker
	queue   *queue
	crew    *crew
	line    *cli.Progress
	traffic string
}

// do runs it all. On each way out, the workers and the server have ended when it returns.
func (r *run) do(ctx context.Context) (err error) {
	r.began = time.Now()
	r.results, r.again = make([]*report, len(r.plan.Keys)), map[string]int{}
	r.counts.keys.Store(int64(len(r.plan.Keys)))
	if r.metrics != "" {
		addr, stop, err := r.counts.serve(r.metrics)
		if err != nil {
			return err
		}
		defer stop()
		fmt.Fprintf(r.stderr, "%s: counts at http://%s/metrics\n", r.job.Name, addr)
	}
	external := r.site.URL != ""
	if !external {
		if r.home, err = embed(r.store); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.home.stop()) }()
		r.site = site{URL: r.home.url}
	}
	r.line = cli.Show(r.stderr)
	r.line.Begin(r.job.Name, len(r.plan.Keys))
	err = r.fold(ctx)
	r.line.Stop()
	switch {
	case err == nil:
		return r.report()
	case r.queue != nil && (external || r.store != ""):
		fmt.Fprintf(r.stderr, "%s: %d of %d keys are done, and kept: the same command continues from there\n",
			r.job.Name, r.counts.done.Load(), len(r.plan.Keys))
	}
	if noRoom(err) || errors.Is(err, errSwitchedOff) {
		err = r.full("is full: " + err.Error())
	}
	return err
}

// full is an error of the store, which names it.
func (r *run) full(why string) error {
	if r.home != nil {
		return fmt.Errorf("the store in %s %s", r.home.dir, why)
	}
	return fmt.Errorf("the store of the NATS server at %s %s", &r.site, why)
}

// fold does all that needs the server.
func (r *run) fold(ctx context.Context) error {
	const waiting = "waiting for the NATS server"
	js, err := r.site.connect(ctx, r.job.Name+" "+r.name, func(lost error) {
		if lost != nil {
			r.line.Say(waiting)
			r.tell("%s: %v", waiting, lost)
			return
		}
		r.line.Say(r.job.Name)
		r.tell("the NATS server is there again")
	})
	if err != nil {
		return err
	}
	defer js.Conn().Close()
	if r.queue, err = open(ctx, js, r.name, planOf(r.plan), r.replicas, r.fresh); err != nil {
		r.queue = nil
		return err
	}
	switch done, err := r.queue.fill(ctx, r.plan.Keys); {
	case err != nil:
		r.counts.done.Store(int64(done))
		return err
	case done > 0:
		r.tell("run %s is continued: %d of %d keys were done earlier", r.name, done, len(r.plan.Keys))
	}
	r.crew, err = start(r.workers, r.procs, r.restarts, orders{Site: r.site, Run: r.name}, teller{r})
	if r.crew != nil {
		defer r.crew.dismiss()
	}
	if err != nil {
		return err
	}
	if err := r.collect(ctx); err != nil {
		return err
	}
	r.traffic = r.home.traffic(len(r.plan.Keys))
	results := make([][]byte, len(r.results))
	for n, result := range r.results {
		results[n] = result.data
	}
	r.line.Say(r.job.Name + " is folded")
	if err := r.plan.Fold(results, r.stdout); err != nil {
		return err
	}
	return r.queue.delete(ctx)
}

// collect reads the results until all are there, and no key is in anybody's hands: a key that was
// done and not acknowledged comes once more, and that is waited for, so that it is counted.
func (r *run) collect(ctx context.Context) error {
	// An ordered consumer notices gaps, and goes on from where it was when the server comes back, as a new consumer.
	// Each attempt to make it has another name: under one that was given to a server that has just gone, all would fail.
	ordered, err := r.queue.js.OrderedConsumer(ctx, totalsOf(r.name), jetstream.OrderedConsumerConfig{MaxResetAttempts: 1})
	if err != nil {
		return err
	}
	messages, stop := make(chan jetstream.Msg), make(chan struct{})
	reading, err := ordered.Consume(func(msg jetstream.Msg) {
		select {
		case messages <- msg:
		case <-stop:
		}
	}, jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return err
	}
	defer reading.Stop()
	defer close(stop)
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case msg := <-messages:
			if err := r.read(msg); err != nil {
				return err
			}
		case gone := <-r.crew.gone:
			r.crew.left(gone)
			r.tell("worker %s: %s", gone.name, gone.how)
		case why := <-r.queue.full:
			return r.full(why)
		case <-look.C:
			if ended, err := r.look(ctx); ended || err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		r.counts.workers.Store(int64(r.crew.alive))
	}
}

// look asks the server how far the run is, and reports whether it has ended. It starts workers again.
func (r *run) look(ctx context.Context) (ended bool, err error) {
	queued, known, err := r.queue.left(ctx, r.seen)
	missing := int64(len(r.results)) - r.counts.done.Load()
	switch {
	case err != nil:
		return false, err
	case known && queued == 0:
		return true, r.complete()
	case !r.queue.js.Conn().IsConnected():
		return false, nil // A worker would end at once.
	case r.home.off():
		return false, errSwitchedOff
	}
	if !r.queue.silent.IsZero() && time.Since(r.queue.silent) > silenceWait {
		r.queue.silent = time.Now().Add(time.Minute)
		r.tell("JetStream does not answer: it may have no leader, or be switched off because it cannot write; the server's log says why")
	}
	if err := r.crew.revive(); err != nil {
		return false, err
	}
	r.counts.restarts.Store(r.crew.restarts())
	if !known || r.crew.alive > 0 || len(r.crew.all) == 0 {
		return false, nil
	}
	if missing > 0 {
		return false, fmt.Errorf("no worker is left of %d, and %d of %d keys are not done: each has ended %s in a row without a result",
			len(r.crew.all), missing, len(r.results), count(r.restarts+1, "time"))
	}
	return true, nil
}

// complete returns an error if a result is missing though its key was acknowledged. It is there
// first, so then the server has lost it.
func (r *run) complete() error {
	for n, result := range r.results {
		if result == nil {
			return fmt.Errorf("the server has lost the result of %s", r.label(n))
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
	if m.kind != "plan" && m.key >= len(r.results) {
		return fmt.Errorf("%s: there are %d keys", msg.Subject(), len(r.results))
	}
	if earlier {
		m.worker = earlierRun
	}
	switch m.kind {
	case "total":
		r.results[m.key] = &m
		r.counts.done.Add(1)
		r.line.Done.Add(1)
		if m.deliveries > 1 {
			r.counts.redelivered.Add(1)
		}
		r.crew.worked(m.worker, m.process)
		at("read", int(r.counts.done.Load()))
	case "again":
		r.again[m.worker]++
		r.counts.duplicates.Add(1)
	case "failed":
		if !earlier {
			return fmt.Errorf("worker %s: %s", m.worker, m.data)
		}
	case "advisory":
		if m.key >= 0 {
			return fmt.Errorf("%s: %d workers were given it, and all fell silent", r.label(m.key), maxDeliveries)
		}
	}
	return nil
}

func (r *run) label(n int) string { return r.job.label(r.plan.Keys[n]) }

// tell prints a line beside the progress.
func (r *run) tell(format string, args ...any) {
	_ = r.line.Print(r.stderr, cli.Printable(fmt.Sprintf(r.job.Name+": "+format, args...))+"\n")
}

// A teller is where the workers of this process print.
type teller struct{ *run }

func (t teller) Write(p []byte) (int, error) { return len(p), t.line.Print(t.stderr, string(p)) }
