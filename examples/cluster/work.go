package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
)

// Tests stop a process at a point of its work, with the key of a part, and have workers see a tree
// with less than there is.
var (
	at     = func(point string, key int) {}
	openFS = os.DirFS
)

// A worker takes parts from the queue of a run, one after the other.
type worker struct {
	js     jetstream.JetStream
	run    string
	name   string
	pool   *pool.Pool
	totals jetstream.Stream
	limits jetstream.ConsumerConfig
	stderr io.Writer
}

// work takes parts until ctx ends, or the run does: then it returns nil.
func (w *worker) work(ctx context.Context) (err error) {
	// A file is work for a tenth of a millisecond and more, see [census.Pool].
	if w.pool, err = pool.New(pool.WithEagerPublish()); err != nil {
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
	// One part at a time: of one that waits here, the time would run.
	parts, err := consumer.Messages(jetstream.PullMaxMessages(1), jetstream.WithMessagesErrOnMissingHeartbeat(false))
	if err != nil {
		return err
	}
	defer parts.Stop()
	for {
		msg, err := parts.Next(jetstream.NextContext(ctx))
		switch {
		case ctx.Err() != nil, errors.Is(err, jetstream.ErrConsumerDeleted):
			return nil
		case err != nil:
			return err
		}
		// What has no answer from the server comes again, to this worker or another. So there is no
		// other way to go on than with the next part.
		if err := w.deliver(ctx, msg); err != nil && ctx.Err() == nil {
			fmt.Fprintf(w.stderr, "worker %s: %v; the part will be delivered again\n", w.name, err)
		}
	}
}

// deliver takes the census of the part in a message, publishes the total, and then acknowledges
// the message, in this order. So if this process dies on the way, another one does it again, or
// finds the total.
func (w *worker) deliver(ctx context.Context, msg jetstream.Msg) error {
	meta, err := msg.Metadata()
	if err != nil {
		return err
	}
	var t task
	if err := decode(msg.Data(), &t); err != nil {
		return err
	}
	at("taken", t.Key)
	total := subject(w.run, "total", t.Key)
	if meta.NumDelivered > 1 {
		switch _, err := w.totals.GetLastMsgForSubject(ctx, total); {
		case err == nil:
			return w.again(ctx, msg, t.Key, meta.NumDelivered)
		case !errors.Is(err, jetstream.ErrMsgNotFound):
			return err
		}
	}
	piece, err := w.take(ctx, msg, t)
	if ctx.Err() != nil {
		return msg.Nak()
	}
	last := meta.NumDelivered >= uint64(w.limits.MaxDeliver)
	if why := unreadable(t, piece, err, last); why != nil {
		return w.giveBack(ctx, msg, t, why, last)
	}
	at("counted", t.Key)
	data := encode(result{w.name, meta.NumDelivered, piece})
	_, err = w.js.Publish(ctx, total, data, jetstream.WithExpectLastSequencePerSubject(0)) // as KeyValue.Create
	switch {
	case existed(err):
		return w.again(ctx, msg, t.Key, meta.NumDelivered)
	case errors.Is(err, nats.ErrMaxPayload): // No other worker could, either.
		return w.giveBack(ctx, msg, t, fmt.Errorf("%s: what was found: %w", t.Part.Dir, err), true)
	case err != nil:
		return fmt.Errorf("publishing the total: %w", err)
	}
	at("published", t.Key)
	if err := msg.DoubleAck(ctx); err != nil {
		return fmt.Errorf("acknowledging: %w", err)
	}
	at("acknowledged", t.Key)
	return nil
}

// take takes the census. Meanwhile it tells the server that it is at work.
func (w *worker) take(ctx context.Context, msg jetstream.Msg, t task) (*census.Piece, error) {
	taking, taken := context.WithCancel(ctx)
	told := make(chan struct{})
	go func() {
		defer close(told)
		tick := time.NewTicker(w.limits.AckWait / 4)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = msg.InProgress() // If it is lost, there are three more.
			case <-taking.Done():
				return
			}
		}
	}()
	defer func() { taken(); <-told }()
	return t.Part.Take(ctx, w.pool, openFS(t.Root))
}

// unreadable says why a part is to be given back, or nil. Another worker may read what this one
// cannot: the tree may be mounted there. What none could read is the end of the run, if it is
// a directory. A file is then listed as unreadable, as by every other census.
func unreadable(t task, piece *census.Piece, err error, last bool) error {
	if err != nil {
		return err
	}
	dirs, files := piece.Unreadable(t.Part.Dir)
	if !last {
		dirs = append(dirs, files...)
	}
	if len(dirs) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", dirs[0].Path, dirs[0].Error)
}

// giveBack lets the server deliver the part again, or says for good why it could not be read.
func (w *worker) giveBack(ctx context.Context, msg jetstream.Msg, t task, why error, last bool) error {
	why = fmt.Errorf("in %s: %w", t.Root, why)
	if !last {
		return errors.Join(why, msg.NakWithDelay(nakDelay))
	}
	text := []byte("worker " + w.name + ": " + why.Error())
	if _, err := w.js.Publish(ctx, subject(w.run, "failed", t.Key), text); err != nil {
		return err
	}
	return msg.TermWithReason(strings.ReplaceAll(why.Error(), "\n", " "))
}

// again says that the total was there already, which another worker has found, or this one, before it
// was cut off from the server.
func (w *worker) again(ctx context.Context, msg jetstream.Msg, key int, deliveries uint64) error {
	where := subject(w.run, "again", key, deliveries)
	if _, err := w.js.Publish(ctx, where, encode(result{Worker: w.name, Deliveries: deliveries})); err != nil {
		return err
	}
	return msg.DoubleAck(ctx)
}
