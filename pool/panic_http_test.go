//go:build !nohttp

// net/http is more to compile than all else of these tests, and what it knows a panic by
// depends on no platform. The runs on 32 bits and on other machines set the tag, and leave out
// package poolhttp.

package pool_test

import (
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// net/http knows http.ErrAbortHandler by its identity. If this fails, a server
// logs requests that a handler has aborted in a job, or does not abort them.
func TestAbortHandler(t *testing.T) {
	for _, s := range schedules {
		subtest(t, s.name, "P2", "a server answers, or aborts, requests whose handlers call Run", func(t *testing.T) {
			// fetch has a handler end with a value, and returns what the server logs.
			fetch := func(value any) (answered bool, logged string) {
				var said strings.Builder // log.Logger locks it
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
					s.run(t, func(*pool.Worker) int {
						if value != nil {
							panic(value)
						}
						return 0
					})
				}))
				server.Config.ErrorLog = log.New(&said, "", 0)
				server.Start()
				answer, err := server.Client().Get(server.URL)
				if err == nil {
					answer.Body.Close()
				}
				server.Close() // when the connections have ended, and so what they log
				return err == nil, said.String()
			}
			answered, said := fetch(nil)
			expect(t, answered && said == "", "P2: a request was aborted whose handler returned, or the server logs %q", said)
			answered, said = fetch(http.ErrAbortHandler)
			expect(t, !answered && said == "", "P2: the server does not know http.ErrAbortHandler, answers: %t, or logs %q", answered, said)
			answered, said = fetch(errBoom)
			expect(t, !answered && strings.Contains(said, "boom") && (s.moved || strings.Contains(said, "TestAbortHandler")),
				"P2: a handler has panicked; the server answers: %t, or does not log what with, and where: %q", answered, said)
		})
	}
}
