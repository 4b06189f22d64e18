//go:build !nohttp

// net/http is more to compile than all else of these tests, and what it knows a panic by
// depends on no platform. The runs on 32 bits and on other machines set the tag.

package pool_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// net/http knows http.ErrAbortHandler by its identity. If this fails, a server
// logs requests that a handler has aborted in a job, or does not abort them.
func TestAbortHandler(t *testing.T) {
	for _, s := range schedules {
		subtest(t, s.name, "P2", "a server answers, or aborts, requests whose handlers call Run", func(t *testing.T) {
			var log logged
			server := log.serve(func(_ http.ResponseWriter, r *http.Request) {
				s.run(t, func(*pool.Worker) int {
					switch r.URL.Path {
					case "/abort":
						panic(http.ErrAbortHandler)
					case "/boom":
						panic(errBoom)
					}
					return 0
				})
			})
			fetch := func(path string) (ok bool) {
				answer, err := server.Client().Get(server.URL + path)
				if err == nil {
					answer.Body.Close()
				}
				return err == nil
			}
			if !fetch("/fine") {
				t.Error("P2: a request was aborted whose handler returned")
			}
			if fetch("/abort") {
				t.Error("P2: a request was not aborted")
			}
			server.Close() // when the connections have ended, and so what they log
			if said := log.String(); said != "" {
				t.Errorf("P2: the server does not know http.ErrAbortHandler, and logs\n%s", said)
			}
			// The same with another value: the log is there.
			if server = log.serve(server.Config.Handler.ServeHTTP); fetch("/boom") {
				t.Error("P2: a request was not aborted whose handler panicked")
			}
			server.Close()
			said := log.String()
			if !strings.Contains(said, "boom") || !s.moved && !strings.Contains(said, "TestAbortHandler") {
				t.Errorf("P2: the server does not log what the handler panicked with, and where:\n%s", said)
			}
		})
	}
}

// logged is what a server has logged.
type logged struct {
	mu sync.Mutex
	strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Builder.Write(p)
}

func (l *logged) serve(h http.HandlerFunc) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Writer(l), "", 0)
	s.Start()
	return s
}
