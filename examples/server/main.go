// Server is a small HTTP service whose requests need the processor: it scales images.
//
//	POST /scale?width=200   an image, PNG or JPEG: the same one in that width
//	GET  /debug/pprof/      profiles; jobs have the label "route"
//
// Each request has a deadline. Each worker runs one request at a time, and as many more wait
// as the queue has room for. The others get 503 at once. After an interrupt the server answers
// the requests that it has accepted, and then exits.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("server", serve) }

// limits are what a server keeps to.
type limits struct {
	workers, queue int
	timeout        time.Duration
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
	var l limits
	addr := c.Flags.String("addr", "127.0.0.1:8080", "the `address` to listen on; port 0 takes a free one")
	// One processor is left to the network: else a refusal waits behind the work.
	c.Flags.IntVar(&l.workers, "workers", max(1, runtime.GOMAXPROCS(0)-1), "how many requests run at the same time")
	c.Flags.IntVar(&l.queue, "queue", 32, "how many requests may wait")
	c.Flags.DurationVar(&l.timeout, "timeout", 2*time.Second, "how long a request may take")
	if err := c.Parse(0, "", "workers", "queue", "timeout"); err != nil {
		return err
	}
	e, err := program.Either(c, newOnPool, newOnSemaphore)(l)
	if err != nil {
		return err
	}
	s := &http.Server{Handler: newHandler(e, l.timeout), ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return errors.Join(err, e.shutdown(ctx))
	}
	if os.Getenv("GOGC") == "" {
		// Little lives from one request to the next, and each makes much garbage. By default
		// that is collected 50 times a second, each time in the way of all requests.
		debug.SetGCPercent(400)
	}
	fmt.Fprintf(c.Out, "listening on http://%s\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	select {
	case err := <-ended:
		return errors.Join(err, e.shutdown(ctx))
	case <-ctx.Done():
	}
	log.Print("shutting down")
	ctx, cancel := context.WithTimeout(context.Background(), 2*l.timeout)
	defer cancel()
	// First no new request may come. Then the accepted ones are completed.
	return errors.Join(s.Shutdown(ctx), e.shutdown(ctx))
}
