// Server is a small HTTP service whose requests need the processor: it scales images.
//
//	POST /scale?width=200   an image, PNG or JPEG: the same one in that width
//
// Each request has a deadline. Each worker runs one request at a time, and as many more wait
// as the queue has room for. The others get 503 at once. After an interrupt the server answers
// the requests that it has accepted, and then exits. With -debug it serves profiles, on an address
// of their own; jobs have the label "route" there.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("server", serve) }

// limits are what a server keeps to.
type limits struct {
	workers, queue, connections int
	timeout                     time.Duration
	patience                    time.Duration // with a client, until it has sent or read all
	flight                      int64         // bytes of all bodies that come or wait, and of all answers that go
}

// An engine does the work of requests.
type engine interface {
	// do calls work, and returns what that returns, or errBusy at once, or the error of
	// ctx when that ends. The label is for profiles.
	do(ctx context.Context, label string, work work) (reply, error)
	// shutdown waits for all work, until ctx ends.
	shutdown(ctx context.Context) error
}

var errBusy = errors.New("too many requests wait")

// serve runs a server until ctx ends. It prints its address.
func serve(ctx context.Context, c *program.Call) error {
	l := limits{flight: 128 << 20}
	addr := c.Flags.String("addr", "127.0.0.1:8080", "the `address` to listen on; port 0 takes a free one")
	debugAddr := c.Flags.String("debug", "", "the `address` that serves profiles, which only you should reach; by default none does")
	// One processor is left to the network: else a refusal waits behind the work.
	c.Flags.IntVar(&l.workers, "workers", max(1, runtime.GOMAXPROCS(0)-1), "how many requests run at the same time")
	c.Flags.IntVar(&l.queue, "queue", 32, "how many requests may wait")
	c.Flags.IntVar(&l.connections, "connections", 4096, "how many clients may be connected")
	c.Flags.DurationVar(&l.timeout, "timeout", 2*time.Second, "how long a request may take, once it has come")
	c.Flags.DurationVar(&l.patience, "patience", 10*time.Second, "how long a client may take to send a request, or to read an answer")
	if err := c.Parse(0, "", "workers", "queue", "connections", "timeout", "patience"); err != nil {
		return err
	}
	if err := c.AtMost(1<<12, "workers"); err != nil {
		return err
	}
	if err := c.AtMost(1<<20, "queue", "connections"); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	e, err := program.Either(c, newOnPool, newOnSemaphore)(l)
	if err != nil {
		return err
	}
	tuneGC(l)
	ended := make(chan error, 2)
	s := newServer(newService(e, l).handler(), l)
	fmt.Fprintf(c.Out, "listening on http://%s\n", listener.Addr())
	go func() { ended <- s.Serve(listener) }()
	if *debugAddr != "" {
		profiles, err := net.Listen("tcp", *debugAddr)
		if err != nil {
			return errors.Join(err, s.Close(), e.shutdown(ctx))
		}
		p := newProfiles(l)
		defer p.Close()
		fmt.Fprintf(c.Out, "profiles on http://%s/debug/pprof/\n", profiles.Addr())
		go func() { ended <- p.Serve(profiles) }()
	}
	select {
	case err := <-ended:
		return errors.Join(err, s.Close(), e.shutdown(ctx))
	case <-ctx.Done():
	}
	log.Print("shutting down")
	// First no new request may come. Then the accepted ones are completed.
	drain(s, 2*l.timeout)
	ctx, cancel := context.WithTimeout(context.Background(), 2*l.timeout)
	defer cancel()
	return e.shutdown(ctx)
}

// tuneGC lets garbage lie while it takes little memory. Little lives from one request to the next, and
// each makes much garbage. By default that is collected 50 times a second, each time in the way of
// all requests.
func tuneGC(l limits) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(2*l.flight + int64(l.workers)*maxPixels*pixelBytes)
	}
}
