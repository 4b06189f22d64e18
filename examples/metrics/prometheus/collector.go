package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/rouse-go/rouse/pool"
)

// register adds the numbers of p to r, with the label pool="name". If r has another pool of that
// name, it returns an error that wraps the registry's.
//
// A scrape costs one call of [pool.Pool.Stats]. A closed pool keeps its last numbers, so that
// they are scraped, too. unregister removes them and releases the pool.
func register(r prometheus.Registerer, name string, p *pool.Pool) (unregister func(), err error) {
	if name == "" || p == nil {
		return nil, fmt.Errorf("metrics: pool %q: want a name, and a pool that is not nil", name)
	}
	c := newCollector(name, p.Stats)
	if err := r.Register(c); err != nil {
		if taken := (prometheus.AlreadyRegisteredError{}); errors.As(err, &taken) {
			return nil, fmt.Errorf("metrics: there is another pool %q in this registry: %w", name, err)
		}
		return nil, fmt.Errorf("metrics: pool %q: %w", name, err)
	}
	return sync.OnceFunc(func() { r.Unregister(c) }), nil
}

func newCollector(name string, stats func() pool.Stats) *collector {
	c := &collector{stats: stats, queueTime: describe(name, "queue_time_seconds",
		"How long jobs were queued: a sample of all jobs.")}
	for _, n := range numbersOf(pool.Stats{}) {
		c.numbers = append(c.numbers, describe(name, n.name, n.help))
	}
	return c
}

func describe(pool, metric, help string) *prometheus.Desc {
	return prometheus.NewDesc("rouse_pool_"+metric, help, nil, prometheus.Labels{"pool": pool})
}

// A collector is a pool in a registry.
type collector struct {
	stats     func() pool.Stats
	numbers   []*prometheus.Desc // in the order of numbersOf
	queueTime *prometheus.Desc
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.numbers {
		out <- d
	}
	out <- c.queueTime
}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(out chan<- prometheus.Metric) {
	s := c.stats()
	for i, n := range numbersOf(s) {
		out <- prometheus.MustNewConstMetric(c.numbers[i], n.kind, n.value)
	}
	out <- histogram(c.queueTime, s.QueueTime)
}

// histogram makes buckets that count all below their bound, as Prometheus has them. It adds the one
// without a bound itself.
func histogram(d *prometheus.Desc, t pool.Times) prometheus.Metric {
	buckets, below := map[float64]uint64{}, uint64(0)
	for i, n := range t.Buckets[:len(t.Buckets)-1] {
		below += n
		buckets[t.Bound(i).Seconds()] = below
	}
	return prometheus.MustNewConstHistogram(d, t.Count, t.Sum.Seconds(), buckets)
}

// A number is what one field of [pool.Stats] says.
type number struct {
	name  string // without the prefix that all have
	kind  prometheus.ValueType
	value float64
	help  string
}

func numbersOf(s pool.Stats) []number {
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	return []number{
		{"workers", gauge, float64(s.Workers), "Workers of the pool."},
		{"workers_running", gauge, float64(s.Running), "Workers that run a job."},
		{"workers_sleeping", gauge, float64(s.Sleeping), "Workers that sleep."},
		{"jobs_queued", gauge, float64(s.Queued), "Jobs in the queue."},
		{"oldest_queued_seconds", gauge, s.Oldest.Seconds(), "For how long the oldest of them has been queued."},
		{"jobs_running_seatless", gauge, float64(s.RunningSeatless), "Jobs that run without a worker."},
		{"jobs_waiting", gauge, float64(s.Waiting), "Jobs that are blocked until other jobs end."},
		{"jobs_blocked", gauge, float64(s.Blocked), "Jobs in Worker.Block or a similar call."},
		{"jobs_submitted_total", counter, float64(s.Submitted), "Jobs submitted, and calls of Run."},
		{"jobs_ended_total", counter, float64(s.Ended), "Jobs that ended, counted in jobs_submitted_total too."},
		{"jobs_refused_total", counter, float64(s.Refused), "Jobs that were not accepted, counted in jobs_ended_total too."},
		{"jobs_canceled_total", counter, float64(s.Canceled), "Jobs that were canceled before they started, counted in jobs_ended_total too."},
		{"jobs_injected_total", counter, float64(s.Injected), "Jobs from outside that were queued."},
		{"jobs_spawned_total", counter, float64(s.Spawned), "Jobs spawned in scopes."},
		{"jobs_set_aside_total", counter, float64(s.SetAside), "Times that a job gave up its worker to wait for other jobs."},
		{"jobs_seatless_total", counter, float64(s.Seatless), "Times that a job ran or continued without a worker."},
		{"forks_total", counter, float64(s.Forks), "Forks."},
		{"forks_published_total", counter, float64(s.Published), "Forks that other workers could take."},
		{"steals_total", counter, float64(s.Steals), "Jobs that a worker took from another one."},
		{"seats_borrowed_total", counter, float64(s.Borrowed), "Times that a sleeping worker's seat was taken."},
		{"parks_total", counter, float64(s.Parks), "Times that a worker went to sleep."},
		{"wakes_total", counter, float64(s.Wakes), "Times that a worker was woken."},
		{"queue_time_max_seconds", gauge, s.QueueTime.Max.Seconds(), "The longest time in queue_time_seconds so far."},
	}
}
