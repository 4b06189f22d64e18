package main

import (
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/rouse-go/rouse/examples/metrics/internal/demotest"
	"github.com/rouse-go/rouse/pool"
)

// scraped returns what Prometheus understands of a scrape, by metric and pool. A histogram is
// several numbers.
func scraped(t *testing.T, text string) map[string]map[string]float64 {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	pools := map[string]map[string]float64{}
	for name, family := range families {
		for _, m := range family.Metric {
			if len(m.Label) != 1 || m.Label[0].GetName() != "pool" {
				t.Fatalf("%s has labels %v, want one, pool", name, m.Label)
			}
			of := pools[m.Label[0].GetValue()]
			if of == nil {
				of = map[string]float64{}
				pools[m.Label[0].GetValue()] = of
			}
			switch h := m.Histogram; family.GetType() {
			case dto.MetricType_GAUGE:
				of[name] = m.Gauge.GetValue()
			case dto.MetricType_COUNTER:
				of[name] = m.Counter.GetValue()
			case dto.MetricType_HISTOGRAM:
				of[name+"_count"], of[name+"_sum"] = float64(h.GetSampleCount()), h.GetSampleSum()
				for _, b := range h.Bucket {
					of[fmt.Sprintf("%s_bucket %v", name, b.GetUpperBound())] = float64(b.GetCumulativeCount())
				}
			default:
				t.Fatalf("%s is a %s", name, family.GetType())
			}
		}
	}
	return pools
}

// scrape returns what a registry serves.
func scrape(t *testing.T, r *prometheus.Registry) map[string]map[string]float64 {
	t.Helper()
	s := httptest.NewServer(promhttp.HandlerFor(r, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError}))
	defer s.Close()
	return scraped(t, demotest.Get(t, s.URL))
}

// of returns what a scrape of one pool with these numbers has.
func of(t *testing.T, s pool.Stats) map[string]float64 {
	r := prometheus.NewRegistry()
	r.MustRegister(newCollector("a", func() pool.Stats { return s }))
	return scrape(t, r)["a"]
}

// family returns the name of a metric that is several numbers.
func family(name string) string {
	return regexp.MustCompile(`_seconds_.*`).ReplaceAllString(name, "_seconds")
}

func TestFields(t *testing.T) {
	var names []string
	for _, name := range demotest.Fields(t, func(s pool.Stats) map[string]float64 { return of(t, s) }) {
		names = append(names, family(name))
	}
	readme := demotest.Documented(t, names)
	// It has no others, in queries and alerts too.
	for _, name := range regexp.MustCompile(`rouse_pool_\w+`).FindAllString(readme, -1) {
		if !slices.Contains(names, family(name)) {
			t.Errorf("the README has %s, which is not served", name)
		}
	}
}

func TestPools(t *testing.T) {
	r := prometheus.NewRegistry()
	add := func(name string, p *pool.Pool) (func(), error) {
		unregister, err := register(r, name, p)
		if taken := (prometheus.AlreadyRegisteredError{}); err != nil && errors.As(err, &taken) != (name == "a") {
			t.Errorf("pool %q: error %v, and errors.As finds %v", name, err, taken)
		}
		return unregister, err
	}
	read := func() map[string]map[string]float64 {
		if problems, err := testutil.GatherAndLint(r); err != nil || len(problems) > 0 {
			t.Error(problems, err)
		}
		return scrape(t, r)
	}
	demotest.Pools(t, add, read, func(s pool.Stats) map[string]float64 { return of(t, s) })
}

// A bucket counts all below its bound, and the one without a bound all there are.
func TestHistogram(t *testing.T) {
	var s pool.Stats
	s.QueueTime.Count, s.QueueTime.Sum = 6, 12e9
	s.QueueTime.Buckets[0], s.QueueTime.Buckets[2], s.QueueTime.Buckets[12] = 1, 2, 3
	got := of(t, s)
	for name, want := range map[string]float64{
		"_bucket 1e-06": 1, "_bucket 4e-06": 1, "_bucket 1.6e-05": 3, "_bucket 4.194304": 3, "_bucket +Inf": 6, "_count": 6, "_sum": 12,
	} {
		if n, ok := got["rouse_pool_queue_time_seconds"+name]; !ok || n != want {
			t.Errorf("%s is %v, want %v; all: %v", name, n, want, got)
		}
	}
}

// A pool whose metrics something else has, or whose name cannot be a label, is refused, and the registry stays as it was.
func TestRefused(t *testing.T) {
	r := prometheus.NewRegistry()
	r.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "rouse_pool_workers", Help: "Workers of the pool.", ConstLabels: prometheus.Labels{"pool": "b"},
	}))
	p := demotest.Rested(t, 10)
	if _, err := register(r, "a", p); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{
		"b":    `pool "b": descriptor Desc{fqName: "rouse_pool_workers"`,
		"\xff": "not valid UTF-8",
	} {
		unregister, err := register(r, name, p)
		if err == nil || unregister != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("pool %q: error %v, want one with %q", name, err, says)
		}
		if taken := (prometheus.AlreadyRegisteredError{}); errors.As(err, &taken) {
			t.Errorf("pool %q: errors.As finds %v", name, taken)
		}
	}
	if got := scrape(t, r); len(got) != 2 || len(got["b"]) != 1 || !maps.Equal(got["a"], of(t, p.Stats())) {
		t.Errorf("the registry has %v", got)
	}
}

func TestProgram(t *testing.T) {
	if got := scraped(t, demotest.Get(t, demotest.Started(t, serve)))["demo"]; got["rouse_pool_jobs_submitted_total"] == 0 {
		t.Errorf("the program serves %v", got)
	}
}
