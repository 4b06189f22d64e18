// Fetch gets the web pages whose addresses are its arguments, and prints the size and the
// checksum of each, in their order.
//
//	fetch -limit 8 -timeout 5s https://go.dev/ https://pkg.go.dev/
//	fetch -demo 40
//
// It waits for several pages at the same time, but for no more than the limit. It fails if a
// page cannot be fetched, with the error of the first such page in their order. The timeout and
// an interrupt end it, too. With -demo it serves the pages itself, each after 50 ms.
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("fetch", run) }

func run(ctx context.Context, c *program.Call) error {
	limit := c.Flags.Int("limit", 16, "how many pages to wait for at the same time")
	timeout := c.Flags.Duration("timeout", 30*time.Second, "how long the whole run may take")
	demo := c.Flags.Int("demo", 0, "fetch `n` pages from a server of its own")
	if err := c.Parse(program.Any, "address...", "limit"); err != nil {
		return err
	}
	if err := c.AtMost(10_000, "demo", "limit"); err != nil {
		return err
	}
	urls := c.Flags.Args()
	if *demo > 0 {
		var stop func()
		urls, stop = serve(*demo)
		defer stop()
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	pages, err := program.Either(c, fetched, fetchedPlain)(ctx, urls, *limit)
	if err != nil {
		return err
	}
	for i, p := range pages {
		fmt.Fprintf(c.Out, "%8d %x %s\n", p.size, p.sum[:8], shown(urls[i]))
	}
	c.Done("%d pages", len(pages))
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
		return p, fmt.Errorf("%s is not an address", shown(url)) // The error has all of it.
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return p, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return p, fmt.Errorf("%s: %s", shown(url), response.Status)
	}
	h := sha256.New()
	if p.size, err = io.Copy(h, response.Body); err != nil {
		return p, fmt.Errorf("%s: %w", shown(url), err)
	}
	h.Sum(p.sum[:0])
	return p, nil
}

// shown returns an address without the user's name and password, also if it cannot be parsed.
func shown(url string) string {
	if i := strings.LastIndex(url, "@"); i >= 0 {
		return "…" + url[i:]
	}
	return url
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
