package poolhttp

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/picture"
	"github.com/rouse-go/rouse/pool/record"
)

// mostSeconds is for how long a client may record.
const mostSeconds = 10

// record answers with a picture of the next seconds of a pool.
func (h *Handler) record(a answer, p *pool.Pool, name, seconds string) {
	n, err := strconv.Atoi(seconds)
	switch {
	case err != nil || n < 1 || n > mostSeconds:
		http.Error(a.w, fmt.Sprintf("seconds=%s: want 1 to %d", seconds, mostSeconds), http.StatusBadRequest)
		return
	case a.endsWithin(time.Duration(n) * time.Second):
		http.Error(a.w, fmt.Sprintf("seconds=%d: the WriteTimeout of the server ends an answer before", n), http.StatusBadRequest)
		return
	case h.origin.Check(a.r) != nil:
		http.Error(a.w, "this was posted by a page of another origin", http.StatusForbidden)
		return
	case !h.recording.CompareAndSwap(false, true):
		a.w.Header().Set("Retry-After", strconv.Itoa(mostSeconds))
		http.Error(a.w, "another recording is being made", http.StatusServiceUnavailable)
		return
	}
	var b bytes.Buffer
	func() {
		defer h.recording.Store(false)
		var stop func() *record.Recording
		if stop, err = p.Record(0); err != nil {
			return
		}
		select {
		case <-time.After(time.Duration(n) * time.Second):
			err = picture.WritePage(&b, stop(), "pool "+name)
		case <-a.r.Context().Done(): // the client has gone
			stop()
		}
	}()
	if err != nil {
		http.Error(a.w, err.Error(), http.StatusConflict)
		return
	}
	// The page has scripts of its own, and may do nothing in the name of this origin.
	a.w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-scripts")
	a.w.Header().Set("Content-Type", htmlType)
	// A client that reads slowly is in nobody's way.
	_, _ = a.w.Write(b.Bytes())
}

// endsWithin reports whether the server ends an answer within that time.
func (a answer) endsWithin(t time.Duration) bool {
	s, ok := a.r.Context().Value(http.ServerContextKey).(*http.Server)
	return ok && s.WriteTimeout > 0 && s.WriteTimeout <= t
}
