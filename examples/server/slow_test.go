package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/examples/internal/program"
)

// listening serves on a free port until the test ends.
func listening(t *testing.T, server *http.Server) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- server.Serve(l) }()
	t.Cleanup(func() { server.Close(); <-ended })
	return l.Addr().String()
}

// dial sends a text to a server.
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

// statusOf waits for an answer, and returns its status, or 0 if the connection is closed without one.
func statusOf(c net.Conn) int {
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	_, _ = io.Copy(io.Discard, r.Body)
	return r.StatusCode
}

const upload = "POST /scale?width=1 HTTP/1.1\r\nHost: x\r\n"

// Bodies that come at the same time have a bound, and clients that announce much take nothing. A
// failure means that some dozen uploads use up all memory.
func TestFlight(t *testing.T) {
	const bodies, size = 10, 1 << 20
	each(t, limits{workers: 1, queue: 20, flight: 4 * size, timeout: time.Minute}, func(t *testing.T, s *service) {
		addr := listening(t, newServer(s.handler(), limits{connections: 100, patience: time.Minute, timeout: time.Minute}))
		for range bodies {
			dial(t, addr, upload+"Content-Length: 30000000\r\n\r\nx")
		}
		refused := make(chan int, bodies)
		var held []net.Conn
		for i := range bodies {
			head := fmt.Sprintf("Content-Length: %d\r\n\r\n", size)
			text := strings.Repeat("x", size-1)
			if i%2 == 1 {
				head, text = "Transfer-Encoding: chunked\r\n\r\n", fmt.Sprintf("%x\r\n%s", size, text)
			}
			c := dial(t, addr, upload+head+text)
			held = append(held, c)
			go func() { refused <- statusOf(c) }()
		}
		for range bodies - 4 {
			if got := <-refused; got != 503 {
				t.Errorf("status %d beyond the bytes in flight, want 503", got)
			}
		}
		for _, c := range held {
			c.Close()
		}
		for deadline := time.Now().Add(time.Minute); !s.flight.TryAcquire(4*size - bodies*piece); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("what bodies took was not given back")
			}
		}
	})
}

// A client that sends or reads slowly, or half of a request, is not waited for. A failure means
// that some thousand of them are the end of a server.
func TestSlowClients(t *testing.T) {
	l := limits{workers: 1, queue: 8, connections: 100, timeout: 50 * time.Millisecond, patience: 100 * time.Millisecond}
	each(t, l, func(t *testing.T, s *service) {
		lines := logged(t)
		addr := listening(t, newServer(s.handler(), l))
		for text, want := range map[string]int{
			"":                                       0,
			upload:                                   0,
			"PO":                                     400,
			"hello\n":                                400,
			upload + "Content-Length: 9\r\n\r\nhalf": 408,
			upload + "Transfer-Encoding: chunked\r\n\r\n9\r\nhalf":    408,
			upload + "Transfer-Encoding: chunked\r\n\r\nnone\r\n":     400,
			upload + "A: " + strings.Repeat("x", 50_000) + "\r\n\r\n": 431,
		} {
			if got := statusOf(dial(t, addr, text)); got != want {
				t.Errorf("%.100q, and nothing more: status %d, want %d", text, got, want)
			}
		}
		half := dial(t, addr, upload+"Content-Length: 9\r\n\r\nhalf").(*net.TCPConn)
		half.CloseWrite()
		if got := statusOf(half); got != 400 {
			t.Errorf("status %d for half a body, want 400", got)
		}
		for len(lines) > 0 {
			if line := <-lines; strings.Contains(line, "/scale") {
				t.Errorf("a client's fault is in the log: %s", line)
			}
		}
		written := make(chan error, 1)
		slow := listening(t, newServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 64<<20))
			written <- err
		}), l))
		dial(t, slow, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if <-written == nil {
			t.Error("a client that reads nothing got it all")
		}
	})
}

