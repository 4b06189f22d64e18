package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/cli"
)

// Tests stop a process at a point of its work, with the place of a key in the plan.
var at = func(point string, n int) {}

// runPoll is how often a worker that joins looks for its run.
const runPoll = time.Second

// heartbeat is how often the server says to a worker that waits for a key, and to the parent that waits for results,
// that it has their request. After two that are missing the request is made again.
const heartbeat = 2 * time.Second

// A worker takes keys from the queue of a run, one after the other.
type worker struct {
	job     *Job
	js      jetstream.JetStream
	run     string
	name    string
	process int // how many this worker had before this one
	pool    *pool.Pool
	totals  jetstream.Stream
	limits  jetstream.ConsumerConfig
	stderr  io.Writer
	said    string // the last line

	unconfirmed int // how many results there were in a row that the server has not confirmed
}

// unconfirmedLimit is how many of them are no accident.
const unconfirmedLimit = 3

// A task is a key that a worker was given.
type task struct {
	jetstream.Msg
	n          int // the place of the key in the plan
	deliveries int
	last       bool // if it fails now, nobody is given it any more
}

// await waits until the run is there.
func (w *worker) await(ctx context.Context) error {
	for first := true; ; first = false {
		_, err := w.js.Consumer(ctx, partsOf(w.run), consumerName)
		if err == nil || !errors.Is(err, jetstream.ErrStreamNotFound) && !errors.Is(err, jetstream.ErrConsumerNotFound) && !silent(err) {
			return err
		}
		if first {
			w.say("run %s is not there yet", w.run)
			at("waiting", 0)
		}
		select {
		case <-time.After(runPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// work takes keys until ctx ends, or the run does: then it returns nil.
func (w *worker) work(ctx context.Context) (err error) {
	if w.pool, err = pool.New(w.job.Pool...); err != nil {
		return err
	}
	defer w.pool.Close()
	if w.totals, err = w.js.Stream(ctx, totalsOf(w.run)); err != nil {
		return fmt.Errorf("run %s: %w", w.run, err)
	}
	consumer, err := w.js.Consumer(ctx, partsOf(w.run), consumerName)
	if err != nil {
		return fmt.Errorf("run %s: %w", w.run, err)
	}
	w.limits = consumer.CachedInfo().Config
	// One key at a time: of one that waits here, the time would run.
	keys, err := consumer.Messages(jetstream.PullMaxMessages(1), jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return err
	}
	defer keys.Stop()
	for {
		// A request is lost if the consumer has no leader just then. Only a call of Next that lasts for two heartbeats
		// notices that, so it has no shorter timeout; the next call makes a new request.
		msg, err := keys.Next(jetstream.NextContext(ctx))
		switch {
		case ctx.Err() != nil, errors.Is(err, jetstream.ErrConsumerDeleted):
			return nil
		case errors.Is(err, jetstream.ErrNoHeartbeat):
			// If the run ended while this worker did not wait here, nobody else says so.
			if _, err := consumer.Info(ctx); errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
				return nil
			}
			continue
		case err != nil:
			return err
		}
		// What has no answer from the server comes again, to this worker or another. So there is no
		// other way to go on than with the next key.
		err = w.deliver(ctx, msg)
		switch {
		case err == nil, ctx.Err() != nil:
		case noRoom(err):
			w.full("is full: " + err.Error())
		case silent(err): // If a connection is lost, that is said once.
			if w.unconfirmed >= unconfirmedLimit && answering(ctx, w.totals) {
				w.full(fmt.Sprintf("is full, or too slow: %d results in a row were not confirmed, though the server answers", w.unconfirmed))
			}
		default:
			w.say("%v; the key will be delivered again", err)
		}
	}
}

// full says that the store is full: to the parent, which ends the run, or if there is none, to people.
func (w *worker) full(why string) {
	if _, err := w.js.Conn().Request(subject(w.run, "full"), []byte(why), time.Second); err != nil {
		w.say("the store of the NATS server %s", why)
	}
}

// answering reports whether the server does. What it cannot store, since the disk is full, it neither
// confirms nor refuses.
func answering(ctx context.Context, s jetstream.Stream) bool {
	_, err := s.Info(ctx)
	return err == nil
}

// say prints a line, unless it was the last one.
func (w *worker) say(format string, args ...any) {
	line := fmt.Sprintf("worker %s: %s\n", w.name, cli.Printable(fmt.Sprintf(format, args...)))
	if line != w.said {
		fmt.Fprint(w.stderr, line)
	}
	w.said = line
}

// silent reports whether the server has not answered.
func silent(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoStreamResponse) ||
		errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrDisconnected)
}

// deliver does the key in a message, publishes the result, and then acknowledges the message, in
// this order. So if this process dies on the way, another one does it again, or finds the result.
func (w *worker) deliver(ctx context.Context, msg jetstream.Msg) error {
	meta, err := msg.Metadata()
	if err != nil {
		return err
	}
	t := task{Msg: msg, deliveries: int(meta.NumDelivered), last: meta.NumDelivered >= uint64(w.limits.MaxDeliver)}
	if t.n, err = strconv.Atoi(msg.Subject()[strings.LastIndex(msg.Subject(), ".")+1:]); err != nil {
		return err
	}
	at("taken", t.n)
	if t.deliveries > 1 {
		switch _, err := w.totals.GetLastMsgForSubject(ctx, subject(w.run, "total", t.n)); {
		case err == nil:
			return w.again(ctx, t)
		case !errors.Is(err, jetstream.ErrMsgNotFound):
			return err
		}
	}
	result, err := w.do(ctx, t)
	if ctx.Err() != nil {
		return msg.Nak()
	}
	if err != nil && (result == nil || !t.last) {
		return w.giveBack(ctx, t, err)
	}
	at("counted", t.n)
	w.unconfirmed++
	err = w.publish(ctx, t, subject(w.run, "total", t.n), result, jetstream.WithExpectLastSequencePerSubject(0)) // as KeyValue.Create
	if !silent(err) {
		w.unconfirmed = 0
	}
	switch {
	case existed(err):
		return w.again(ctx, t)
	case errors.Is(err, nats.ErrMaxPayload): // No other worker could, either.
		t.last = true
		return w.giveBack(ctx, t, fmt.Errorf("a result of %d bytes: %w", len(result), err))
	case err != nil:
		return fmt.Errorf("publishing the result: %w", err)
	}
	at("published", t.n)
	if err := msg.DoubleAck(ctx); err != nil {
		return fmt.Errorf("acknowledging: %w", err)
	}
	at("acknowledged", t.n)
	return nil
}

// do does the key. Meanwhile it tells the server that it is at work.
func (w *worker) do(ctx context.Context, t task) ([]byte, error) {
	doing, done := context.WithCancel(ctx)
	told := make(chan struct{})
	go func() {
		defer close(told)
		tick := time.NewTicker(w.limits.AckWait / 4)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = t.InProgress() // If it is lost, there are three more.
			case <-doing.Done():
				return
			}
		}
	}()
	defer func() { done(); <-told }()
	return w.job.Do(ctx, w.pool, t.Data())
}

