package main

import (
	"bytes"
	"context"
	"errors"
	"log"
	"net/http"
	_ "net/http/pprof" // adds its routes to http.DefaultServeMux
	"net/url"
	"strconv"
	"time"
)

const maxBody = 32 << 20

// newHandler returns the routes of a server.
func newHandler(e engine, timeout time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /scale", route(e, timeout, "scale", scale))
	mux.Handle("GET /debug/pprof/", http.DefaultServeMux)
	return mux
}

// route has an engine do the work of each request.
func route(e engine, timeout time.Duration, label string, prepare func(url.Values, []byte) (work, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		// It is read before there is a job: a client that sends slowly keeps no worker.
		var body bytes.Buffer
		body.Grow(int(min(max(r.ContentLength, 0), 1<<20)) + bytes.MinRead) // more when it comes
		if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
			fail(w, r, err)
			return
		}
		work, err := prepare(r.URL.Query(), body.Bytes())
		if err != nil {
			fail(w, r, err)
			return
		}
		reply, err := e.do(ctx, label, work)
		if err != nil {
			fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", reply.contentType)
		w.Header().Set("Content-Length", strconv.Itoa(len(reply.body)))
		w.Write(reply.body) // If this fails the client has gone.
	})
}

// fail answers a request that was not done.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		status = http.StatusServiceUnavailable
	case errors.Is(err, context.DeadlineExceeded):
		status = http.StatusGatewayTimeout
	case r.Context().Err() != nil:
		return // The client has gone.
	case errors.As(err, new(badRequest)):
		status = http.StatusBadRequest
	case errors.As(err, new(*http.MaxBytesError)):
		status = http.StatusRequestEntityTooLarge
	default:
		log.Printf("%s: %v", r.URL.Path, err)
		http.Error(w, http.StatusText(status), status) // The client does not see the cause.
		return
	}
	http.Error(w, err.Error(), status)
}
