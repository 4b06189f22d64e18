package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/rouse-go/rouse/tools/cli"
)

// A store that is full ends the run with an error that names it, in one line. What is done is kept, and
// with more room the run is continued.
func TestStoreFull(t *testing.T) {
	for _, test := range []struct{ name, env, says string }{
		{"queue", room + "=600", " is full: queuing key "},
		{"results", room + "=20000", " is full: publishing the result: "},
		{"disk", disk + "=20000", " is full, or too slow: 3 results in a row were not confirmed, though the server answers"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir, digest := plant(t)
			store := t.TempDir()
			p := begin(t, []string{test.env}, dir, "--workers", "2", "--store", store).end(t)
			p.check(t, cli.StatusFailed, &p.stderr, "sums: the store in "+store+test.says, " of 9 keys are done, and kept")
			if n := strings.Count(p.stderr.String(), "\n"); n != 2 {
				t.Errorf("%d lines, want two:\n%s", n, &p.stderr)
			}
			p = begin(t, nil, dir, "--store", store).end(t)
			p.check(t, cli.StatusOK, &p.stdout, digest)
			if got := strings.Contains(p.stdout.String(), earlierRun); got != (test.name != "queue") {
				t.Errorf("results were kept: %t:\n%s", got, &p.stdout)
			}
		})
	}
}

// A worker that joined says once that the store is full, and goes on.
func TestStoreFullJoined(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	s := newStation(t, func(o *server.Options) { o.JetStreamMaxStore = 20000 })
	held := holdAt(t, "counted")
	p := begin(t, nil, dir, "--workers", "0", "--nats", s.url(), "--run", "x")
	joined := begin(t, held.env, "join", "--nats", s.url(), "--run", "x")
	held.await(t, 1, "counted.*")
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.end(t)
	held.open(t, "counted")
	joined.stderr.await(t, "the store of the NATS server is full: .*\n")
	held.await(t, 9, "counted.*") // It has tried all.
	s.restart(t, func(o *server.Options) { o.JetStreamMaxStore = 0 })
	p = begin(t, nil, dir, "--workers", "1", "--nats", s.url(), "--run", "x").end(t)
	p.check(t, cli.StatusOK, &p.stdout, digest)
	joined.end(t).check(t, cli.StatusOK, &joined.stderr)
	if n := strings.Count(joined.stderr.String(), "is full"); n != 1 {
		t.Errorf("it was said %d times:\n%s", n, &joined.stderr)
	}
}

// A server that cannot write switches JetStream off, and goes on without. Of the one in this process that is
// known, and is an error; of another one it is said that it may be so, and waited for better times.
func TestSwitchedOff(t *testing.T) {
	t.Parallel()
	h, err := embed(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if h.off() {
		t.Error("it is off from the start")
	}
	if err := h.DisableJetStream(); err != nil || !h.off() {
		t.Errorf("error %v; it is not off", err)
	}
	if err := h.stop(); err != nil {
		t.Error(err)
	}

	s, held, p, _, digest := beginHeld(t, 1, "counted")
	if err := s.now.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	held.open(t, "counted")
	p.stderr.await(t, "JetStream does not answer")
	s.restart(t)
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
}

// While no answer of the server arrives, for its store is slow, the keys of all workers go to another one.
// The run ends all the same.
func TestStoreSlow(t *testing.T) {
	t.Parallel()
	s, held, p, _, digest := beginHeld(t, 2, "counted")
	s.slow.Lock()
	held.open(t, "counted")
	near := s.now.ClientURL() // It has no delay there.
	joined := begin(t, nil, "join", "--nats", near, "--run", "x")
	await(t, near, "x", func(parts, totals uint64) bool { return parts == 0 })
	s.slow.Unlock()
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
	joined.end(t)
	if n := p.number(t, "all", "duplicates"); n < 2 {
		t.Errorf("%d duplicates, want one of each worker:\n%s", n, &p.stdout)
	}
}

// await waits until the streams of a run have as many messages as wanted says.
func await(t *testing.T, url, run string, wanted func(parts, totals uint64) bool) {
	t.Helper()
	js := connected(t, url)
	messages := func(stream string) uint64 {
		s, err := js.Stream(t.Context(), stream)
		if err != nil {
			t.Fatal(err)
		}
		return s.CachedInfo().State.Msgs
	}
	for end := time.Now().Add(time.Minute); !wanted(messages(partsOf(run)), messages(totalsOf(run))); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within a minute")
		}
	}
}

