package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/image/draw"
)

// The load starts the program that it is part of: here, the test.
func TestMain(m *testing.M) {
	if os.Getenv("ROUSE_EXAMPLE_SERVER") != "" {
		main()
		return
	}
	os.Setenv("ROUSE_EXAMPLE_SERVER", "1")
	os.Exit(m.Run())
}

// bounded runs a test with the engines that refuse.
func bounded(t *testing.T, l limits, f func(t *testing.T, e engine)) {
	for _, kind := range []string{"pool", "semaphore"} {
		t.Run(kind, func(t *testing.T) {
			e, err := engines[kind](l)
			if err != nil {
				t.Fatal(err)
			}
			f(t, e)
			if err := e.shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// picture is an image of a color that depends on the place.
func picture(width, height int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y), 255})
		}
	}
	return img
}

func pngOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The bands of an image are the image, whatever does them.
func TestScale(t *testing.T) {
	src := picture(301, 500)
	want := image.NewRGBA(image.Rect(0, 0, 200, 332))
	draw.ApproxBiLinear.Scale(want, want.Rect, src, src.Bounds(), draw.Src, nil)
	for kind, newEngine := range engines {
		e, err := newEngine(limits{workers: 3, queue: 1})
		if err != nil {
			t.Fatal(err)
		}
		work, err := scale(url.Values{"width": {"200"}}, pngOf(t, src))
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.do(t.Context(), "scale", work)
		if err != nil {
			t.Fatal(err)
		}
		if got := pngOf(t, want); r.contentType != "image/png" || !bytes.Equal(r.body, got) {
			t.Errorf("%s: the image is not what one call of the library makes", kind)
		}
		if err := e.shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestAnswers(t *testing.T) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, picture(64, 48), nil); err != nil {
		t.Fatal(err)
	}
	huge := pngOf(t, picture(1, 1))
	copy(huge[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65,536 x 65,536, with a checksum that is now wrong
	bounded(t, limits{workers: 2, queue: 8}, func(t *testing.T, e engine) {
		s := httptest.NewServer(newHandler(e, time.Minute))
		defer s.Close()
		for _, test := range []struct {
			path   string
			body   io.Reader
			status int
			want   string
		}{
			{"/scale?width=32", bytes.NewReader(photo.Bytes()), 200, "\xff\xd8\xff"},
			{"/scale?width=1", bytes.NewReader(pngOf(t, picture(300, 1))), 200, "\x89PNG"},
			{"/outline", strings.NewReader("<a><b/><b>text</b></a>"), 200, `{"elements":{"a":1,"b":2},"depth":2}` + "\n"},
			{"/scale", bytes.NewReader(photo.Bytes()), 400, `width="": want a number from 1 to 4096`},
			{"/scale?width=0", bytes.NewReader(photo.Bytes()), 400, `width="0"`},
			{"/scale?width=9", strings.NewReader("hello"), 400, "no image: image: unknown format"},
			{"/scale?width=9", bytes.NewReader(photo.Bytes()[:photo.Len()/2]), 400, "a broken image: unexpected EOF"},
			{"/scale?width=9", bytes.NewReader(huge), 400, "no image: png: "},
			{"/outline", strings.NewReader("<a><b></a>"), 400, "no XML: XML syntax error on line 1"},
			{"/outline", strings.NewReader(""), 400, "no element"},
			{"/outline", io.LimitReader(zeros{}, maxBody+1), 413, "too large"},
			{"/gone", nil, 404, ""},
		} {
			r, err := http.Post(s.URL+test.path, "", test.body)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r.Body)
			r.Body.Close()
			if r.StatusCode != test.status || !strings.HasPrefix(string(got), test.want) && !strings.Contains(string(got), test.want) {
				t.Errorf("%s: %d, %.100q, %v, want %d, %q", test.path, r.StatusCode, got, err, test.status, test.want)
			}
		}
		r, err := http.Get(s.URL + "/scale")
		if err != nil || r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET /scale: %v, %v", r, err)
		}
		r.Body.Close()
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A few bytes that claim to be an image of many pixels cost nothing.
func TestClaim(t *testing.T) {
	var gray bytes.Buffer
	if err := png.Encode(&gray, image.NewGray(image.Rect(0, 0, 50001, 1000))); err != nil {
		t.Fatal(err)
	}
	work, err := scale(url.Values{"width": {"10"}}, gray.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	_, err = work(t.Context(), func(int, func(int)) { t.Error("it was decoded") })
	if !errors.As(err, new(badRequest)) || !strings.Contains(err.Error(), "50001 x 1000 is too large") {
		t.Errorf("error %v", err)
	}
}

// through returns the answer to a request for the work, by HTTP.
func through(e engine, timeout time.Duration, w work) *http.Response {
	r := httptest.NewRecorder()
	route(e, timeout, "test", func(url.Values, []byte) (work, error) { return w, nil }).ServeHTTP(r, httptest.NewRequest("POST", "/", nil))
	return r.Result()
}

// As many requests are accepted as the workers and the queue have room for. The others
// are told at once, while those wait.
func TestBusy(t *testing.T) {
	bounded(t, limits{workers: 2, queue: 3}, func(t *testing.T, e engine) {
		begun, release := make(chan bool, 5), make(chan bool)
		answers := make(chan *http.Response)
		ask := func() {
			answers <- through(e, time.Minute, func(context.Context, parts) (reply, error) {
				begun <- true
				<-release
				return reply{}, nil
			})
		}
		for range 2 { // one after the other, so that none waits for a worker that is about to sleep
			go ask()
			<-begun
		}
		for range 9 - 2 {
			go ask()
		}
		for range 9 - 5 {
			if r := <-answers; r.StatusCode != 503 || r.Header.Get("Retry-After") == "" {
				t.Errorf("status %s, want 503, and when to try again", r.Status)
			}
		}
		close(release)
		for range 5 {
			if r := <-answers; r.StatusCode != 200 {
				t.Errorf("status %s of a request that was accepted", r.Status)
			}
		}
	})
}

// A deadline is kept although the work goes on; and what has not begun by then never does.
func TestDeadline(t *testing.T) {
	bounded(t, limits{workers: 1, queue: 2}, func(t *testing.T, e engine) {
		release := make(chan bool)
		begun := make(chan bool)
		first := make(chan *http.Response)
		go func() {
			first <- through(e, time.Minute, func(context.Context, parts) (reply, error) { begun <- true; <-release; return reply{}, nil })
		}()
		<-begun
		r := through(e, time.Millisecond, func(context.Context, parts) (reply, error) {
			t.Error("a request was begun after its deadline")
			return reply{}, nil
		})
		if r.StatusCode != http.StatusGatewayTimeout {
			t.Errorf("status %s, want a timeout", r.Status)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := e.shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the end of the engine did not wait for work that goes on: %v", err)
		}
		close(release)
		if r := <-first; r.StatusCode != 200 {
			t.Errorf("status %s of what was running", r.Status)
		}
	})
}

// A record is a log.
type record struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// logged has the log go to a record, until the test ends.
func logged(t *testing.T) *record {
	r := new(record)
	log.SetOutput(r)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	return r
}

// A panic costs one request, and is in the log with the line that has raised it.
func TestPanic(t *testing.T) {
	bounded(t, limits{workers: 1, queue: 1}, func(t *testing.T, e engine) {
		text := logged(t)
		for range 2 {
			if r := through(e, time.Minute, func(context.Context, parts) (reply, error) { panic("boom") }); r.StatusCode != 500 {
				t.Errorf("status %s", r.Status)
			}
		}
		if s := text.String(); strings.Count(s, "boom") < 2 || !strings.Contains(s, "main_test.go:") {
			t.Errorf("the log does not say where the panics came from:\n%s", s)
		}
	})
}

// A panic is in the log also if the client has gone, and nobody waits for the answer.
func TestPanicUnseen(t *testing.T) {
	bounded(t, limits{workers: 1, queue: 1}, func(t *testing.T, e engine) {
		text := logged(t)
		release := make(chan bool)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if _, err := e.do(ctx, "test", func(context.Context, parts) (reply, error) {
			cancel()
			<-release
			panic("boom")
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of a client that has gone", err)
		}
		close(release)
		for end := time.Now().Add(20 * time.Second); !strings.Contains(text.String(), "main_test.go:"); runtime.GC() {
			if time.Now().After(end) {
				t.Fatalf("the log does not say where the panic came from:\n%s", text)
			}
		}
	})
}

func TestLabels(t *testing.T) {
	bounded(t, limits{workers: 1, queue: 1}, func(t *testing.T, e engine) {
		var got string
		_, err := e.do(t.Context(), "scale", func(ctx context.Context, _ parts) (reply, error) {
			got, _ = pprof.Label(ctx, "route")
			return reply{}, nil
		})
		if got != "scale" || err != nil {
			t.Errorf("label %q, %v", got, err)
		}
	})
}

// An interrupt ends the server, but not before the request is answered that is on its way.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	text := logged(t)
	go func() { ended <- serve(ctx, []string{"-addr=127.0.0.1:0", "-timeout=1m"}, in) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	addr := strings.TrimPrefix(strings.TrimSpace(line), "listening on http://")
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "POST /outline HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
	answer := bufio.NewReader(c)
	if line, err := answer.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatal(line, err) // The handler asks for the body.
	}
	cancel()
	for {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			break // Nobody may come any more.
		}
		c.Close()
	}
	fmt.Fprint(c, "<a/>")
	if got, err := io.ReadAll(answer); err != nil || !strings.Contains(string(got), "200 OK") {
		t.Errorf("%q, %v", got, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the end of the server: %v", err)
	}
	if !strings.Contains(text.String(), "shutting down") {
		t.Errorf("log %q", text.String())
	}
}

func TestBadFlags(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-engine=steam", `there is no engine "steam"`},
		{"-workers=0", "must be positive"},
		{"-queue=0", "must be positive"},
		{"-addr=:nowhere", "nowhere"},
		{"load", "unexpected argument"},
	} {
		if err := serve(t.Context(), strings.Fields(test.args), io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.args, err, test.want)
		}
	}
}

// The load is a multiple of what the server can do. If that were taken for nothing, because
// no answer came in time, it would know no bound.
func TestClosedLoop(t *testing.T) {
	var refusals atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if refusals.Add(-1) >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer s.Close()
	c := newClient(s.URL)
	refusals.Store(3)
	if rate, err := c.closedLoop(t.Context(), 2, 0); rate <= 0 || err != nil {
		t.Errorf("the first requests are refused, and the server can do %v a second, with the error %v", rate, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if rate, err := c.closedLoop(ended, 2, 0); err == nil {
		t.Errorf("no request is answered, and the server can do %v a second", rate)
	}
}

// Under six times what it can do, or what that is taken for on a busy machine, each server
// answers all requests, or refuses them, and is as it was before. How fast it does so is for
// a quiet machine to say.
func TestLoad(t *testing.T) {
	const duration = time.Second / 2
	for _, kind := range []string{"pool", "semaphore"} {
		t.Run(kind, func(t *testing.T) {
			o, err := measure(t.Context(), kind, limits{workers: 1, queue: 8, timeout: time.Minute}, duration, 6, 0)
			if err != nil {
				t.Fatal(err)
			}
			ok, refused := o.ok.TotalCount(), o.refused.TotalCount()
			if ok == 0 || refused == 0 || ok+refused != int64(o.sent) || o.failed != 0 {
				t.Errorf("of %d requests %d succeeded, %d were refused, %d failed", o.sent, ok, refused, o.failed)
			}
			if o.after > o.before {
				t.Errorf("%d goroutines, %d before", o.after, o.before)
			}
			var out strings.Builder
			printOutcomes(&out, o.limits, duration, []*outcome{o})
			t.Log("\n" + out.String())
		})
	}
}

// The limits of the report are kept or missed as the numbers say.
func TestMissed(t *testing.T) {
	good := func() *outcome {
		o := &outcome{kind: "x", limits: limits{workers: 2, queue: 10}, peak: 100, throughput: 95, ok: histogram(), refused: histogram(), late: histogram()}
		o.ok.RecordValue(199_000) // The bound is 2 * 10 / 100 s.
		o.refused.RecordValue(4_900)
		return o
	}
	if err := good().missed(); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(*outcome){
		"throughput is 0.89":        func(o *outcome) { o.throughput = 89 },
		"p99 is 2":                  func(o *outcome) { o.ok.RecordValue(210_000) },
		"p99 of the refusals is 5.": func(o *outcome) { o.refused.RecordValue(5_100) },
		"1 requests failed":         func(o *outcome) { o.failed = 1 },
		"4 goroutines, 3 before":    func(o *outcome) { o.before, o.after = 3, 4 },
	} {
		o := good()
		spoil(o)
		if err := o.missed(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
