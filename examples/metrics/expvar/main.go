// Expvar runs a pool, and serves its numbers as JSON.
package main

import (
	"context"
	"expvar"
	"io"
	"net"

	"github.com/rouse-go/rouse/examples/metrics/internal/demo"
	"github.com/rouse-go/rouse/pool"
)

func main() { demo.Main(serve) }

func serve(ctx context.Context, p *pool.Pool, l net.Listener, out io.Writer) error {
	unpublish, err := publish("demo", p)
	if err != nil {
		return err
	}
	defer unpublish()
	return demo.Serve(ctx, l, out, "/debug/vars", expvar.Handler())
}
