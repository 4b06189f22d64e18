package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// What a run has on the server, each with the name of the run in it:
//
//	stream  rouse-NAME-parts   a work queue: a key leaves it when its worker acknowledges it
//	stream  rouse-NAME-totals  the plan, and the results
//	subject rouse.NAME.owner   the parent answers there, as long as it lives
//	subject rouse.NAME.full    workers say there that the store is full: then no stream takes it
//
// The second stream has these subjects, where N is the place of a key in the plan:
//
//	rouse.NAME.plan              what the run is of, and which keys it has
//	rouse.NAME.total.N           the result; never more than one message
//	rouse.NAME.failed.N          why a key was given up
//	rouse.NAME.again.N.TIMES     that a key was delivered whose result was there already
//	$JS.EVENT.ADVISORY…          that the server gives a key up, since its workers fell silent
const consumerName = "workers"

// A result, and what is said of one, has its worker in the head of the message, which of its processes it was, and how
// often the key was delivered until then.
const (
	workerHeader     = "Rouse-Worker"
	processHeader    = "Rouse-Process"
	deliveriesHeader = "Rouse-Deliveries"
)

// ackWait is after how long without a sign of its worker a key goes to another, a flag. The others say
// how often, how long after a worker has given it back, and how long a server may be silent until that is
// said. Tests have less patience.
var (
	ackWait       = 2 * time.Second
	maxDeliveries = 5
	nakDelay      = time.Second
	silenceWait   = 10 * time.Second
)

// A plan says what a run is about. The keys are in the digest.
type plan struct {
	Of     string `json:"of"`
	Keys   int    `json:"keys"`
	Digest string `json:"digest"`
}

func planOf(p *Plan) plan {
	sum := sha256.New()
	for _, key := range p.Keys {
		sum.Write(binary.AppendUvarint(nil, uint64(len(key))))
		sum.Write(key)
	}
	return plan{p.Of, len(p.Keys), hex.EncodeToString(sum.Sum(nil))}
}

// nameOf names a run of a program after what it is of, with letters that a subject may have.
func nameOf(program, of string) string {
	sum := sha256.Sum256([]byte(of))
	return program[:min(len(program), 40)] + "-" + hex.EncodeToString(sum[:4])
}

func partsOf(run string) string  { return "rouse-" + run + "-parts" }
func totalsOf(run string) string { return "rouse-" + run + "-totals" }

// subject joins the words of a subject of the run.
func subject(run string, words ...any) string {
	return "rouse." + run + "." + strings.Join(strings.Fields(fmt.Sprintln(words...)), ".")
}

func advisoryOf(run string) string {
	return "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + partsOf(run) + "." + consumerName
}

// A queue is a run on the server, as its owner sees it.
type queue struct {
	js            jetstream.JetStream
	run           string
	parts, totals jetstream.Stream
	keys          map[uint64]int // places in the plan, by sequence numbers in the stream of parts
	begun         uint64         // the sequence number of the plan, in the stream of totals
	full          chan string    // has why a worker could not store a result
	silent        time.Time      // since when there is a server, and it does not answer; or zero
}

// open makes the run, or continues it if its owner has ended without ending it.
func open(ctx context.Context, js jetstream.JetStream, run string, p plan, replicas int, fresh bool) (*queue, error) {
	q := &queue{js: js, run: run, keys: map[uint64]int{}, full: make(chan string, 1)}
	asking, asked := context.WithTimeout(ctx, 5*time.Second)
	defer asked()
	owner, err := js.Conn().RequestWithContext(asking, subject(run, "owner"), nil)
	switch {
	case err == nil:
		return nil, fmt.Errorf("%s is at run %s: wait for its end, or name this one otherwise, with --run", owner.Data, run)
	case !errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("asking for the owner of run %s: %w", run, err)
	case fresh:
		if err := q.delete(ctx); err != nil {
			return nil, err
		}
	}
	q.totals, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: totalsOf(run), Storage: jetstream.FileStorage, Replicas: replicas,
		Subjects: []string{
			subject(run, "plan"), subject(run, "total.*"), subject(run, "failed.*"), subject(run, "again.*.*"), advisoryOf(run),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("the streams of run %s: %w", run, err)
	}
	if err := q.own(ctx, p); err != nil {
		return nil, err
	}
	q.parts, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: partsOf(run), Storage: jetstream.FileStorage, Replicas: replicas, Retention: jetstream.WorkQueuePolicy,
		Subjects: []string{subject(run, "part.*")},
	})
	if err != nil {
		return nil, fmt.Errorf("the streams of run %s: %w", run, err)
	}
	_, err = js.CreateOrUpdateConsumer(ctx, partsOf(run), jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: maxDeliveries,
	})
	if err != nil {
		return nil, fmt.Errorf("the streams of run %s: %w", run, err)
	}
	return q, nil
}

