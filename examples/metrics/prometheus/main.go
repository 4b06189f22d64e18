// Prometheus runs a pool, and serves its numbers for Prometheus to scrape.
package main

import (
	"context"
	"io"
	"net"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/rouse-go/rouse/examples/metrics/internal/demo"
	"github.com/rouse-go/rouse/pool"
)

func main() { demo.Main(serve) }

func serve(ctx context.Context, p *pool.Pool, l net.Listener, out io.Writer) error {
	r := prometheus.NewRegistry() // or prometheus.DefaultRegisterer, whose handler is promhttp.Handler()
	unregister, err := register(r, "demo", p)
	if err != nil {
		return err
	}
	defer unregister()
	return demo.Serve(ctx, l, out, "/metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
}
