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

func add(t *testing.T, r prometheus.Registerer, name string, p *pool.Pool) (unregister func()) {
	t.Helper()
	unregister, err := register(r, name, p)
	if err != nil {
		t.Fatal(err)
	}
	return unregister
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

func TestScrape(t *testing.T) {
	r := prometheus.NewRegistry()
	a, b := demotest.Rested(t, 1000), demotest.Rested(t, 1)
	add(t, r, "a", a)
	add(t, r, "b", b)
	got := scrape(t, r)
	for name, p := range map[string]*pool.Pool{"a": a, "b": b} {
		s := p.Stats()
		if want := of(t, s); !maps.Equal(got[name], want) {
			t.Errorf("a scrape of pool %s has\n%v, want\n%v", name, got[name], want)
		}
		if n := got[name]["rouse_pool_jobs_ended_total"]; n == 0 || n != float64(s.Ended) {
			t.Errorf("%v jobs of pool %s have ended in a scrape, and %d in Stats", n, name, s.Ended)
		}
	}
	if problems, err := testutil.GatherAndLint(r); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
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

// What is in the registry stays there, whatever else cannot be registered.
func TestRefused(t *testing.T) {
	p := demotest.Rested(t, 10)
	r := prometheus.NewRegistry()
	add(t, r, "a", p)
	before := scrape(t, r)
	other := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "rouse_pool_workers", Help: "Workers of the pool.", ConstLabels: prometheus.Labels{"pool": "b"},
	})
	refused := func(name string, p *pool.Pool) (func(), error) {
		unregister, err := register(r, name, p)
		if taken := (prometheus.AlreadyRegisteredError{}); errors.As(err, &taken) != (name == "a") {
			t.Errorf("pool %q: error %v, and errors.As finds %v", name, err, taken)
		}
		return unregister, err
	}
	demotest.Refused(t, p, refused)
	r.MustRegister(other)
	for name, says := range map[string]string{
		"b":    `pool "b": descriptor Desc{fqName: "rouse_pool_workers"`,
		"\xff": "not valid UTF-8",
	} {
		unregister, err := refused(name, p)
		if err == nil || unregister != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("pool %q: error %v, want one with %q", name, err, says)
		}
	}
	if got := scrape(t, r); !maps.Equal(got["a"], before["a"]) || len(got) != 2 || len(got["b"]) != 1 {
		t.Errorf("the registry has\n%v, before\n%v", got, before)
	}
}

// A pool that is closed keeps its numbers until it is unregistered, and leaves its name.
func TestClosed(t *testing.T) {
	r := prometheus.NewRegistry()
	p := demotest.Rested(t, 10)
	first := add(t, r, "a", p)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if got := scrape(t, r)["a"]; !maps.Equal(got, of(t, p.Stats())) || got["rouse_pool_jobs_ended_total"] == 0 {
		t.Errorf("a scrape of a closed pool has %v", got)
	}
	first()
	if got := scrape(t, r); len(got) != 0 {
		t.Errorf("a scrape without a pool has %v", got)
	}
	add(t, r, "a", demotest.Rested(t, 0))
	first() // It has done so.
	if got := scrape(t, r); len(got) != 1 {
		t.Errorf("a scrape has %v, and another pool in place of the first one", got)
	}
}

func TestProgram(t *testing.T) {
	if got := scraped(t, demotest.Served(t, serve))["demo"]; got["rouse_pool_jobs_submitted_total"] == 0 {
		t.Errorf("the program serves %v", got)
	}
}