// Whatever dies, and whenever: the digest is that of one process. A round kills workers at some points,
// and perhaps the parent, and restarts the server; each happens when the run has come so far.
func TestKillsAtRandom(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 0))
			points := []string{"taken", "counted", "published", "acknowledged"}
			var deaths []string
			for range 1 + r.IntN(6) {
				deaths = append(deaths, fmt.Sprint(points[r.IntN(4)], ".", r.IntN(9)))
			}
			switch r.IntN(3) {
			case 0:
				deaths = append(deaths, fmt.Sprint("queuing.", r.IntN(9)))
			case 1:
				deaths = append(deaths, fmt.Sprint("read.", 1+r.IntN(9)))
			}
			stop := fmt.Sprint(points[r.IntN(4)], ".", r.IntN(9))
			held := holdAt(t, stop)
			t.Logf("killed at %s, the server is restarted at %s", deaths, stop)
			dir, digest := plant(t)
			s := newStation(t)
			env := append(dying(t, strings.Join(deaths, " ")), held.env...)
			// A busy machine may be silent for long; no key is given up for that.
			env = append(env, deliveries+"=1000", silence+"=200ms")
			restarted := false
			for {
				p := begin(t, env, dir, "--workers", "2", "--nats", s.url(), "--run", "x")
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					if err := p.Wait(); errors.Is(err, context.DeadlineExceeded) {
						t.Error(err)
					}
				}()
				for !restarted && held.reached(p.Process.Pid, stop, ended) {
					s.goes()
					held.open(t, stop[:strings.Index(stop, ".")])
					s.restart(t)
					restarted = true
				}
				<-ended
				if p.status = p.ProcessState.ExitCode(); p.status == -1 {
					continue // It was killed. The same command continues.
				}
				p.check(t, cli.StatusOK, &p.stdout, digest)
				return
			}
		})
	}
}

