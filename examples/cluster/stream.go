package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rouse-go/rouse/tools/census"
)

// What a run has on the server, each with the name of the run in it:
//
//	stream  rouse-NAME-parts   a work queue: a part leaves it when its taker acknowledges it
//	stream  rouse-NAME-totals  the plan, and what was found
//	subject rouse.NAME.owner   the process that folds answers there, as long as it lives
//
// The second stream has these subjects, where KEY is the number of a part:
//
//	rouse.NAME.plan              which tree it is, and how it is divided
//	rouse.NAME.total.KEY         what was found of a part; never more than one message
//	rouse.NAME.failed.KEY        why a part was given up
//	rouse.NAME.again.KEY.TIMES   that a part was delivered whose total was there already
//	$JS.EVENT.ADVISORY…          that the server gives a part up, since its takers fell silent
const consumerName = "workers"

// ackWait is after how long without a sign of its taker a part goes to another. The others say
// how often, and how long after a taker has given it back. Tests have less patience.
var (
	ackWait       = 2 * time.Second
	maxDeliveries = 5
	nakDelay      = time.Second
)

// A task is what is in the queue: a part of the tree at Root.
type task struct {
	Root string
	Key  int
	Part census.Part
}

// A result is what a worker has found of a part.
type result struct {
	Worker     string
	Deliveries uint64 // how often the part was delivered until then
	Piece      *census.Piece
}

// A plan says what a run is about. The tree's parts are in the digest.
type plan struct {
	Root   string `json:"root"`
	Parts  int    `json:"parts"`
	Digest string `json:"digest"`
}

func planOf(root string, parts []census.Part) plan {
	sum := sha256.Sum256(encode(parts))
	return plan{root, len(parts), hex.EncodeToString(sum[:])}
}

// nameOf names a run after its directory, with letters that a subject may have.
func nameOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	base := strings.Map(func(r rune) rune {
		if checkName(string(r)) != nil {
			return '-'
		}
		return r
	}, filepath.Base(dir))
	return base[:min(len(base), 40)] + "-" + hex.EncodeToString(sum[:4])
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

// encode is gob and not JSON, which has no names that are not UTF-8.
func encode(v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(err) // These types can be encoded.
	}
	return b.Bytes()
}

func decode(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }

// connectWait is how long a server and a client may take to know each other: two seconds, as is
// usual, are short where processes start side by side on a busy machine.
const connectWait = 10 * time.Second

