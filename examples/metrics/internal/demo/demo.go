// Package demo is what the programs of this module share: a pool that is at work, and the tests
// of what shows its numbers.
package demo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A Show shows the numbers of a pool until ctx ends. It serves HTTP on the listener, or writes
// to out.
type Show = func(ctx context.Context, p *pool.Pool, l net.Listener, out io.Writer) error

// Main shows the numbers of a pool that is at work, until an interrupt.
func Main(show Show) {
	addr := flag.String("addr", "127.0.0.1:8080", "the `address` to serve; port 0 takes a free one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // A second interrupt ends the process at once.
	err := Run(ctx, *addr, os.Stdout, show)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Run makes a pool, has it work, and shows its numbers, until ctx ends.
func Run(ctx context.Context, addr string, out io.Writer, show Show) error {
	p, err := pool.New()
	if err != nil {
		return err
	}
	defer p.Close()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- work(ctx, p) }()
	err = show(ctx, p, l, out)
	cancel()
	return errors.Join(err, <-ended)
}

// work submits a burst of requests every 50 ms, until ctx ends.
func work(ctx context.Context, p *pool.Pool) error {
	bursts := time.NewTicker(50 * time.Millisecond)
	defer bursts.Stop()
	for {
		for range 4 * p.Workers() {
			if err := pool.Go(p, request); err != nil {
				return err
			}
		}
		select {
		case <-bursts.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// request computes some milliseconds, and then waits, as if for a disk.
func request(w *pool.Worker) {
	fib(w, 27)
	w.Block(func() { time.Sleep(2 * time.Millisecond) })
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := pool.Invoke(w, fib, n-1, fib, n-2)
	return a + b
}

// patience is how long a client may take to send a request, or to read the answer.
const patience = 10 * time.Second

// Serve answers requests until ctx ends. A server that then answers those that have come, too, is in
// examples/server.
func Serve(ctx context.Context, l net.Listener, out io.Writer, path string, h http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("GET "+path, h)
	s := &http.Server{Handler: mux, ReadTimeout: patience, WriteTimeout: 2 * patience, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	fmt.Fprintf(out, "http://%s%s\n", l.Addr(), path)
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
