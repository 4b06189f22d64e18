package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/rouse-go/rouse/tools/cli"
)

// What several processes find is what one finds, and the table says who found it.
func TestSameDigest(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	p := begin(t, nil, dir, "--workers", "3").end(t)
	p.check(t, cli.StatusOK, &p.stdout, digest, "3 workers on ", "the server, for each key: ")
	if n := p.number(t, "all", "keys"); n != 9 {
		t.Errorf("the workers have done %d keys of 9:\n%s", n, &p.stdout)
	}
	empty := t.TempDir()
	p = begin(t, nil, empty).end(t)
	p.check(t, cli.StatusOK, &p.stdout, digestOf(t, empty))
}

// A worker that dies at any point of its work costs time, and nothing else. It is started again: one
// that is alone could not end the run else.
func TestKilled(t *testing.T) {
	for point, workers := range map[string]string{"taken": "2", "counted": "1", "published": "2", "acknowledged": "1"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			dir, digest := plant(t)
			p := begin(t, dying(t, point+".0"), dir, "--workers", workers).end(t)
			p.check(t, cli.StatusOK, &p.stdout, digest)
			p.check(t, cli.StatusOK, &p.stderr, "signal: killed")
			if n := p.number(t, "all", "restarts"); n != 1 && workers == "1" {
				t.Errorf("%d restarts:\n%s", n, &p.stdout)
			}
			if n := p.number(t, "all", "redelivered"); n == 0 && (point == "taken" || point == "counted") {
				t.Errorf("no key was delivered again:\n%s", &p.stdout)
			}
			if n := p.number(t, "all", "duplicates"); n == 0 && point == "published" {
				t.Errorf("no key was delivered whose result was there:\n%s", &p.stdout)
			}
		})
	}
}

// A worker that has a result before each end is started as often as it takes; one that never has, only as
// often as is allowed.
func TestRestartLimit(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	p := begin(t, []string{dieAt + "=acknowledged"}, dir, "--workers", "1", "--restarts", "1").end(t)
	p.check(t, cli.StatusOK, &p.stdout, digest)
	if n := p.number(t, "all", "restarts"); n < 8 {
		t.Errorf("%d restarts, want one after each key but the last:\n%s", n, &p.stdout)
	}
	p = begin(t, []string{dieAt + "=taken"}, dir, "--workers", "1", "--restarts", "2").end(t)
	p.check(t, cli.StatusFailed, &p.stderr, "no worker is left of 1, and 9 of 9 keys are not done: each has ended 3 times in a row without a result")
}

// The ends since the last result count, also if that is read after them, or when another process runs already. A failure
// means that a worker is started too often, or given up too early.
func TestResultReadAfterEnd(t *testing.T) {
	m := &member{name: "1"}
	c := &crew{all: []*member{m}}
	for _, test := range []struct{ last, had, want int }{{0, 0, 1}, {3, 2, 2}, {3, 3, 1}, {3, 2, 1}, {5, 3, 3}} {
		m.restarts = test.last
		if c.worked("1", test.had); m.futile() != test.want {
			t.Errorf("process %d has ended, and a result of %d is read: %d ends since the last result, want %d", test.last, test.had, m.futile(), test.want)
		}
	}
}

