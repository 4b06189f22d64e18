package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// served serves at /x until cancel is called, and returns the address.
func served(t *testing.T, h http.HandlerFunc) (addr string, cancel func(), ended chan error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	ended = make(chan error, 1)
	go func() { ended <- Serve(ctx, l, io.Discard, "/x", h) }()
	return l.Addr().String(), cancel, ended
}

func dial(t *testing.T, addr, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprint(c, text)
	return c
}

// A request that has come when the server ends is answered. Half of one does not keep it from its end.
func TestServeEnds(t *testing.T) {
	begun, release := make(chan bool), make(chan bool)
	addr, cancel, ended := served(t, func(w http.ResponseWriter, _ *http.Request) { begun <- true; <-release })
	c := dial(t, addr, "GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
	<-begun
	dial(t, addr, "")
	dial(t, addr, "GET /x")
	cancel()
	for { // until it accepts no more
		other, err := net.Dial("tcp", addr)
		if err != nil {
			break
		}
		other.Close()
	}
	close(release)
	if r, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || r.StatusCode != 200 {
		t.Errorf("the request is answered with %v, %v", r, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the end of the server: %v", err)
	}
}

// The server does not wait for a client that sends or reads slowly. A failure means that each such client
// keeps a goroutine and its memory forever.
func TestServeSlowClients(t *testing.T) {
	defer func(d time.Duration) { patience = d }(patience)
	patience = 50 * time.Millisecond
	written := make(chan error, 1)
	addr, cancel, ended := served(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		if err == nil {
			_, err = w.Write(make([]byte, 64<<20))
		}
		written <- err
	})
	for _, text := range []string{"GET /x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf", "GET /x HTTP/1.1\r\nHost: x\r\n\r\n"} {
		dial(t, addr, text)
		if <-written == nil {
			t.Errorf("%q, and nothing is read: it has got all", text)
		}
	}
	for _, text := range []string{"", "GET", "GET /x HTTP/1.1\r\nA: " + strings.Repeat("x", 50_000)} {
		_, _ = io.Copy(io.Discard, dial(t, addr, text)) // until it is closed
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the end of the server: %v", err)
	}
}
