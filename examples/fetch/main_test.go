package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

var versions = map[string]func(context.Context, []string, int) ([]page, error){"par": fetched, "plain": fetchedPlain}

// A web is a transport without a network, for bubbles: page i comes after so long.
type web struct {
	after         func(url string) (time.Duration, error)
	running, most atomic.Int32
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	now := w.running.Add(1)
	defer w.running.Add(-1)
	for most := w.most.Load(); now > most && !w.most.CompareAndSwap(most, now); most = w.most.Load() {
	}
	d, err := w.after(r.URL.Path)
	select {
	case <-time.After(d):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(r.URL.Path))}, nil
}

// during has all requests go to the web.
func (w *web) during(t *testing.T, f func(t *testing.T)) {
	before := http.DefaultClient.Transport
	http.DefaultClient.Transport = w
	defer func() { http.DefaultClient.Transport = before }()
	synctest.Test(t, f)
}

func addresses(n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("http://example.com/%d", i))
	}
	return urls
}

// Both wait for as many pages at the same time as the limit says, and so take as long.
func TestLimit(t *testing.T) {
	for name, get := range versions {
		w := &web{after: func(string) (time.Duration, error) { return 50 * time.Millisecond, nil }}
		w.during(t, func(t *testing.T) {
			begun := time.Now()
			pages, err := get(t.Context(), addresses(40), 16)
			if took := time.Since(begun); took != 150*time.Millisecond || w.most.Load() != 16 {
				t.Errorf("%s: 40 pages of 50 ms, 16 at a time, took %v, with %d at a time at most", name, took, w.most.Load())
			}
			if err != nil || len(pages) != 40 || pages[7].size != 2 || pages[39].size != 3 {
				t.Errorf("%s: %d pages, %v", name, len(pages), err)
			}
		})
	}
}

// The first page, in their order, that cannot be had counts, and what comes after it is given
// up.
func TestError(t *testing.T) {
	third, fifth := errors.New("the third"), errors.New("the fifth")
	w := &web{after: func(path string) (time.Duration, error) {
		switch path {
		case "/2":
			return time.Second, third
		case "/4":
			return time.Millisecond, fifth
		case "/7":
			return time.Hour, nil
		}
		return time.Millisecond, nil
	}}
	for name, want := range map[string]error{"par": third, "plain": fifth} {
		w.during(t, func(t *testing.T) {
			begun := time.Now()
			pages, err := versions[name](t.Context(), addresses(8), 8)
			if took := time.Since(begun); pages != nil || !errors.Is(err, want) || took > 2*time.Second {
				t.Errorf("%s: %v, want %v, after %v", name, err, want, took)
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	w := &web{after: func(string) (time.Duration, error) { return time.Hour, nil }}
	for name, get := range versions {
		w.during(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begun := time.Now()
			_, err := get(ctx, addresses(8), 4)
			if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
				t.Errorf("%s: %v after %v", name, err, took)
			}
		})
	}
}

// A password in an address is not shown, whatever is wrong with the address.
func TestPassword(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for _, url := range []string{"http://u:secret@" + host, "http://u:secret@" + host + ":%zz/x", "http://u:secret@[::1/x", "http://u:se@secret@" + host + "/x", "http://u:1/secret@x\x1b:y", "ftp://u:secret@x"} {
		if out, _, err := programtest.Try(t.Context(), run, url); err == nil || strings.Contains(out+err.Error(), "secret") {
			t.Errorf("%s: %q, error %v", url, out, err)
		}
	}
	if got := shown("https://u:secret@x/y"); got != "…@x/y" {
		t.Errorf("a page with a password is shown as %q", got)
	}
}

func TestRun(t *testing.T) {
	for _, flag := range []string{"-plain=false", "-plain"} {
		if out, log, err := programtest.Try(t.Context(), run, "-demo", "5", "-limit", "2", flag); err != nil || strings.Count(out, "\n") != 5 || !strings.HasPrefix(log, "5 pages, ") {
			t.Errorf("fetch %s: %v\n%s%s", flag, err, out, log)
		}
	}
	programtest.Refuses(t, run, map[string]string{"-demo 9999999999": "must be at most", "-limit 0": "-limit must be positive", "x": "unsupported protocol scheme"})
}
