package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
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
	"testing"
	"time"

	"golang.org/x/image/draw"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

// each runs a test with each engine.
func each(t *testing.T, l limits, f func(t *testing.T, s *service)) {
	l.flight, l.timeout = cmp.Or(l.flight, 1<<30), cmp.Or(l.timeout, time.Minute)
	programtest.Each(t, newOnPool, newOnSemaphore, func(t *testing.T, newEngine func(limits) (engine, error)) {
		e, err := newEngine(l)
		if err != nil {
			t.Fatal(err)
		}
		f(t, newService(e, l))
		if err := e.shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
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

// The bands of an image are the image, whatever does them. The job has the name of its route as a label.
func TestScale(t *testing.T) {
	src := picture(301, 500)
	want := image.NewRGBA(image.Rect(0, 0, 200, 332))
	draw.ApproxBiLinear.Scale(want, want.Rect, src, src.Bounds(), draw.Src, nil)
	each(t, limits{workers: 3, queue: 1}, func(t *testing.T, s *service) {
		work, err := scale(url.Values{"width": {"200"}}, body{pngOf(t, src)})
		if err != nil {
			t.Fatal(err)
		}
		label := ""
		r, err := s.do(t.Context(), "scale", func(ctx context.Context, p parts) (reply, error) {
			label, _ = pprof.Label(ctx, "route")
			return work(ctx, p)
		})
		if label != "scale" {
			t.Errorf("label %q", label)
		}
		if err != nil || r.contentType != "image/png" || !bytes.Equal(r.body, pngOf(t, want)) {
			t.Errorf("%v, or the image is not what one call of the library makes", err)
		}
	})
}

func TestAnswers(t *testing.T) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, picture(64, 48), nil); err != nil {
		t.Fatal(err)
	}
	claim := pngOf(t, picture(1, 1))
	empty := bytes.Clone(photo.Bytes())
	frame := bytes.Index(empty, []byte{0xff, 0xc0}) // says the height and the width
	clear(empty[frame+5 : frame+9])
	copy(claim[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // a few bytes that claim to be 65,536 x 65,536 pixels
	binary.BigEndian.PutUint32(claim[29:], crc32.ChecksumIEEE(claim[12:29]))
	each(t, limits{workers: 2, queue: 8, timeout: time.Minute}, func(t *testing.T, s *service) {
		server := httptest.NewServer(s.handler())
		defer server.Close()
		for _, test := range []struct {
			path   string
			body   io.Reader
			status int
			want   string
		}{
			{"/scale?width=32", bytes.NewReader(photo.Bytes()), 200, "\xff\xd8\xff"},
			{"/scale?width=1", bytes.NewReader(pngOf(t, picture(300, 1))), 200, "\x89PNG"},
			{"/scale", bytes.NewReader(photo.Bytes()), 400, `width="": want a number from 1 to 4096`},
			{"/scale?width=0", bytes.NewReader(photo.Bytes()), 400, `width="0"`},
			{"/scale?width=9", strings.NewReader("hello"), 400, "no image: image: unknown format"},
			{"/scale?width=9", bytes.NewReader(photo.Bytes()[:photo.Len()/2]), 400, "a broken image: unexpected EOF"},
			{"/scale?width=9", bytes.NewReader(claim), 400, "65536 x 65536 is too large"},
			{"/scale?width=9", bytes.NewReader(empty), 400, "image"},
			{"/scale?width=4096", bytes.NewReader(pngOf(t, image.NewGray(image.Rect(0, 0, 1, 10_000)))), 400, "4096 x 40960000 would be too large"},
			{"/scale?width=4096", bytes.NewReader(pngOf(t, image.NewGray(image.Rect(0, 0, 1, 1500)))), 400, "would be too large"},
			{"/scale?width=9", bytes.NewReader(pngOf(t, image.NewGray(image.Rect(0, 0, 1, 10_000)))), 200, "\x89PNG"},
			{"/debug/pprof/", nil, 404, ""},
			{"/scale?width=9", io.LimitReader(zeros{}, maxBody+1), 413, "too large"},
			{"/gone", nil, 404, ""},
		} {
			r, err := http.Post(server.URL+test.path, "", test.body)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r.Body)
			r.Body.Close()
			if r.StatusCode != test.status || !strings.HasPrefix(string(got), test.want) && !strings.Contains(string(got), test.want) {
				t.Errorf("%s: %d, %.100q, %v, want %d, %q", test.path, r.StatusCode, got, err, test.status, test.want)
			}
		}
		r, err := http.Get(server.URL + "/scale")
		if err != nil || r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET /scale: %v, %v", r, err)
		}
		r.Body.Close()
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// through returns the answer to a request for the work, by HTTP.
func through(s *service, timeout time.Duration, w work) *http.Response {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	r := httptest.NewRecorder()
	s.route("test", func(url.Values, body) (work, error) { return w, nil }).ServeHTTP(r, httptest.NewRequestWithContext(ctx, "POST", "/", nil))
	return r.Result()
}

// As many requests are accepted as the workers and the queue have room for. The others
// are told at once, while those wait, and before they have sent a body. A failure of the latter means
// that a server that has too much to do receives bodies nevertheless.
func TestBusy(t *testing.T) {
	each(t, limits{workers: 2, queue: 3}, func(t *testing.T, s *service) {
		begun, release := make(chan bool, 5), make(chan bool)
		answers := make(chan *http.Response)
		ask := func() {
			answers <- through(s, time.Minute, func(context.Context, parts) (reply, error) {
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
		addr := listening(t, newServer(s.handler(), limits{connections: 100, patience: time.Minute, timeout: time.Minute}))
		for head, want := range map[string]int{"Content-Length: 30000000\r\n": 503, "Transfer-Encoding: chunked\r\n": 503, "Content-Length: 1000000000\r\n": 413} {
			if got := statusOf(dial(t, addr, upload+head+"\r\n")); got != want {
				t.Errorf("%q: status %d before a body, want %d", head, got, want)
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
	each(t, limits{workers: 1, queue: 2}, func(t *testing.T, s *service) {
		release := make(chan bool)
		begun := make(chan bool)
		first := make(chan *http.Response)
		go func() {
			first <- through(s, time.Minute, func(context.Context, parts) (reply, error) { begun <- true; <-release; return reply{}, nil })
		}()
		<-begun
		r := through(s, time.Millisecond, func(context.Context, parts) (reply, error) {
			t.Error("a request was begun after its deadline")
			return reply{}, nil
		})
		if r.StatusCode != http.StatusGatewayTimeout {
			t.Errorf("status %s, want a timeout", r.Status)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := s.shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the end of the engine did not wait for work that goes on: %v", err)
		}
		close(release)
		if r := <-first; r.StatusCode != 200 {
			t.Errorf("status %s of what was running", r.Status)
		}
	})
}

// logged has the log go to a channel, until the test ends.
func logged(t *testing.T) <-chan string {
	lines := make(chan string, 100)
	log.SetOutput(writer(func(p []byte) (int, error) { lines <- string(p); return len(p), nil }))
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	return lines
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// A panic costs one request, and is in the log with the line that has raised it: also if the
// client has gone, and the answer is not waited for.
func TestPanic(t *testing.T) {
	each(t, limits{workers: 1, queue: 1}, func(t *testing.T, s *service) {
		lines := logged(t)
		says := func() {
			text := ""
			for tries := 0; !strings.Contains(text, "boom") || !strings.Contains(text, "main_test.go:"); tries++ {
				if tries == 1000 {
					t.Fatalf("the log does not say where the panic came from, but at last %q", text)
				}
				select {
				case text = <-lines:
				case <-time.After(time.Millisecond):
					runtime.GC() // The pool knows then that the handle of the job is gone.
				}
			}
		}
		for range 2 {
			if r := through(s, time.Minute, func(context.Context, parts) (reply, error) { panic("boom") }); r.StatusCode != 500 {
				t.Errorf("status %s", r.Status)
			}
			says()
		}
		release := make(chan bool)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if _, err := s.do(ctx, "test", func(context.Context, parts) (reply, error) {
			cancel()
			<-release
			panic("boom")
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of a client that has gone", err)
		}
		for len(lines) > 0 {
			<-lines // of the requests before
		}
		close(release)
		says()
	})
}

// An interrupt ends the server, but not before the request is answered that is on its way.
func TestInterrupt(t *testing.T) {
	logged(t)
	addrs, cancel, end := started(t, 1, "-addr=127.0.0.1:0", "-timeout=1m")
	c := dial(t, addrs[0], "POST /scale?width=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
	answer := bufio.NewReader(c)
	line, err := answer.ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatal(line, err) // The handler asks for the body.
	}
	cancel()
	for err == nil { // until no more requests are accepted
		var other net.Conn
		if other, err = net.Dial("tcp", addrs[0]); err == nil {
			other.Close()
		}
	}
	fmt.Fprint(c, "none")
	if got, err := io.ReadAll(answer); err != nil || !strings.Contains(string(got), "no image") {
		t.Errorf("%q, %v", got, err)
	}
	end()
}

func TestBadFlags(t *testing.T) {
	programtest.Refuses(t, serve, map[string]string{"-workers=0": "must be positive", "-workers=1000000000": "must be at most", "-queue=9223372036854775807": "must be at most", "-queue=0": "must be positive", "-connections=0": "must be positive", "-timeout=0s": "must be positive", "-patience=0s": "must be positive", "-addr=:nowhere": "nowhere", "-addr=127.0.0.1:0 -debug=:nowhere": "nowhere"})
}
