// Fetch gets the pages whose addresses are its arguments, or the lines of its input, and
// prints the size and the checksum of each, in their order.
//
//	fetch -limit 8 -timeout 5s https://go.dev/ https://pkg.go.dev/
//	fetch -demo 40
//
// It waits for several pages at the same time, at most as many as the limit says. The first
// one, in their order, that cannot be had ends it, and so do the timeout and an interrupt.
// With -demo it serves the pages itself, each after 50 ms.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	switch {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "fetch: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "fetch:", err)
		os.Exit(1)
	}
}

// run is main with its arguments, for tests. It writes to log what it did.
func run(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	flags := flag.NewFlagSet("fetch", flag.ContinueOnError)
	flags.SetOutput(log)
	limit := flags.Int("limit", 16, "how many pages to wait for at the same time")
	timeout := flags.Duration("timeout", 30*time.Second, "how long all may take")
	demo := flags.Int("demo", 0, "fetch so many pages of a server of its own")
	plain := flags.Bool("plain", false, "use errgroup in place of par")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: fetch [flags] [address...]\n\nIt prints the size and the checksum of each page. Without arguments it reads the addresses, one a line.")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if *limit < 1 {
		return errors.New("-limit must be positive")
	}
	urls := flags.Args()
	switch {
	case *demo > 0:
		var stop func()
		urls, stop = serve(*demo)
		defer stop()
	case len(urls) == 0:
		for lines := bufio.NewScanner(in); lines.Scan(); {
			urls = append(urls, lines.Text())
		}
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	get := fetched
	if *plain {
		get = fetchedPlain
	}
	start := time.Now()
	pages, err := get(ctx, urls, *limit)
	if err != nil {
		return err
	}
	for i, p := range pages {
		fmt.Fprintf(out, "%8d %x %s\n", p.size, p.sum[:8], urls[i])
	}
	fmt.Fprintf(log, "%d pages, %.2f s\n", len(pages), time.Since(start).Seconds())
	return nil
}

// A page is what is known of one.
type page struct {
	size int64
	sum  [sha256.Size]byte
}

// fetch reads a page.
func fetch(ctx context.Context, url string) (p page, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return p, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return p, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return p, fmt.Errorf("%s: %s", url, response.Status)
	}
	h := sha256.New()
	if p.size, err = io.Copy(h, response.Body); err != nil {
		return p, fmt.Errorf("%s: %w", url, err)
	}
	h.Sum(p.sum[:0])
	return p, nil
}

// serve starts a server of n pages, and returns their addresses.
func serve(n int) (urls []string, stop func()) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(50 * time.Millisecond)
		fmt.Fprintln(w, "this is", r.URL.Path)
	}))
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%d", s.URL, i))
	}
	return urls, s.Close
}