// A run that ended early is continued: what was done before is not done once more. What does not fit to it
// is refused.
func TestContinued(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	store := filepath.Join(t.TempDir(), "new", "store")
	p := begin(t, dying(t, "published.0"), dir, "--workers", "1", "--restarts", "0", "--store", store, "--run", "x").end(t)
	p.check(t, cli.StatusFailed, &p.stderr, "no worker is left of 1, and 8 of 9 keys are not done", "1 of 9 keys are done, and kept")

	other, otherDigest := plant(t)
	p = begin(t, nil, other, "--store", store, "--run", "x").end(t)
	p.check(t, cli.StatusFailed, &p.stderr, "run x is of "+dir+", and was not ended: name this one otherwise, with --run, or forget that one, with --fresh")

	p = begin(t, nil, dir, "--store", store, "--run", "x", "--workers", "1").end(t)
	p.check(t, cli.StatusOK, &p.stdout, digest)
	p.check(t, cli.StatusOK, &p.stderr, "run x is continued: 1 of 9 keys were done earlier")
	if n := p.number(t, "earlier", "keys"); n != 1 {
		t.Errorf("%d keys were done earlier, want 1:\n%s", n, &p.stdout)
	}

	// When it has ended, nothing is left of it. Another directory may have its name.
	p = begin(t, dying(t, "published.0"), other, "--workers", "1", "--restarts", "0", "--store", store, "--run", "x").end(t)
	p.check(t, cli.StatusFailed, &p.stderr, "1 of 9 keys are done, and kept")
	if err := os.WriteFile(filepath.Join(other, "new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p = begin(t, nil, other, "--store", store, "--run", "x").end(t)
	p.check(t, cli.StatusFailed, &p.stderr, other+" has other keys since run x began, which was not ended")
	p = begin(t, nil, other, "--store", store, "--run", "x", "--fresh").end(t)
	p.check(t, cli.StatusOK, &p.stdout, digestOf(t, other))
	if strings.Contains(p.stdout.String(), earlierRun) || digestOf(t, other) == otherDigest {
		t.Errorf("it has not begun afresh:\n%s", &p.stdout)
	}
}

// A key that kills each worker ends the run, and is named, though the workers are started again. When it no
// longer does, the run is continued.
func TestPoison(t *testing.T) {
	for _, workers := range []string{"1", "4"} {
		t.Run(workers, func(t *testing.T) {
			t.Parallel()
			dir, digest := plant(t)
			store := t.TempDir()
			p := begin(t, []string{dieAt + "=taken.0", deliveries + "=3"}, dir, "--workers", workers, "--store", store).end(t)
			p.check(t, cli.StatusFailed, &p.stderr, filepath.Join(dir, "d0")+": 3 workers were given it, and all fell silent")
			p = begin(t, nil, dir, "--store", store).end(t)
			p.check(t, cli.StatusOK, &p.stdout, digest)
		})
	}
}

// What no worker can do is tried as often as is allowed. Then it ends the run, unless there is a result
// beside the error.
func TestFailing(t *testing.T) {
	for _, name := range []string{"d3", "d3/f1.go"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			dir, digest := plant(t)
			store := t.TempDir()
			p := begin(t, []string{blind + "=" + name}, dir, "--workers", "2", "--store", store).end(t)
			if name == "d3" {
				p.check(t, cli.StatusFailed, &p.stderr, filepath.Join(dir, "d3")+": open ", "permission denied; another worker may do better\n", "permission denied\n")
				// When it can be done, the run is continued.
				p = begin(t, nil, dir, "--store", store).end(t)
				p.check(t, cli.StatusOK, &p.stdout, digest)
				return
			}
			p.check(t, cli.StatusOK, &p.stdout, "digest ")
			if strings.Contains(p.stdout.String(), digest) {
				t.Errorf("the result has the file that cannot be read:\n%s", &p.stdout)
			}
			if n := p.number(t, "all", "redelivered"); n == 0 {
				t.Errorf("the key was not delivered again:\n%s", &p.stdout)
			}
		})
	}
}

// A server that goes away while parts are queued, though it has not said that it has the last, and comes back on
// its store, costs time and nothing else. That part is not queued twice.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	s := newStation(t)
	held := holdAt(t, "queuing.4")
	// On a busy machine a part would else be given to the other worker, and be a duplicate.
	p := begin(t, append(held.env, silence+"=1m"), dir, "--workers", "2", "--nats", s.url(), "--run", "x")
	held.await(t, 1, "queuing.4.*")
	s.mute.Store(true)
	held.open(t, "queuing")
	await(t, s.now.ClientURL(), "x", func(parts, _ uint64) bool { return parts == 5 })
	s.restart(t)
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
	p.check(t, cli.StatusOK, &p.stderr, "waiting for the NATS server: the connection is lost", "the NATS server is there again")
	if n := p.number(t, "all", "duplicates"); n != 0 {
		t.Errorf("%d parts were queued twice:\n%s", n, &p.stdout)
	}
}

// A result that is larger than the server takes ends the run at once.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	s := newStation(t, func(o *server.Options) { o.MaxPayload = padding })
	p := begin(t, nil, dir, "--workers", "1", "--nats", s.url()).end(t)
	p.check(t, cli.StatusFailed, &p.stderr, filepath.Join(dir, "d0")+": a result of 4032 bytes: nats: maximum payload exceeded\n")
}

// A server that comes back without its store ends the run.
func TestServerForgets(t *testing.T) {
	t.Parallel()
	s, _, p, _, _ := beginHeld(t, 1, "counted")
	s.restart(t, func(o *server.Options) { o.StoreDir = t.TempDir() })
	p.end(t).check(t, cli.StatusFailed, &p.stderr, "run x is no longer on the server")
}