// own says that this process is the owner, unless another one says so at the same time.
func (q *queue) own(ctx context.Context, p plan) error {
	var last uint64
	switch msg, err := q.totals.GetLastMsgForSubject(ctx, subject(q.run, "plan")); {
	case err == nil:
		var old plan
		last = msg.Sequence
		if err := json.Unmarshal(msg.Data, &old); err != nil {
			return fmt.Errorf("the plan of run %s: %w", q.run, err)
		}
		if old.Of != p.Of {
			return fmt.Errorf("run %s is of %s, and was not ended: name this one otherwise, with --run, or forget that one, with --fresh", q.run, old.Of)
		}
		if old != p {
			return fmt.Errorf("%s has other keys since run %s began, which was not ended: forget its results, with --fresh", p.Of, q.run)
		}
	case !errors.Is(err, jetstream.ErrMsgNotFound):
		return err
	}
	host, _ := os.Hostname()
	me := fmt.Sprintf("process %d on %s", os.Getpid(), host)
	if _, err := q.js.Conn().Subscribe(subject(q.run, "owner"), func(m *nats.Msg) { _ = m.Respond([]byte(me)) }); err != nil {
		return err
	}
	if _, err := q.js.Conn().Subscribe(subject(q.run, "full"), func(m *nats.Msg) {
		select {
		case q.full <- string(m.Data):
		default: // One is enough.
		}
		_ = m.Respond(nil)
	}); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	ack, err := q.js.Publish(ctx, subject(q.run, "plan"), data, jetstream.WithExpectLastSequencePerSubject(last))
	switch {
	case existed(err):
		return fmt.Errorf("another process has just begun run %s: wait for its end, or name this one otherwise, with --run", q.run)
	case err != nil:
		return err
	}
	q.begun = ack.Sequence
	return nil
}

// existed reports whether a message was refused because its subject has one already.
func existed(err error) bool {
	return errors.Is(err, jetstream.ErrKeyExists)
}

// fill puts the keys into the queue whose results are not there, and returns how many are. The
// queue is emptied before, for a key that was delivered too often would never be delivered again.
func (q *queue) fill(ctx context.Context, keys [][]byte) (done int, err error) {
	if err := q.parts.Purge(ctx); err != nil {
		return 0, err
	}
	info, err := q.totals.Info(ctx, jetstream.WithSubjectFilter(subject(q.run, "total.*")))
	if err != nil {
		return 0, err
	}
	for n, key := range keys {
		if info.State.Subjects[subject(q.run, "total", n)] > 0 {
			done++
			continue
		}
		at("queuing", n)
		ack, err := q.put(ctx, n, key)
		if err != nil {
			return done, fmt.Errorf("queuing key %d of %d: %w", n+1, len(keys), err)
		}
		q.keys[ack.Sequence] = n
	}
	return done, nil
}

// put puts key n into the queue. The server drops what it has already: it knows the ID, which no earlier owner has
// used.
func (q *queue) put(ctx context.Context, n int, key []byte) (ack *jetstream.PubAck, err error) {
	id := jetstream.WithMsgID(fmt.Sprint(q.begun, ".", n))
	err = insist(ctx, func(ctx context.Context) error {
		ack, err = q.js.Publish(ctx, subject(q.run, "part", n), key, id)
		return err
	})
	return ack, err
}

// insist asks the server again, once a second, while there is no answer, for half a minute at most: a message is
// lost if the connection is when it is on the way, or the answer is lost, or the cluster has no leader.
func insist(ctx context.Context, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		asking, asked := context.WithTimeout(ctx, time.Second)
		err := ask(asking)
		if silent(err) {
			<-asking.Done()
		}
		asked()
		if !silent(err) || ctx.Err() != nil {
			return err
		}
	}
}

// delete takes the run from the server.
func (q *queue) delete(ctx context.Context) error {
	for _, stream := range []string{partsOf(q.run), totalsOf(q.run)} {
		err := insist(ctx, func(ctx context.Context) error { return q.js.DeleteStream(ctx, stream) })
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

// left returns how many keys are queued or in anybody's hands. It returns false if the server does
// not answer, or if the owner has read the stream of totals up to seen, and that is not all: a
// result is there before its key is acknowledged.
func (q *queue) left(ctx context.Context, seen uint64) (n uint64, known bool, err error) {
	if !q.js.Conn().IsConnected() {
		q.silent = time.Time{}
		return 0, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	parts, err := q.parts.Info(ctx)
	if err == nil {
		var totals *jetstream.StreamInfo
		if totals, err = q.totals.Info(ctx); err == nil {
			q.silent = time.Time{}
			return parts.State.Msgs, totals.State.LastSeq <= seen, nil
		}
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, false, fmt.Errorf("run %s is no longer on the server", q.run)
	}
	if q.silent.IsZero() {
		q.silent = time.Now()
	}
	return 0, false, nil // There is a next look.
}

// A report is one message of the stream of totals, read.
type report struct {
	kind       string // the word of the subject, or advisory
	key        int    // its place in the plan; -1 if it is not known
	sequence   uint64
	worker     string
	process    int // of the worker; 0 if the message does not say it
	deliveries int
	data       []byte // the result, or why there is none
}

// read reads a message of the stream of totals.
func (q *queue) read(msg jetstream.Msg) (r report, err error) {
	meta, err := msg.Metadata()
	if err != nil {
		return r, err
	}
	r.sequence, r.data = meta.Sequence.Stream, msg.Data()
	if msg.Subject() == advisoryOf(q.run) {
		var advisory struct {
			Sequence uint64 `json:"stream_seq"`
		}
		err := json.Unmarshal(r.data, &advisory)
		key, ok := q.keys[advisory.Sequence]
		if r.kind, r.key = "advisory", key; !ok {
			r.key = -1
		}
		return r, err
	}
	words := strings.Split(msg.Subject(), ".")[2:]
	if r.kind = words[0]; r.kind == "plan" {
		return r, nil
	}
	if r.key, err = strconv.Atoi(words[1]); err != nil {
		return r, err
	}
	r.worker = msg.Headers().Get(workerHeader)
	r.process, _ = strconv.Atoi(msg.Headers().Get(processHeader))
	r.deliveries, err = strconv.Atoi(msg.Headers().Get(deliveriesHeader))
	return r, err
}
