package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// The memory of a server has a bound, whatever its clients send, and however slowly they send or
// read. Three counts make it one: connections (see listen.go), the bytes of bodies and answers, and
// the pixels of an image that a worker has in hand.
const (
	maxBody = 32 << 20
	piece   = 64 << 10 // is counted before it is read
)

// A service has an engine do the work of requests.
type service struct {
	engine
	limits
	// accepted counts the requests that the engine has.
	accepted atomic.Int64
	// flight has the bytes that are left for bodies and answers. It counts what has come, not what
	// was announced: clients that announce much and send little take little.
	flight *semaphore.Weighted
}

func newService(e engine, l limits) *service {
	return &service{engine: e, limits: l, flight: semaphore.NewWeighted(l.flight)}
}

// handler returns the routes of a server.
func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /scale", s.route("scale", scale))
	return mux
}

// route has the engine do the work of each request.
func (s *service) route(label string, prepare func(url.Values, body) (work, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := s.answer(w, r, label, prepare)
		if err != nil {
			if r.ContentLength < 0 || r.ContentLength > piece {
				w.Header().Set("Connection", "close") // else net/http first waits for more of the body
			}
			fail(w, r, err)
			return
		}
		n := int64(len(reply.body))
		if !s.flight.TryAcquire(n) { // Clients that read slowly have it.
			fail(w, r, errBusy)
			return
		}
		defer s.flight.Release(n)
		w.Header().Set("Content-Type", reply.contentType)
		w.Header().Set("Content-Length", strconv.Itoa(len(reply.body)))
		w.Write(reply.body) // If this fails the client has gone.
	})
}

// answer reads a request and does its work. The body is read before there is a job: a client that
// sends slowly keeps no worker, and no place in the queue.
func (s *service) answer(w http.ResponseWriter, r *http.Request, label string, prepare func(url.Values, body) (work, error)) (reply, error) {
	switch {
	case r.ContentLength > maxBody:
		return reply{}, &http.MaxBytesError{Limit: maxBody}
	case s.accepted.Load() >= int64(s.workers+s.queue):
		return reply{}, errBusy // before the upload
	}
	body, size, err := s.receive(http.MaxBytesReader(w, r.Body, maxBody), r.ContentLength)
	defer s.flight.Release(size)
	if err != nil {
		return reply{}, err
	}
	work, err := prepare(r.URL.Query(), body)
	if err != nil {
		return reply{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
	defer cancel()
	s.accepted.Add(1)
	defer s.accepted.Add(-1)
	return s.do(ctx, label, work)
}

// A body is what a client has sent, in pieces. It can be read again and again.
type body net.Buffers

func (b body) reader() io.Reader {
	all := append(net.Buffers(nil), b...) // reading removes the pieces
	return &all
}

// receive reads a body of length n, which is negative if the client has not said it. It returns how
// much it took from s.flight, with an error, too.
func (s *service) receive(r io.Reader, n int64) (all body, size int64, err error) {
	for {
		next := int64(piece)
		if n >= 0 {
			next = max(1, min(piece, n-size)) // 1: to see the end
		}
		if !s.flight.TryAcquire(next) {
			return nil, size, errBusy
		}
		size += next
		p := make([]byte, next)
		k, err := io.ReadFull(r, p)
		all = append(all, p[:k])
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF && n < 0:
			return all, size, nil
		case err != nil:
			return nil, size, broken(err)
		}
	}
}

// broken returns the error of a body that cannot be read.
func broken(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, new(*http.MaxBytesError)) {
		return err
	}
	return badRequestf("a broken body: %w", err)
}

// fail answers a request that was not done.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		status = http.StatusServiceUnavailable
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errors.New("the body came too slowly")
		status = http.StatusRequestTimeout
	case errors.Is(err, context.DeadlineExceeded):
		status = http.StatusGatewayTimeout
	case errors.As(err, new(badRequest)):
		status = http.StatusBadRequest
	case errors.As(err, new(*http.MaxBytesError)):
		status = http.StatusRequestEntityTooLarge
	case r.Context().Err() != nil: // The client has gone, or will not send more.
		status = http.StatusServiceUnavailable
	default:
		log.Printf("%s: %v", r.URL.Path, err)
		http.Error(w, http.StatusText(status), status) // The client does not see the cause.
		return
	}
	http.Error(w, err.Error(), status)
}
