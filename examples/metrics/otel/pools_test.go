package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/rouse-go/rouse/examples/metrics/internal/demo"
	"github.com/rouse-go/rouse/examples/metrics/internal/demotest"
	"github.com/rouse-go/rouse/pool"
)

// collector returns a reader of the pools, and the provider that it reads from.
func collector(t *testing.T, ps *pools) (*sdk.ManualReader, *sdk.MeterProvider) {
	t.Helper()
	r := sdk.NewManualReader(sdk.WithProducer(ps))
	provider := sdk.NewMeterProvider(sdk.WithReader(r))
	t.Cleanup(func() { provider.Shutdown(context.Background()) })
	return r, provider
}

// collected returns what a reader has, by pool and metric. A histogram is several numbers, and the
// name of a counter gets the suffix _total.
func collected(t *testing.T, r *sdk.ManualReader) map[string]map[string]float64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := r.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	pools := map[string]map[string]float64{}
	of := func(a attribute.Set) map[string]float64 {
		name, ok := a.Value("rouse.pool.name")
		if !ok || a.Len() != 1 {
			t.Fatalf("attributes %v, want one, rouse.pool.name", a.ToSlice())
		}
		if pools[name.AsString()] == nil {
			pools[name.AsString()] = map[string]float64{}
		}
		return pools[name.AsString()]
	}
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Sum[int64]:
				name := m.Name
				if d.IsMonotonic {
					name += "_total"
				}
				for _, p := range d.DataPoints {
					of(p.Attributes)[name] = float64(p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range d.DataPoints {
					to := of(p.Attributes)
					to[m.Name+" count"], to[m.Name+" sum"] = float64(p.Count), p.Sum
					to[m.Name+" max"], _ = p.Max.Value()
					for i, n := range p.BucketCounts {
						bound := math.Inf(1)
						if i < len(p.Bounds) {
							bound = p.Bounds[i]
						}
						to[fmt.Sprintf("%s bucket %v", m.Name, bound)] = float64(n)
					}
				}
			default:
				t.Fatalf("%s is a %T", m.Name, d)
			}
		}
	}
	return pools
}

// of returns what a reader has of one pool with these numbers.
func of(t *testing.T, s pool.Stats) map[string]float64 {
	t.Helper()
	ps := pools{byName: map[string]*observed{"a": newObserved("a", func() pool.Stats { return s })}}
	r, provider := collector(t, &ps)
	observe(t, &ps, provider)
	return collected(t, r)["a"]
}

func observe(t *testing.T, ps *pools, provider metric.MeterProvider) {
	t.Helper()
	if err := ps.observe(provider); err != nil {
		t.Fatal(err)
	}
}

func TestFields(t *testing.T) {
	var names []string
	for _, name := range demotest.Fields(t, func(s pool.Stats) map[string]float64 { return of(t, s) }) {
		// The README says how those of Prometheus differ.
		name, _, histogram := strings.Cut(strings.ReplaceAll(name, ".", "_"), " ")
		if histogram || name == "rouse_pool_oldest_queued" {
			name += "_seconds"
		}
		names = append(names, name)
	}
	demotest.Documented(t, names)
}

// Pools that come after a reader, which can be only one, are there for it, too.
func TestPools(t *testing.T) {
	var ps pools
	r, provider := collector(t, &ps)
	observe(t, &ps, provider)
	if err := ps.observe(provider); err == nil || !strings.Contains(err.Error(), "observed already") {
		t.Errorf("observed twice: error %v, want one that says so", err)
	}
	read := func() map[string]map[string]float64 { return collected(t, r) }
	demotest.Pools(t, ps.add, read, func(s pool.Stats) map[string]float64 { return of(t, s) })
}

func TestHistogram(t *testing.T) {
	var s pool.Stats
	s.QueueTime.Count, s.QueueTime.Sum, s.QueueTime.Max = 6, 12e9, 11e9
	s.QueueTime.Buckets[0], s.QueueTime.Buckets[2], s.QueueTime.Buckets[12] = 1, 2, 3
	got := of(t, s)
	for name, want := range map[string]float64{
		" bucket 1e-06": 1, " bucket 4e-06": 0, " bucket 1.6e-05": 2, " bucket 4.194304": 0, " bucket +Inf": 3, " count": 6, " sum": 12, " max": 11,
	} {
		if n, ok := got["rouse.pool.queue_time"+name]; !ok || n != want {
			t.Errorf("%s is %v, want %v; all: %v", name, n, want, got)
		}
	}
}

// The program prints the last numbers as it ends.
func TestProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	if err := demo.Run(ctx, "127.0.0.1:0", &out, show); err != nil {
		t.Fatal(err)
	}
	var printed struct {
		ScopeMetrics []struct{ Metrics []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(out.String()), &printed); err != nil {
		t.Fatal(err)
	}
	for _, s := range printed.ScopeMetrics {
		for _, m := range s.Metrics {
			if m.Name == "rouse.pool.jobs_submitted" {
				return
			}
		}
	}
	t.Errorf("the program prints %s", out.String())
}
