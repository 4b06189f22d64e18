package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/poolhttp"
	"github.com/rouse-go/rouse/tools/cli"
	"github.com/rouse-go/rouse/tools/cli/clitest"
)

// serve serves a handler, and returns its address.
func serve(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// A pool with a job that waits for another one, and one that is queued. If this fails, somebody who looks
// for why a program hangs does not see it.
func TestTop(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	free, begun := make(chan bool), make(chan bool)
	defer close(free)
	first, _ := pool.Submit(p, func(*pool.Worker) int { close(begun); <-free; return 0 })
	<-begun
	go pool.Run(context.Background(), p, func(w *pool.Worker, _ int) int { first.Join(w); return 0 }, 0)
	_ = pool.Go(p, func(*pool.Worker) {})
	for p.Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	var h poolhttp.Handler
	if err := h.Add("with\x1b[31m colour", func() *pool.Pool { return p }); err != nil {
		t.Fatal(err)
	}
	address := serve(t, &h)
	got := clitest.Do(t.Context(), top, strings.TrimPrefix(address, "http://"), "--times", "2", "--every", "100ms")
	if got.Status != cli.StatusOK || got.Stderr != "" || strings.Count(got.Stdout, address) != 2 {
		t.Fatalf("two looks: %+v", got)
	}
	for _, want := range []string{"queued  oldest  workers", `with\x1b[31m colour, jobs that have begun: 2`, " waits for job ", " is on worker 0 [chan receive", "rouse-top.TestTop.func"} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("a look does not say %q:\n%s", want, got.Stdout)
		}
	}
	if wait, run := strings.Index(got.Stdout, " waits for "), strings.Index(got.Stdout, " is on worker "); wait > run {
		t.Errorf("what waits does not come first:\n%s", got.Stdout)
	}
	if got := clitest.Do(t.Context(), top, address, "--times=1", "--jobs=0"); strings.Contains(got.Stdout, "jobs that have begun") {
		t.Errorf("--jobs=0 shows jobs:\n%s", got.Stdout)
	}
	if got := clitest.Do(t.Context(), top, address, "--times=1", "--jobs=1"); !strings.Contains(got.Stdout, "  and 1 more\n") {
		t.Errorf("--jobs=1 does not say that there is another one:\n%s", got.Stdout)
	}
}

// If this fails, a server that starts again ends the command, or a failure at its end passes for success.
func TestServerComesBack(t *testing.T) {
	asked := 0
	address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 2 {
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte(`{"nobody": {"Workers": 3}}`))
	}))
	got := clitest.Do(t.Context(), top, address, "--times=3", "--every=100ms", "--jobs=0")
	if got.Status != cli.StatusOK || strings.Count(got.Stdout, "no answer: ") != 1 || strings.Count(got.Stdout, "nobody") != 2 {
		t.Errorf("one of three looks fails: %+v", got)
	}
	asked = 0
	if got := clitest.Do(t.Context(), top, address, "--times=2", "--every=100ms", "--jobs=0"); got.Status != cli.StatusFailed {
		t.Errorf("the last look fails: %+v", got)
	}
}

// If this fails, Ctrl-C is reported as a failure, or does not end the command.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		cancel()
		_, _ = w.Write([]byte(`{}`))
	}))
	if got := clitest.Do(ctx, top, address); got.Status != cli.StatusOK || got.Stderr != "" {
		t.Errorf("after Ctrl-C: %+v", got)
	}
}

// A mistake gets one line that says what is wrong, and shows no password.
func TestMistakes(t *testing.T) {
	page := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }))
	none := serve(t, http.NotFoundHandler())
	for _, test := range []struct{ args, says string }{
		{"", "which URL?"},
		{page + " http://a:secret@b", "one URL, not 2"},
		{page, "does not answer as a handler of package poolhttp"},
		{none, "answers 404 Not Found"},
		{"http://localhost:1", "http://localhost:1: dial tcp"},
		{"http://somebody:secret@localhost:1", "somebody:xxxxx@localhost"},
		{"ftp://localhost", "want http://HOST/PATH"},
		{"http://", "want http://HOST/PATH"},
		{"http://a:secret@b:port", "this is no URL"},
		{"localhost/?show=stats", "has a query"},
		{page + " --every 1ms", "must be 100ms or longer"},
		{page + " --times -1", "must not be below 0"},
		{page + " --jobs -1", "must not be below 0"},
		{page + " --colour", `-colour; "rouse top --help" says more`},
	} {
		got := clitest.Do(t.Context(), top, strings.Fields(test.args)...)
		if got.Status != cli.StatusFailed || got.Stdout != "" || strings.Count(got.Stderr, "\n") != 1 || !strings.Contains(got.Stderr, test.says) || strings.Contains(got.Stderr, "secret") {
			t.Errorf("rouse top %s: %+v; want status 1, and a line with %q on standard error", test.args, got, test.says)
		}
	}
	if got := clitest.Do(t.Context(), top, "--help"); got != (clitest.Outcome{Status: cli.StatusOK, Stdout: usage}) {
		t.Errorf("help: %+v", got)
	}
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		width, height int
		want          string
	}{
		{0, 0, "one\ntwo\nthree\n"}, {3, 0, "one\ntwo\nth…\n"}, {0, 3, "one\n…\n"}, {80, 4, "one\ntwo\nthree\n"},
	} {
		if got := fit("one\ntwo\nthree\n", test.width, test.height); got != test.want {
			t.Errorf("in %d by %d: %q, want %q", test.width, test.height, got, test.want)
		}
	}
}
