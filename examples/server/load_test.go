package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

var loadFor = flag.Duration("load", 0, "how long TestLoad sends requests; it then checks how fast they are answered, too")

// A load sends images to a server.
type load struct {
	url   string
	image []byte

	mu   sync.Mutex
	took map[int][]time.Duration // how long an answer took, by its status; 0 if there was none
	late []time.Duration         // how long after it was due a request was sent
}

func newLoad(url string) *load {
	var photo bytes.Buffer
	_ = jpeg.Encode(&photo, picture(480, 360), nil)
	return &load{url: url, took: map[int][]time.Duration{}, image: photo.Bytes()}
}

// send returns the status of the answer, or 0 if there is none.
func (l *load) send() (status int) {
	r, err := http.Post(l.url+"/scale?width=240", "", bytes.NewReader(l.image))
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return 0
	}
	return r.StatusCode
}

// peak returns how many requests a second succeed while so many clients always wait for an
// answer. It goes on until one has succeeded: on a busy machine that may take longer.
func (l *load) peak(clients int, d time.Duration) float64 {
	var all sync.WaitGroup
	var done atomic.Int64
	start := time.Now()
	for range clients {
		all.Go(func() {
			for tries := 0; time.Since(start) < d || done.Load() == 0 && tries < 1000; tries++ {
				if l.send() == http.StatusOK {
					done.Add(1)
				}
			}
		})
	}
	all.Wait()
	return float64(done.Load()) / time.Since(start).Seconds()
}

// offer sends so many requests a second at random times (a Poisson process): none waits for
// the answer to another. It returns how many a second succeed in that time.
func (l *load) offer(rate float64, d time.Duration) float64 {
	var all sync.WaitGroup
	inTime := 0
	start := time.Now()
	for due := start; due.Sub(start) < d; due = due.Add(time.Duration(rand.ExpFloat64() / rate * 1e9)) {
		time.Sleep(time.Until(due))
		all.Go(func() {
			sent := time.Now()
			status := l.send()
			took := time.Since(sent)
			l.mu.Lock()
			defer l.mu.Unlock()
			l.late = append(l.late, sent.Sub(due))
			l.took[status] = append(l.took[status], took)
			if status == http.StatusOK && time.Since(start) < d {
				inTime++
			}
		})
	}
	all.Wait()
	return float64(inTime) / d.Seconds()
}

// percentile returns one of the times, which it sorts.
func percentile(times []time.Duration, p int) time.Duration {
	slices.Sort(times)
	return times[(len(times)-1)*p/100].Round(100 * time.Microsecond)
}

// TestMain makes the test a server of its own if the environment says so: load and server
// shall not share a Go scheduler.
func TestMain(m *testing.M) {
	if os.Getenv("ROUSE_EXAMPLE_SERVER") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// A process is a server by itself.
type process struct {
	url, profiles string
	pid           int
	stop          func() error // as an operator does
}

// startServer starts a server. It is patient: no client of a test is slow, but the machine may be.
func startServer(t *testing.T, l limits, plain bool) (s *process) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-addr=127.0.0.1:0", "-debug=127.0.0.1:0", "-patience=1h", fmt.Sprint("-plain=", plain),
		fmt.Sprint("-workers=", l.workers), fmt.Sprint("-queue=", l.queue), fmt.Sprint("-timeout=", l.timeout))
	cmd.Env = append(os.Environ(), "ROUSE_EXAMPLE_SERVER=1")
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s = &process{pid: cmd.Process.Pid, stop: func() error { return errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()) }}
	if _, err := fmt.Fscanf(out, "listening on %s\nprofiles on %s\n", &s.url, &s.profiles); err != nil {
		t.Fatal(err, cmd.Wait())
	}
	return s
}

// goroutines returns how many the server has, without those of other connections.
func (s *process) goroutines(t *testing.T) (n int) {
	http.DefaultClient.CloseIdleConnections()
	r, err := http.Get(s.profiles + "goroutine?debug=1")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if _, err := fmt.Fscanf(r.Body, "goroutine profile: total %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Under three times what it can do, each server answers all requests, or refuses them, and
// has as many goroutines afterwards as before. With -load, it also does so in time.
func TestLoad(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing interrupts a process there")
	}
	duration := cmp.Or(*loadFor, time.Second/2)
	l, times := limits{workers: max(1, runtime.GOMAXPROCS(0)-1), queue: 32, timeout: 2 * time.Second}, 3.0
	if *loadFor == 0 {
		l, times = limits{workers: 1, queue: 8, timeout: time.Minute}, 6 // what is a peak on a busy machine?
	}
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 1 << 16
	programtest.Each(t, false, true, func(t *testing.T, plain bool) {
		server := startServer(t, l, plain)
		load := newLoad(server.url)
		load.send()
		before := server.goroutines(t)
		peak := load.peak(l.workers+l.queue/2, duration/6)
		if peak == 0 {
			t.Fatal("no request was answered")
		}
		// However slow the machine is, that is more than fits into the queue.
		rate := max(times*peak, float64(10*(l.queue+l.workers))/duration.Seconds())
		throughput := load.offer(rate, duration)
		// Something else may have had the processors during the peak: then there is more to offer.
		for tries := 0; len(load.took[http.StatusServiceUnavailable]) == 0 && tries < 10; tries++ {
			rate *= 2
			throughput = load.offer(rate, duration)
		}
		after := server.goroutines(t)
		for beats := 0; after > before && beats < 500; beats++ {
			time.Sleep(20 * time.Millisecond)
			after = server.goroutines(t)
		}
		if err := server.stop(); err != nil || after > before {
			t.Errorf("%d goroutines, %d before; and the end: %v", after, before, err)
		}
		ok, refused := load.took[http.StatusOK], load.took[http.StatusServiceUnavailable]
		if len(ok) == 0 || len(refused) == 0 || len(ok)+len(refused) != len(load.late) {
			t.Fatalf("of %d requests %d succeeded, %d were refused", len(load.late), len(ok), len(refused))
		}
		t.Logf("peak %.0f/s, load %.0f/s, done %.0f/s, p50 %v, p99 %v; %d refused, p50 %v, p99 %v; sent late, p99 %v", peak, rate, throughput,
			percentile(ok, 50), percentile(ok, 99), len(refused), percentile(refused, 50), percentile(refused, 99), percentile(load.late, 99))
		bound := time.Duration(2 * float64(l.queue) / peak * 1e9) // twice what a full queue takes
		if !plain && *loadFor > 0 && (throughput < 0.9*peak || percentile(ok, 99) > bound || percentile(refused, 99) > 5*time.Millisecond) {
			t.Errorf("want a throughput of 0.9 of the peak, a p99 of at most %v, and of 5ms for refusals", bound)
		}
	})
}