// Connections have a bound, too: one more is closed at once, and one that ends makes room.
func TestConnections(t *testing.T) {
	addr := listening(t, newServer(http.NotFoundHandler(), limits{connections: 2, timeout: time.Minute, patience: time.Minute}))
	const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	first, second := dial(t, addr, get), dial(t, addr, get)
	if a, b := statusOf(first), statusOf(second); a != 404 || b != 404 {
		t.Errorf("the first two connections: status %d, %d", a, b)
	}
	if got := statusOf(dial(t, addr, get)); got != 0 {
		t.Errorf("status %d of one connection too many", got)
	}
	first.Close()
	for got, tries := 0, 0; got != 404; tries++ {
		if got = statusOf(dial(t, addr, get)); tries == 5000 {
			t.Fatal("a connection that has ended makes no room")
		}
		time.Sleep(time.Millisecond)
	}
}

// started serves with the arguments until the test cancels, and returns the addresses that it prints. end
// cancels, and waits for an end without an error.
func started(t *testing.T, addresses int, args ...string) (addrs []string, cancel, end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, program.New("server", args, nil, in, io.Discard)) }()
	end = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the end of the server: %v", err)
		}
	}
	lines := bufio.NewReader(out)
	for range addresses {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		_, addr, _ := strings.Cut(strings.TrimSpace(line), "http://")
		addrs = append(addrs, addr)
	}
	return addrs, cancel, end
}

// Clients that have sent nothing or half of a request do not keep a server from its end, which is no
// failure.
func TestEndsWithoutThem(t *testing.T) {
	logged(t)
	addrs, _, end := started(t, 1, "-addr=127.0.0.1:0", "-timeout=50ms")
	dial(t, addrs[0], "")
	dial(t, addrs[0], upload)
	dial(t, addrs[0], upload+"Content-Length: 9\r\n\r\nhalf")
	c := dial(t, addrs[0], "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if got := statusOf(c); got != 404 {
		t.Errorf("status %d", got)
	}
	end()
}

// Profiles have an address of their own, where a client has longer to read than the usual 30 s, and not forever.
func TestProfiles(t *testing.T) {
	if d := newProfiles(limits{patience: time.Second}).WriteTimeout; d < time.Minute {
		t.Errorf("a client that gets a profile is cut off after %v, 0 for never", d)
	}
	logged(t)
	addrs, _, end := started(t, 2, "-addr=127.0.0.1:0", "-debug=127.0.0.1:0")
	host, _, _ := strings.Cut(addrs[1], "/")
	for _, path := range []string{"", "goroutine?debug=1", "cmdline", "symbol", "profile?seconds=1"} {
		for addr, want := range map[string]int{addrs[0]: 404, host: 200} {
			r, err := http.Get("http://" + addr + "/debug/pprof/" + path)
			if err != nil {
				t.Fatal(err)
			}
			r.Body.Close()
			if r.StatusCode != want {
				t.Errorf("%s/debug/pprof/%s: status %d, want %d", addr, path, r.StatusCode, want)
			}
		}
	}
	end()
}

// peakMemory returns the most bytes that a process had.
func peakMemory(t *testing.T, pid int) (n int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscan(after, &n); err != nil {
		t.Fatal(err)
	}
	return n << 10
}

// As a process of its own, a server that gets 40 images of 30 MB at once uses little memory. A failure
// means that a few clients end it.
func TestMemory(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("no figures of a process here:", err)
	}
	if raceEnabled() {
		t.Skip("the race detector needs memory of its own")
	}
	server := startServer(t, limits{workers: 1, queue: 32, timeout: time.Minute}, false)
	text := strings.Repeat("x", 30<<20)
	statuses := make(chan int)
	addr := strings.TrimPrefix(server.url, "http://")
	for range 40 {
		go func() {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				statuses <- -1
				return
			}
			defer c.Close()
			fmt.Fprintf(c, "%sContent-Length: %d\r\n\r\n%s", upload, len(text), text)
			statuses <- statusOf(c)
		}()
	}
	seen := map[int]int{}
	for range 40 {
		seen[<-statuses]++
	}
	t.Log(seen)
	peak := peakMemory(t, server.pid)
	if err := server.stop(); err != nil || peak > 500<<20 || seen[400] == 0 {
		t.Errorf("%d MB, answers by status: %v, and the end: %v", peak>>20, seen, err)
	}
}

// raceEnabled says that the race detector is built in.
func raceEnabled() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
