package poolhttp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

const asked = "?show=picture&pool=one"

// If this fails, a client records what it must not, for longer than it may, or beside another one.
func TestRecordings(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		p := newPool(t)
		h := serving(t, map[string]*pool.Pool{"one": p})
		if w := ask(h, "POST", asked); w.Code != 405 || strings.Contains(ask(h, "GET", "").Body.String(), "<form") {
			t.Errorf("Handler: a recording that nobody has allowed is answered with %d, or has a button", w.Code)
		}
		h.Recordings = true
		if body := ask(h, "GET", "").Body.String(); !strings.Contains(body, `<form method="post" action="?show=picture&amp;pool=one">`) {
			t.Errorf("Handler: the page has no button for a recording:\n%s", body)
		}
		for _, c := range []struct {
			method, query string
			status        int
			took          time.Duration
			says          string
		}{
			{"POST", asked, 200, time.Second, "<title>pool one"},
			{"POST", asked + "&seconds=10", 200, 10 * time.Second, "<title>pool one"},
			{"POST", asked + "&seconds=11", 400, 0, "want 1 to 10"},
			{"POST", asked + "&seconds=0", 400, 0, "want 1 to 10"},
			{"POST", asked + "&seconds=x", 400, 0, "want 1 to 10"},
			{"POST", asked + "&format=json", 400, 0, "show=picture&pool=NAME"},
			{"POST", "?show=picture", 400, 0, "show=picture&pool=NAME"},
			{"POST", "?show=picture&pool=two", 404, 0, `"two"`},
			{"POST", "?show=stats", 400, 0, "for POST"},
			{"POST", "", 400, 0, "for POST"},
			{"GET", asked, 400, 0, "for POST"},
			{"HEAD", asked, 400, 0, ""},
			{"GET", "?show=stats&seconds=1", 400, 0, "for POST"},
			{"PUT", asked, 405, 0, "GET"},
		} {
			begun := time.Now()
			w := ask(h, c.method, c.query)
			if took := time.Since(begun); w.Code != c.status || took != c.took || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("Handler: %s %s is answered with %d after %v, want %d after %v, and %q:\n%.300s", c.method, c.query, w.Code, took, c.status, c.took, c.says, w.Body)
			}
		}
		for site, status := range map[string]int{"same-origin": 200, "none": 200, "same-site": 403, "cross-site": 403} {
			r := httptest.NewRequest("POST", "/"+asked, nil)
			r.Header.Set("Sec-Fetch-Site", site)
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != status {
				t.Errorf("Handler: a recording that a page of the origin %s asks for is answered with %d, want %d", site, w.Code, status)
			}
		}

		r := httptest.NewRequest("POST", "/"+asked+"&seconds=5", nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r.WithContext(context.WithValue(t.Context(), http.ServerContextKey, &http.Server{WriteTimeout: 5 * time.Second})))
		if w.Code != 400 || !strings.Contains(w.Body.String(), "WriteTimeout") {
			t.Errorf("Handler: a recording for which the server has no time is answered with %d: %s", w.Code, w.Body)
		}

		ctx, leave := context.WithCancel(t.Context())
		first := make(chan bool)
		go func() {
			defer close(first)
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/"+asked+"&seconds=9", nil).WithContext(ctx))
		}()
		synctest.Wait()
		if w := ask(h, "POST", asked); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("Handler: a second recording is answered with %d, %v", w.Code, w.Header())
		}
		begun := time.Now()
		leave()
		if <-first; time.Since(begun) != 0 {
			t.Errorf("Handler: the client of a recording has gone, and it goes on for %v", time.Since(begun))
		}
		stop, err := p.Record(1)
		if err != nil {
			t.Fatalf("Handler: the client of a recording has gone, and another one gets the error %v", err)
		}
		if w := ask(h, "POST", asked); w.Code != 409 {
			t.Errorf("Handler: a recording beside one of the program is answered with %d", w.Code)
		}
		stop()
	})
}
