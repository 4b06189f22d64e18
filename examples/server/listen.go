package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"
)

const (
	maxHeader      = 16 << 10 // bytes
	longestProfile = 2 * time.Minute
)

// newServer returns a server that waits for no client longer than the timeouts say, and that closes
// connections at once if there are too many.
func newServer(h http.Handler, l limits) *http.Server {
	var open atomic.Int64
	return &http.Server{
		Handler:        h,
		ReadTimeout:    l.patience,
		WriteTimeout:   l.patience + l.timeout + l.patience, // since the header has come
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: maxHeader,
		ConnState: func(c net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				if open.Add(1) > int64(l.connections) {
					c.Close()
				}
			case http.StateClosed:
				open.Add(-1)
			}
		},
	}
}

// drain accepts no more requests, and answers those that have come. It closes the connections of
// clients that have not sent or not read all in that time.
func drain(s *http.Server, d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	if s.Shutdown(ctx) != nil {
		log.Print("connections of slow clients are closed")
		s.Close()
	}
}

// newProfiles returns a server of profiles. It is none of the public one's routes: a profile says
// what the program is made of, and takes its time.
func newProfiles(l limits) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return &http.Server{Handler: mux, ReadTimeout: l.patience, WriteTimeout: longestProfile + l.patience, MaxHeaderBytes: maxHeader}
}