// So does a part that was acknowledged by somebody, and has no total.
func TestTotalLost(t *testing.T) {
	t.Parallel()
	// With less patience, the next part would be the worker's own one, if it is late.
	s, held, p, dir, _ := beginHeld(t, 1, "counted", silence+"=1m")
	js := connected(t, s.url())
	consumer, err := js.Consumer(t.Context(), partsOf("x"), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := consumer.Next()
	if err != nil {
		t.Fatal(err)
	}
	if err := msg.DoubleAck(t.Context()); err != nil {
		t.Fatal(err)
	}
	held.open(t, "counted")
	p.end(t).check(t, cli.StatusFailed, &p.stderr, "the server has lost the result of "+dir)
}

// While a worker is at a part, it says so, or the part would go to another one. Of Ctrl-C, which a
// terminal sends to it, too, it leaves the consequences to its parent.
func TestInProgress(t *testing.T) {
	t.Parallel()
	s, held, p, _, digest := beginHeld(t, 1, "opened")
	answers, err := connected(t, s.url()).Conn().SubscribeSync("$JS.ACK.>")
	if err != nil {
		t.Fatal(err)
	}
	worker, err := os.FindProcess(held.await(t, 1, "opened.*"))
	if err := cmp.Or(err, worker.Signal(os.Interrupt)); err != nil {
		t.Fatal(err)
	}
	for text := ""; text != "+WPI"; { // work in progress
		msg, err := answers.NextMsg(time.Minute)
		if err != nil {
			t.Fatalf("a minute without a sign of the worker: %v", err)
		}
		text = string(msg.Data)
	}
	held.open(t, "opened")
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
}

// Of two runs with one name, the second is refused, and the first goes on. Another name is
// another run. A worker that joins has a part in it.
func TestOneName(t *testing.T) {
	t.Parallel()
	s, held, first, dir, digest := beginHeld(t, 1, "counted")
	for _, fresh := range []string{"--fresh=false", "--fresh"} {
		p := begin(t, nil, dir, "--nats", s.url(), "--run", "x", fresh).end(t)
		p.check(t, cli.StatusFailed, &p.stderr, "is at run x: wait for its end, or name this one otherwise, with --run")
	}
	p := begin(t, nil, dir, "--nats", s.url(), "--run", "y").end(t)
	p.check(t, cli.StatusOK, &p.stdout, digest)

	joined := begin(t, held.env, "join", "--nats", s.url(), "--run", "x")
	held.await(t, 1, fmt.Sprintf("counted.*.%d", joined.Process.Pid))
	held.open(t, "counted")
	first.end(t).check(t, cli.StatusOK, &first.stdout, digest)
	joined.end(t).check(t, cli.StatusOK, &joined.stdout, "of run x; Ctrl-C ends it")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if n := first.number(t, fmt.Sprintf("%s/%d", host, joined.Process.Pid), "keys"); n == 0 {
		t.Errorf("the worker that joined has done nothing:\n%s", &first.stdout)
	}
}

// Ctrl-C ends the workers, too. Until then, the store is the run's alone.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	held := holdAt(t, "counted")
	store := t.TempDir()
	p := begin(t, held.env, dir, "--workers", "2", "--store", store)
	held.await(t, 1, "counted.*")
	second := begin(t, nil, dir, "--store", store, "--run", "x").end(t)
	second.check(t, cli.StatusFailed, &second.stderr, "another process has its server in "+store)
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.end(t).check(t, cli.StatusInterrupted, &p.stderr, "0 of 9 keys are done, and kept", "sums: interrupted\n")
}

// If the parent dies, its workers end. They have a pipe open whose reader hears of it.
func TestOrphans(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	held := holdAt(t, "counted")
	ends, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ends.Close()
	p := command(t, held.env, dir, "--workers", "2")
	p.ExtraFiles = []*os.File{end}
	if err := errors.Join(p.Start(), end.Close()); err != nil {
		t.Fatal(err)
	}
	held.await(t, 2, "counted.*")
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.end(t)
	if err := ends.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := ends.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a minute after the parent: %v, want that all workers have ended", err)
	}
}

// What cannot work is refused, and the error says what to do.
func TestRefused(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	deaf := newStation(t, func(o *server.Options) { o.JetStream = false })
	gone := newStation(t)
	gone.Close()
	for _, test := range []struct{ args, says string }{
		{"--workers 0 DIR", "--workers is 0, must be 1 or more"},
		{"--procs -1 DIR", "--procs is -1, must be 1 or more"},
		{"DIR DIR", "name one directory"},
		{"", "name one directory"},
		{"--nonsense DIR", "--help"},
		{"DIR/none", "no such file"},
		{"DIR/d9.txt", "is not a directory"},
		{"--run a.b DIR", `--run is "a.b", must be of letters`},
		{"--nats " + gone.url() + " DIR", "no NATS server at " + gone.url()},
		{"--nats " + deaf.url() + " DIR", "it has none: start it with --jetstream"},
		{"--ack-wait 1ms DIR", "--ack-wait is 1ms, must be 100ms or more"},
		{"--nats nats://me@localhost DIR", "write the URL into a file"},
		{"--replicas 3 DIR", "--replicas needs --nats"},
		{"--metrics 256.0.0.0:1 DIR", "--metrics: "},
		{"--creds DIR/none --nats " + deaf.url() + " DIR", "no such file"},
		{"--ca DIR/none --nats " + deaf.url() + " DIR", "no such file"},
		{"--cert DIR/none --nats " + deaf.url() + " DIR", "no such file"},
		{"--nats u --store s DIR", "--store is of the server in this process"},
		{"--store DIR/d9.txt DIR", "d9.txt"},
		{"join --run x", "join needs --nats"},
		{"join --nats " + deaf.url(), `--run is ""`},
		{"join x", `was given "x"`},
		{"worker", "for sums's own use"},
	} {
		p := begin(t, nil, strings.Fields(strings.ReplaceAll(test.args, "DIR", dir))...).end(t)
		p.check(t, cli.StatusFailed, &p.stderr, test.says)
	}
	p := begin(t, nil, "--help").end(t)
	p.check(t, cli.StatusOK, &p.stdout, "sums join", "-workers")
}
