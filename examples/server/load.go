package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// load starts a server for each engine, in a process of its own, finds out how much it
// can do, sends it three times as much, and prints what became of that.
func load(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("server load", flag.ContinueOnError)
	duration := flags.Duration("duration", 30*time.Second, "how long the load lasts; a sixth of that before, to find out the peak")
	times := flags.Float64("times", 3, "the load, as a multiple of the peak")
	rate := flags.Float64("rate", 0, "the load in requests a second, in place of that: to compare two versions of a server")
	kinds := flags.String("engines", "pool,semaphore,unlimited", "the engines, separated by commas")
	l := limitFlags(flags)
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *duration <= 0 || *times <= 0 || *rate < 0 {
		return errors.New("-duration, -times and -rate must be positive")
	}
	var all []*outcome
	for kind := range strings.SplitSeq(*kinds, ",") {
		o, err := measure(ctx, kind, *l, *duration, *times, *rate)
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		all = append(all, o)
	}
	printOutcomes(out, *l, *duration, all)
	return all[0].missed()
}

// measure is load for one engine. A rate of 0 is none.
func measure(ctx context.Context, kind string, l limits, duration time.Duration, times, rate float64) (o *outcome, err error) {
	s, err := startServer(ctx, kind, l)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	c := newClient(s.url)
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	o = &outcome{kind: kind, limits: l}
	if o.before, err = c.goroutines(ctx); err != nil {
		return nil, err
	}
	if o.peak, err = c.closedLoop(ctx, l.workers+l.queue/2, duration/6); err != nil {
		return nil, err
	}
	o.offered = cmp.Or(rate, times*o.peak)
	c.openLoop(ctx, o, duration)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	o.after, err = c.settled(ctx, o.before)
	return o, err
}

// A server is a process that serves.
type server struct {
	cmd *exec.Cmd
	url string
}

func startServer(ctx context.Context, kind string, l limits) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-addr=127.0.0.1:0", "-engine="+kind,
		fmt.Sprint("-workers=", l.workers), fmt.Sprint("-queue=", l.queue), fmt.Sprint("-timeout=", l.timeout))
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listening on ")
	if !ok {
		cmd.Process.Kill()
		return nil, errors.Join(fmt.Errorf("the server printed %q", line), err, cmd.Wait())
	}
	return &server{cmd, url}, nil
}

// stop ends the server as an operator does. An error says that it did not end well.
func (s *server) stop() error {
	return errors.Join(s.cmd.Process.Signal(syscall.SIGTERM), s.cmd.Wait())
}

// A client sends requests, each as likely to be one for an image as one for a document.
type client struct {
	http            *http.Client
	url             string
	image, document []byte
}

func newClient(url string) *client {
	c := &client{url: url, http: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 1 << 16}}}
	picture := image.NewYCbCr(image.Rect(0, 0, 480, 360), image.YCbCrSubsampleRatio420)
	for i := range picture.Y {
		picture.Y[i] = uint8(i*i>>8 ^ i>>4)
	}
	var out bytes.Buffer
	_ = jpeg.Encode(&out, picture, nil)
	c.image = out.Bytes()
	c.document = []byte("<list>" + strings.Repeat("<item id='1'><name>a name</name><price currency='EUR'>10</price></item>", 500) + "</list>")
	return c
}

// do sends a request, and returns the status of the answer, or 0 if there is none.
func (c *client) do(ctx context.Context) (status int) {
	path, body := "/outline", c.document
	if rand.IntN(2) == 0 {
		path, body = "/scale?width=240", c.image
	}
	r, err := c.post(ctx, path, body)
	if err != nil {
		return 0
	}
	_, err = io.Copy(io.Discard, r.Body)
	if r.Body.Close(); err != nil {
		return 0
	}
	return r.StatusCode
}

func (c *client) post(ctx context.Context, path string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, "POST", c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return c.http.Do(r)
}

// check sends one request of each kind, and looks at the answers.
func (c *client) check(ctx context.Context) error {
	r, err := c.post(ctx, "/scale?width=240", c.image)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if img, _, err := image.Decode(r.Body); err != nil || img.Bounds().Max != image.Pt(240, 180) {
		return fmt.Errorf("/scale: status %d, %w", r.StatusCode, err)
	}
	r, err = c.post(ctx, "/outline", c.document)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if got, err := io.ReadAll(r.Body); string(got) != `{"elements":{"item":500,"list":1,"name":500,"price":500},"depth":3}`+"\n" {
		return fmt.Errorf("/outline: status %d, %s, %w", r.StatusCode, got, err)
	}
	return nil
}

// goroutines returns how many the server has, without those of other connections.
func (c *client) goroutines(ctx context.Context) (n int, err error) {
	c.http.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, "GET", c.url+"/debug/pprof/goroutine?debug=1", nil)
	if err != nil {
		return 0, err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = fmt.Fscanf(answer.Body, "goroutine profile: total %d", &n)
	return n, err
}

// settled waits until the server has as many goroutines as before, but not for long, and
// returns how many it has.
func (c *client) settled(ctx context.Context, before int) (n int, err error) {
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if n, err = c.goroutines(ctx); err != nil || n <= before || time.Now().After(end) {
			return n, err
		}
	}
}

// closedLoop has so many clients send one request after the other, and returns how many
// succeed each second. It goes on until one has: on a busy machine that may take longer.
func (c *client) closedLoop(ctx context.Context, clients int, d time.Duration) (rate float64, err error) {
	var all sync.WaitGroup
	var succeeded atomic.Int64
	start := time.Now()
	goesOn := func() bool {
		at := time.Since(start)
		return ctx.Err() == nil && (at < d || succeeded.Load() == 0 && at < d+time.Minute)
	}
	for range clients {
		all.Go(func() {
			for goesOn() {
				if c.do(ctx) == http.StatusOK {
					succeeded.Add(1)
				}
			}
		})
	}
	all.Wait()
	if n := succeeded.Load(); n > 0 {
		return float64(n) / time.Since(start).Seconds(), nil
	}
	return 0, fmt.Errorf("of %d clients that sent requests for %v, one after the other, none had an answer", clients, time.Since(start).Round(time.Second))
}

// openLoop sends requests at random times, as from many who know nothing of each other:
// the next one does not wait for the answer to the last. The time of an answer counts from
// when its request was sent. How late that was is told apart: the load has no processor to
// itself, and its goroutines wait for one, too.
func (c *client) openLoop(ctx context.Context, o *outcome, d time.Duration) {
	var mu sync.Mutex // guards o
	var all sync.WaitGroup
	o.ok, o.refused, o.late = histogram(), histogram(), histogram()
	start := time.Now()
	end := start.Add(d)
	for due := start; due.Before(end) && ctx.Err() == nil; {
		time.Sleep(time.Until(due))
		wanted := due
		all.Go(func() {
			sent := time.Now()
			late := sent.Sub(wanted)
			status := c.do(ctx)
			took := time.Since(sent)
			mu.Lock()
			defer mu.Unlock()
			o.sent++
			_ = o.late.RecordValue(late.Microseconds())
			switch status {
			case http.StatusOK:
				_ = o.ok.RecordValue(took.Microseconds())
				if time.Now().Before(end) {
					o.inTime++
				}
			case http.StatusServiceUnavailable:
				_ = o.refused.RecordValue(took.Microseconds())
			default:
				o.failed++
			}
		})
		due = due.Add(time.Duration(rand.ExpFloat64() / o.offered * float64(time.Second)))
	}
	all.Wait()
	o.throughput = float64(o.inTime) / d.Seconds()
}

// histogram makes one for microseconds, up to a minute.
func histogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, 60e6, 3) }