// connect connects to a NATS server that has JetStream. A connection that is lost later is made
// again by the library, however long that takes.
func connect(ctx context.Context, url, name string, opts ...nats.Option) (jetstream.JetStream, error) {
	nc, err := nats.Connect(url, append([]nats.Option{
		nats.Name(name), nats.Timeout(connectWait), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // Each caller has its error.
	}, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("no NATS server at %s: %w", redacted(url), err)
	}
	js, err := jetstream.New(nc)
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		err = fmt.Errorf("the NATS server at %s has no JetStream: start it with --jetstream", redacted(url))
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	return js, nil
}

// redacted is the URL without a password.
func redacted(s string) string {
	if i := strings.LastIndex(s, "@"); i >= 0 {
		return s[i+1:]
	}
	return s
}

// A queue is a run on the server, as its owner sees it.
type queue struct {
	js            jetstream.JetStream
	run           string
	parts, totals jetstream.Stream
	keys          map[uint64]int // of the parts, by their sequence numbers in the stream
	begun         uint64         // the sequence number of the plan, in the stream of totals
}

// open makes the run, or takes it up again if its owner has ended without ending it.
func open(ctx context.Context, js jetstream.JetStream, run string, p plan, fresh bool) (*queue, error) {
	q := &queue{js: js, run: run, keys: map[uint64]int{}}
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
	q.totals, err = js.CreateStream(ctx, jetstream.StreamConfig{
		Name: totalsOf(run), Storage: jetstream.FileStorage,
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
	q.parts, err = js.CreateStream(ctx, jetstream.StreamConfig{
		Name: partsOf(run), Storage: jetstream.FileStorage, Retention: jetstream.WorkQueuePolicy,
		Subjects: []string{subject(run, "part.*")},
	})
	if err != nil {
		return nil, fmt.Errorf("the streams of run %s: %w", run, err)
	}
	_, err = js.CreateOrUpdateConsumer(ctx, q.parts.CachedInfo().Config.Name, jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: maxDeliveries,
	})
	return q, err
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
		if old.Root != p.Root {
			return fmt.Errorf("run %s is of %s, and was not ended: name this one otherwise, with --run, or forget that one, with --fresh", q.run, old.Root)
		}
		if old != p {
			return fmt.Errorf("%s has changed since run %s began, which was not ended: forget what it has found, with --fresh", p.Root, q.run)
		}
	case !errors.Is(err, jetstream.ErrMsgNotFound):
		return err
	}
	host, _ := os.Hostname()
	me := fmt.Sprintf("process %d on %s", os.Getpid(), host)
	if _, err := q.js.Conn().Subscribe(subject(q.run, "owner"), func(m *nats.Msg) { _ = m.Respond([]byte(me)) }); err != nil {
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

// fill puts the parts into the queue whose totals are not there, and returns how many are. The
// queue is emptied before, for a part that was delivered too often would never be delivered again.
func (q *queue) fill(ctx context.Context, root string, parts []census.Part) (done int, err error) {
	if err := q.parts.Purge(ctx); err != nil {
		return 0, err
	}
	info, err := q.totals.Info(ctx, jetstream.WithSubjectFilter(subject(q.run, "total.*")))
	if err != nil {
		return 0, err
	}
	for key, part := range parts {
		if info.State.Subjects[subject(q.run, "total", key)] > 0 {
			done++
			continue
		}
		at("queuing", key)
		ack, err := q.put(ctx, key, encode(task{root, key, part}))
		if err != nil {
			return done, fmt.Errorf("queuing part %d of %d: %w", key+1, len(parts), err)
		}
		q.keys[ack.Sequence] = key
	}
	return done, nil
}

// put puts a part into the queue. A message is lost if the connection is when it is on the way, or
// the answer is lost. So it is sent again while there is no answer, for half a minute at most, and
// the server drops what it has already: it knows the ID, which no earlier owner has used.
func (q *queue) put(ctx context.Context, key int, data []byte) (*jetstream.PubAck, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	id := jetstream.WithMsgID(fmt.Sprint(q.begun, ".", key))
	for {
		asking, asked := context.WithTimeout(ctx, time.Second)
		ack, err := q.js.Publish(asking, subject(q.run, "part", key), data, id)
		asked()
		silent := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoStreamResponse)
		if !silent || ctx.Err() != nil {
			return ack, err
		}
	}
}

// delete takes the run from the server.
func (q *queue) delete(ctx context.Context) error {
	for _, stream := range []string{partsOf(q.run), totalsOf(q.run)} {
		if err := q.js.DeleteStream(ctx, stream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

// left returns how many parts are queued or in anybody's hands. It returns false if the server does
// not answer, or if the owner has read the stream of totals up to seen, and that is not all: a
// total is there before its part is acknowledged.
func (q *queue) left(ctx context.Context, seen uint64) (n uint64, known bool, err error) {
	if !q.js.Conn().IsConnected() {
		return 0, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	parts, err := q.parts.Info(ctx)
	if err == nil {
		var totals *jetstream.StreamInfo
		if totals, err = q.totals.Info(ctx); err == nil {
			return parts.State.Msgs, totals.State.LastSeq <= seen, nil
		}
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, false, fmt.Errorf("run %s is no longer on the server", q.run)
	}
	return 0, false, nil
}

// A report is one message of the stream of totals, read.
type report struct {
	kind     string // the word of the subject, or advisory
	key      int    // of the part; -1 if it is not known
	sequence uint64
	result   result // of a total, and of again its worker
	reason   string // of failed
}

// read reads a message of the stream of totals.
func (q *queue) read(msg jetstream.Msg) (r report, err error) {
	meta, err := msg.Metadata()
	if err != nil {
		return r, err
	}
	r.sequence = meta.Sequence.Stream
	if msg.Subject() == advisoryOf(q.run) {
		var advisory struct {
			Sequence uint64 `json:"stream_seq"`
		}
		err := json.Unmarshal(msg.Data(), &advisory)
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
	if r.kind == "failed" {
		r.reason = string(msg.Data())
		return r, nil
	}
	return r, decode(msg.Data(), &r.result)
}
