package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/rouse-go/rouse/pool"
)

const scope = "github.com/rouse-go/rouse/pool"

// pools reports the numbers of pools to OpenTelemetry. The zero pools reports none.
//
// Pass it to the SDK twice. Instruments of the API observe all numbers except the histogram, which
// cannot be observed. For that, pools is also a Producer of the SDK: create the reader with
// sdk.WithProducer.
type pools struct {
	mu       sync.Mutex
	byName   map[string]*observed
	observes bool // a provider does
}

type observed struct {
	attributes attribute.Set
	since      time.Time
	stats      func() pool.Stats
}

func newObserved(name string, stats func() pool.Stats) *observed {
	return &observed{attribute.NewSet(attribute.String("rouse.pool.name", name)), time.Now(), stats}
}

// add adds the numbers of p, with the attribute rouse.pool.name. It returns an error if another
// pool has that name, because the SDK would add up their numbers.
//
// A collection costs one call of [pool.Pool.Stats], and another one for the histogram. A closed
// pool keeps its last numbers. remove removes them and releases the pool.
func (ps *pools) add(name string, p *pool.Pool) (remove func(), err error) {
	if name == "" || p == nil {
		return nil, fmt.Errorf("metrics: pool %q: want a name, and a pool that is not nil", name)
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.byName[name] != nil {
		return nil, fmt.Errorf("metrics: there is another pool %q", name)
	}
	if ps.byName == nil {
		ps.byName = map[string]*observed{}
	}
	ps.byName[name] = newObserved(name, p.Stats)
	return sync.OnceFunc(func() {
		ps.mu.Lock()
		defer ps.mu.Unlock()
		delete(ps.byName, name)
	}), nil
}

// all returns the pools there are now.
func (ps *pools) all() []*observed {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return slices.Collect(maps.Values(ps.byName))
}

// observe has the provider observe the pools, and those that are added later, until its Shutdown. It
// returns an error if they are observed already: the SDK would add up what it observes twice.
func (ps *pools) observe(provider metric.MeterProvider) error {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.observes {
		return errors.New("metrics: the pools are observed already")
	}
	meter := provider.Meter(scope)
	var instruments []metric.Int64Observable
	var observables []metric.Observable
	for _, n := range numbersOf(pool.Stats{}) {
		i, err := n.instrument(meter)
		if err != nil {
			return fmt.Errorf("metrics: %w", err)
		}
		instruments, observables = append(instruments, i), append(observables, i)
	}
	_, err := meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		for _, p := range ps.all() {
			for i, n := range numbersOf(p.stats()) {
				o.ObserveInt64(instruments[i], n.value, metric.WithAttributeSet(p.attributes))
			}
		}
		return nil
	}, observables...)
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	ps.observes = true
	return nil
}

// Produce returns the histogram of how long jobs were queued.
func (ps *pools) Produce(context.Context) ([]metricdata.ScopeMetrics, error) {
	h := metricdata.Histogram[float64]{Temporality: metricdata.CumulativeTemporality}
	now := time.Now()
	for _, p := range ps.all() {
		t := p.stats().QueueTime
		point := metricdata.HistogramDataPoint[float64]{
			Attributes: p.attributes, StartTime: p.since, Time: now,
			Count: t.Count, Sum: t.Sum.Seconds(), Max: metricdata.NewExtrema(t.Max.Seconds()), BucketCounts: t.Buckets[:],
		}
		for i := range len(t.Buckets) - 1 {
			point.Bounds = append(point.Bounds, t.Bound(i).Seconds())
		}
		h.DataPoints = append(h.DataPoints, point)
	}
	if len(h.DataPoints) == 0 {
		return nil, nil
	}
	return []metricdata.ScopeMetrics{{
		Scope: instrumentation.Scope{Name: scope},
		Metrics: []metricdata.Metrics{{
			Name: "rouse.pool.queue_time", Unit: "s", Description: "How long jobs were queued: a sample of all jobs.", Data: h,
		}},
	}}, nil
}

// A number is what one field of [pool.Stats] says.
type number struct {
	name        string
	counter     bool // else it goes up and down
	value       int64
	unit        string
	description string
}

func (n number) instrument(m metric.Meter) (metric.Int64Observable, error) {
	if n.counter {
		return m.Int64ObservableCounter(n.name, metric.WithUnit(n.unit), metric.WithDescription(n.description))
	}
	return m.Int64ObservableUpDownCounter(n.name, metric.WithUnit(n.unit), metric.WithDescription(n.description))
}

func numbersOf(s pool.Stats) []number {
	const upDown, counter = false, true
	return []number{
		{"rouse.pool.workers", upDown, int64(s.Workers), "{worker}", "Workers of the pool."},
		{"rouse.pool.workers_running", upDown, int64(s.Running), "{worker}", "Workers that run a job."},
		{"rouse.pool.workers_sleeping", upDown, int64(s.Sleeping), "{worker}", "Workers that sleep."},
		{"rouse.pool.jobs_queued", upDown, int64(s.Queued), "{job}", "Jobs in the queue."},
		{"rouse.pool.oldest_queued", upDown, int64(s.Oldest), "ns", "For how long the oldest of them has been queued."},
		{"rouse.pool.jobs_running_seatless", upDown, int64(s.RunningSeatless), "{job}", "Jobs that run without a worker."},
		{"rouse.pool.jobs_waiting", upDown, int64(s.Waiting), "{job}", "Jobs that are blocked until other jobs end."},
		{"rouse.pool.jobs_blocked", upDown, int64(s.Blocked), "{job}", "Jobs in Worker.Block or a similar call."},
		{"rouse.pool.jobs_submitted", counter, int64(s.Submitted), "{job}", "Jobs submitted, and calls of Run."},
		{"rouse.pool.jobs_ended", counter, int64(s.Ended), "{job}", "Jobs that ended, counted in jobs_submitted too."},
		{"rouse.pool.jobs_refused", counter, int64(s.Refused), "{job}", "Jobs that were not accepted, counted in jobs_ended too."},
		{"rouse.pool.jobs_canceled", counter, int64(s.Canceled), "{job}", "Jobs that were canceled before they started, counted in jobs_ended too."},
		{"rouse.pool.jobs_injected", counter, int64(s.Injected), "{job}", "Jobs from outside that were queued."},
		{"rouse.pool.jobs_spawned", counter, int64(s.Spawned), "{job}", "Jobs spawned in scopes."},
		{"rouse.pool.jobs_set_aside", counter, int64(s.SetAside), "{job}", "Times that a job gave up its worker to wait for other jobs."},
		{"rouse.pool.jobs_seatless", counter, int64(s.Seatless), "{job}", "Times that a job ran or continued without a worker."},
		{"rouse.pool.forks", counter, int64(s.Forks), "{fork}", "Forks."},
		{"rouse.pool.forks_published", counter, int64(s.Published), "{fork}", "Forks that other workers could take."},
		{"rouse.pool.steals", counter, int64(s.Steals), "{steal}", "Jobs that a worker took from another one."},
		{"rouse.pool.seats_borrowed", counter, int64(s.Borrowed), "{seat}", "Times that a sleeping worker's seat was taken."},
		{"rouse.pool.parks", counter, int64(s.Parks), "{park}", "Times that a worker went to sleep."},
		{"rouse.pool.wakes", counter, int64(s.Wakes), "{wake}", "Times that a worker was woken."},
	}
}