// publish puts what this worker says of a key into the stream of totals.
func (w *worker) publish(ctx context.Context, t task, subject string, data []byte, opts ...jetstream.PublishOpt) error {
	_, err := w.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data, Header: nats.Header{
		workerHeader: {w.name}, processHeader: {strconv.Itoa(w.process)}, deliveriesHeader: {strconv.Itoa(t.deliveries)},
	}}, opts...)
	return err
}

// giveBack lets the server deliver the key again, for another worker may do better: it may see more
// files. Or it says for good why it could not be done.
func (w *worker) giveBack(ctx context.Context, t task, why error) error {
	why = fmt.Errorf("%s: %w", w.job.label(t.Data()), why)
	if !t.last {
		w.say("%v; another worker may do better", why)
		return t.NakWithDelay(nakDelay)
	}
	if err := w.publish(ctx, t, subject(w.run, "failed", t.n), []byte(why.Error())); err != nil {
		return err
	}
	return t.TermWithReason(strings.ReplaceAll(why.Error(), "\n", " "))
}

// again says that the result was there already, by another worker, or by this one, before it was cut
// off from the server.
func (w *worker) again(ctx context.Context, t task) error {
	if err := w.publish(ctx, t, subject(w.run, "again", t.n, t.deliveries), nil); err != nil {
		return err
	}
	return t.DoubleAck(ctx)
}
