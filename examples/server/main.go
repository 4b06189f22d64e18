// Server is a small HTTP service that works with the processor: it scales images and
// reads XML documents.
//
//	POST /scale?width=200   an image, PNG or JPEG: the same one in that width
//	POST /outline           an XML document: how often each element is in it, as JSON
//	GET  /debug/pprof/      profiles; jobs have the label "route"
//
// Each request has a deadline. As many are worked on at once as there are workers, and
// as many wait as the queue has room for. The others get 503 at once. An interrupt ends
// the server when the requests that it has accepted are answered.
//
// With the argument load it puts such a server under load, and prints how it does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	if len(os.Args) > 1 && os.Args[1] == "load" {
		err = load(ctx, os.Args[2:], os.Stdout)
	} else {
		err = serve(ctx, os.Args[1:], os.Stdout)
	}
	stop()
	switch {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case err != nil:
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

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

// engines are the ways to do it, by name.
var engines = map[string]func(limits) (engine, error){
	"pool":      newOnPool,
	"semaphore": newOnSemaphore,
	"unlimited": newUnlimited,
}

// serve runs a server until ctx ends. It prints its address to out.
func serve(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "the `address` to listen on; port 0 takes a free one")
	kind := flags.String("engine", "pool", "what does the work: pool, semaphore or unlimited (a goroutine for each request)")
	l := limitFlags(flags)
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	newEngine, ok := engines[*kind]
	if !ok {
		return fmt.Errorf("there is no engine %q; there are pool, semaphore and unlimited", *kind)
	}
	if l.workers < 1 || l.queue < 1 || l.timeout <= 0 {
		return errors.New("-workers, -queue and -timeout must be positive")
	}
	e, err := newEngine(*l)
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
	fmt.Fprintf(out, "listening on http://%s\n", listener.Addr())
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
	// First nobody may come any more. Then what they came for is ended.
	return errors.Join(s.Shutdown(ctx), e.shutdown(ctx))
}

func limitFlags(flags *flag.FlagSet) *limits {
	l := new(limits)
	// One processor is left to the network: else a refusal waits behind the work.
	flags.IntVar(&l.workers, "workers", max(1, runtime.GOMAXPROCS(0)-1), "how many requests are worked on at once")
	flags.IntVar(&l.queue, "queue", 32, "how many requests may wait")
	flags.DurationVar(&l.timeout, "timeout", 2*time.Second, "how long a request may take")
	return l
}
