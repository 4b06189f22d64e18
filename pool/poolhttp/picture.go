package poolhttp

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/picture"
	"github.com/rouse-go/rouse/pool/record"
)

// How many seconds a recording takes: usually, and at most.
const usual, most = 5, 60

// picture answers with a page of what a pool does for some seconds.
func (a answer) picture(p *pool.Pool, name, seconds string) {
	n, err := strconv.Atoi(seconds)
	if seconds == "" {
		n, err = usual, nil
	}
	if err != nil || n < 1 || n > most {
		http.Error(a.w, fmt.Sprintf("seconds=%q: want a number from 1 to %d", seconds, most), http.StatusBadRequest)
		return
	}
	took := time.Duration(n) * time.Second
	if s, ok := a.r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.WriteTimeout > 0 && took >= s.WriteTimeout {
		http.Error(a.w, fmt.Sprintf("seconds=%d: the server ends an answer after %v, its WriteTimeout", n, s.WriteTimeout), http.StatusBadRequest)
		return
	}
	// The script of the page is in it, and loads nothing.
	a.w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'")
	var b bytes.Buffer
	if a.isRead() {
		stop, err := p.Record(0)
		if errors.Is(err, record.ErrRecording) {
			a.w.Header().Set("Retry-After", strconv.Itoa(usual))
			http.Error(a.w, "the pool is being recorded already", http.StatusServiceUnavailable)
			return
		}
		if err == nil {
			err = picture.WritePage(&b, a.record(stop, took), "Pool "+name)
		}
		if err != nil {
			http.Error(a.w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	a.send("text/html; charset=utf-8", b.Bytes())
}

// record stops a recording after a while, or when the client has gone.
func (a answer) record(stop func() *record.Recording, after time.Duration) *record.Recording {
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-a.r.Context().Done():
	}
	return stop()
}
