package cluster

import (
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// counts are the numbers of a run. The goroutine that reads the results writes them.
type counts struct {
	keys, done, redelivered, duplicates, restarts, workers atomic.Int64
}

// ServeHTTP writes them as text that Prometheus reads.
func (c *counts) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	for _, m := range []struct {
		name, kind string
		value      *atomic.Int64
	}{
		{"keys", "gauge", &c.keys}, // how many the run has
		{"keys_done", "gauge", &c.done},
		{"redelivered_total", "counter", &c.redelivered},
		{"duplicates_total", "counter", &c.duplicates},
		{"worker_restarts_total", "counter", &c.restarts},
		{"workers", "gauge", &c.workers}, // of this process, alive
	} {
		fmt.Fprintf(w, "# TYPE rouse_cluster_%s %s\nrouse_cluster_%[1]s %[3]d\n", m.name, m.kind, m.value.Load())
	}
}

// patience is how long a client may take to send a request, and to read the answer.
var patience = 10 * time.Second

// serve serves them at the address at until stop is called. It waits for no slow client, so thousands of
// them cost the parent some kilobytes each, for a while.
func (c *counts) serve(addr string) (at string, stop func(), err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", nil, fmt.Errorf("--metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", c)
	s := &http.Server{Handler: mux, ReadTimeout: patience, WriteTimeout: 2 * patience, IdleTimeout: 3 * patience, MaxHeaderBytes: 16 << 10}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.Serve(l) // It ends by Close.
	}()
	return l.Addr().String(), func() { _ = s.Close(); <-served }, nil
}
