// Otel runs a pool, and prints its numbers as OpenTelemetry has them, one line of JSON every two
// seconds.
package main

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	"github.com/rouse-go/rouse/examples/metrics/internal/demo"
	"github.com/rouse-go/rouse/pool"
)

func main() { demo.Main(show) }

func show(ctx context.Context, p *pool.Pool, _ net.Listener, out io.Writer) (err error) {
	exporter, err := stdoutmetric.New(stdoutmetric.WithWriter(out))
	if err != nil {
		return err
	}
	var ps pools
	provider := sdk.NewMeterProvider(sdk.WithReader(
		sdk.NewPeriodicReader(exporter, sdk.WithInterval(2*time.Second), sdk.WithProducer(&ps))))
	// It exports the last numbers.
	defer func() { err = errors.Join(err, provider.Shutdown(context.WithoutCancel(ctx))) }()
	if err := ps.observe(provider); err != nil {
		return err
	}
	if _, err := ps.add("demo", p); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