// A request for a key that nobody hears, since the consumer is not there just then, is made again. A failure means that
// workers wait forever when the server goes away that leads the consumer, even if two others are left.
func TestRequestLost(t *testing.T) {
	t.Parallel()
	s, held, p, _, digest := beginHeld(t, 1, "acknowledged")
	js := connected(t, s.url())
	requests, err := js.Conn().SubscribeSync("$JS.API.CONSUMER.MSG.NEXT.>")
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := js.Consumer(t.Context(), partsOf("x"), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteConsumer(t.Context(), partsOf("x"), consumerName); err != nil {
		t.Fatal(err)
	}
	held.open(t, "acknowledged")
	if _, err := requests.NextMsg(time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateConsumer(t.Context(), partsOf("x"), consumer.CachedInfo().Config); err != nil {
		t.Fatal(err)
	}
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
}

// The parent needs a new consumer, and its name is taken: it makes one of another name. So it is when the first attempt
// was given to a server that has just gone. A failure means that the parent then waits forever.
func TestReaderLost(t *testing.T) {
	t.Parallel()
	s, held, p, _, digest := beginHeld(t, 1, "counted")
	js := connected(t, s.url())
	totals, err := js.Stream(t.Context(), totalsOf("x"))
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for end := time.Now().Add(time.Minute); first == "" && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		for name := range totals.ConsumerNames(t.Context()).Name() {
			first = name
		}
	}
	next := strings.TrimSuffix(first, "1") + "2"
	config := jetstream.ConsumerConfig{Name: next, AckPolicy: jetstream.AckExplicitPolicy, InactiveThreshold: time.Hour}
	if _, err := totals.CreateConsumer(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if err := totals.DeleteConsumer(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	held.open(t, "counted")
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
}

// The streams are removed, and the answer is lost: the parent asks again, and ends well.
func TestRemovalUnanswered(t *testing.T) {
	t.Parallel()
	s, held, p, _, digest := beginHeld(t, 1, "folded")
	js := connected(t, s.now.ClientURL())
	s.mute.Store(true)
	held.open(t, "folded")
	for err := error(nil); err == nil; {
		_, err = js.Stream(t.Context(), partsOf("x"))
	}
	s.restart(t)
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
}

// Counts can be read while the run lasts.
func TestMetrics(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	held := holdAt(t, "counted.8")
	p := begin(t, held.env, dir, "--workers", "1", "--metrics", "127.0.0.1:0")
	addr := p.stderr.await(t, "sums: counts at (http.*)\n")
	held.await(t, 1, "counted.8.*")
	text := ""
	for end := time.Now().Add(time.Minute); !strings.Contains(text, "rouse_cluster_keys_done 8\n"); time.Sleep(5 * time.Millisecond) {
		answer, err := http.Get(addr)
		if err != nil || time.Now().After(end) {
			t.Fatalf("error %v, not within a minute: 8 keys are done, in\n%s", err, text)
		}
		data, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		text = string(data)
	}
	for _, line := range []string{"# TYPE rouse_cluster_keys_done gauge", "rouse_cluster_keys 9", "rouse_cluster_workers 1", "rouse_cluster_worker_restarts_total 0"} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	held.open(t, "counted")
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
}

// The end of a run does not wait for clients of the counts, and the run for none that is slow. A failure means
// that each of them keeps a part of the parent's memory until the end.
func TestMetricsSlowClients(t *testing.T) {
	defer func(d time.Duration) { patience = d }(patience)
	patience = 500 * time.Millisecond // a busy machine is late
	addr, stop, err := new(counts).serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const get = "GET /metrics HTTP/1.1\r\nHost: x\r\n"
	var clients sync.WaitGroup
	for text, want := range map[string]string{
		"": "", "GE": "400", get: "", get + "A: " + strings.Repeat("x", 50_000): "431", get + "\r\n": "200",
		get + "Content-Length: 9\r\n\r\nhalf": "200", "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n": "405",
	} {
		clients.Go(func() {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			fmt.Fprint(c, text)
			answer, _ := io.ReadAll(c) // until it is closed
			if want == "" && len(answer) > 0 || want != "" && !strings.HasPrefix(string(answer), "HTTP/1.1 "+want) {
				t.Errorf("%.99q, and nothing more: %q, want status %q", text, answer, want)
			}
		})
	}
	clients.Wait()
	half, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer half.Close()
	fmt.Fprint(half, get)
	stop()
}

// No password is in an argument or in an error. A file may have it.
func TestPassword(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	s := newStation(t, func(o *server.Options) { o.Username, o.Password = "me", "secret" })
	file := filepath.Join(t.TempDir(), "url")
	for _, test := range []struct{ url, says string }{
		{"nats://me:secret@" + s.Addr().String(), "give @FILE"},
		{"nats://me:secret@a b", "has no URL"},
		{"me:sec/secret@" + s.Addr().String(), "has no URL"},
	} {
		p := begin(t, nil, "--nats", test.url, dir).end(t)
		p.check(t, cli.StatusFailed, &p.stderr, test.says)
		if strings.Contains(p.stderr.String(), "secret") {
			t.Errorf("%s: the password is in the error: %s", test.url, &p.stderr)
		}
	}
	for url, want := range map[string]int{"nats://me:secret@" + s.Addr().String(): 0, "nats://me:secret2@" + s.Addr().String(): 1, "nats://me:secret@127.0.0.1:1": 1, "": 1} {
		if err := os.WriteFile(file, []byte(url+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := begin(t, nil, "--nats", "@"+file, dir).end(t)
		if p.check(t, want, &p.stderr); want == 0 {
			p.check(t, want, &p.stdout, digest)
		}
		if strings.Contains(p.stderr.String(), "secret") {
			t.Errorf("the password is in the error: %s", &p.stderr)
		}
	}
}

// An authority lets in those who can sign as the user of the test.
type authority struct{ nkeys.KeyPair }

func (a authority) Check(c server.ClientAuthentication) bool {
	signature, err := base64.RawURLEncoding.DecodeString(c.GetOpts().Sig)
	return err == nil && a.Verify(c.GetNonce(), signature) == nil
}

// A server that wants credentials, and a certificate of each client, gets them of the parent and of all workers.
func TestCredentials(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	files := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(files, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	h := httptest.NewTLSServer(nil) // It has a certificate of this machine.
	h.Close()
	pair := h.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	cert := write("cert", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	key := write("key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	creds := write("creds", "-----BEGIN NATS USER JWT-----\ntoken\n------END NATS USER JWT------\n"+
		"-----BEGIN USER NKEY SEED-----\n"+string(seed)+"\n------END USER NKEY SEED------\n")
	s := newStation(t, func(o *server.Options) {
		o.TLS, o.TLSTimeout = true, connectWait.Seconds()
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12}
		o.CustomClientAuthentication, o.AlwaysEnableNonce = authority{user}, true
	})
	all := []string{"--nats", "tls://" + s.Addr().String(), "--creds", creds, "--ca", cert, "--cert", cert, "--key", key}
	p := begin(t, nil, append(all, dir, "--workers", "2")...).end(t)
	p.check(t, cli.StatusOK, &p.stdout, digest)
	for i := 2; i < len(all); i += 2 {
		p := begin(t, nil, append(append(slices.Clone(all[:i]), all[i+2:]...), dir)...).end(t)
		if p.status != cli.StatusFailed {
			t.Errorf("without %s: status %d", all[i], p.status)
		}
	}
}

// A worker may join before there is a run, and do all the work of a parent that has no workers. Another one, whose
// run ended while it was at work, for its key went to that one, ends too.
func TestJoined(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	s := newStation(t)
	held := holdAt(t, "waiting counted")
	joined := begin(t, held.env, "join", "--nats", s.url(), "--run", "x")
	held.await(t, 1, "waiting.*")
	held.open(t, "waiting")
	p := begin(t, nil, dir, "--workers", "0", "--nats", s.url(), "--run", "x")
	held.await(t, 1, "counted.*")
	second := begin(t, nil, "join", "--nats", s.url(), "--run", "x")
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
	second.end(t).check(t, cli.StatusOK, &second.stdout)
	held.open(t, "counted")
	joined.end(t).check(t, cli.StatusOK, &joined.stderr, "run x is not there yet")
}
