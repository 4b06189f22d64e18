package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/examples/metrics/internal/demotest"
	"github.com/rouse-go/rouse/pool"
)

// queries returns those of the dashboard, with what Grafana puts in place of its variables, by the title
// of their panel.
func queries(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct {
			Title, Description string
			FieldConfig        struct{ Defaults struct{ Unit string } }
			Targets            []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, p := range d.Panels {
		if p.Description == "" || p.FieldConfig.Defaults.Unit == "" || len(p.Targets) == 0 {
			t.Errorf("panel %q lacks a description, a unit or a query", p.Title)
		}
		for _, q := range p.Targets {
			all[p.Title] = append(all[p.Title], strings.NewReplacer("$pool", ".*", "$__rate_interval", "10s").Replace(q.Expr))
		}
	}
	if len(all) < 8 {
		t.Errorf("the dashboard has %d panels, want 8", len(all))
	}
	return all
}

// If this fails, a panel of the dashboard asks for a number that is not served.
func TestDashboard(t *testing.T) {
	served := demotest.Fields(t, func(s pool.Stats) map[string]float64 { return of(t, s) })
	for title, all := range queries(t) {
		for _, q := range all {
			for _, name := range regexp.MustCompile(`rouse_pool_\w+`).FindAllString(q, -1) {
				if !slices.ContainsFunc(served, func(s string) bool { return family(s) == family(name) }) {
					t.Errorf("panel %q asks for %s, which is not served", title, name)
				}
			}
		}
	}
}

// With the path of a Prometheus in the variable PROMETHEUS, this has it scrape the program, asks it all
// that the dashboard does, and checks the alerts of the README. If it fails, a panel stays empty.
func TestDashboardOnPrometheus(t *testing.T) {
	path := os.Getenv("PROMETHEUS")
	if path == "" {
		t.Skip("PROMETHEUS does not name one")
	}
	ctx, cancel := context.WithCancel(t.Context())
	at, err := url.Parse(demotest.Started(t, serve))
	if err != nil {
		t.Fatal(err)
	}

	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	alerts := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(readme)
	write("alerts.yml", string(alerts[1]))
	write("prometheus.yml", fmt.Sprintf("global: {scrape_interval: 1s}\nrule_files: [alerts.yml]\nscrape_configs:\n- job_name: pool\n  static_configs: [{targets: [%q]}]\n", at.Host))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	server := exec.CommandContext(ctx, path, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	var log strings.Builder
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = server.Wait() }()

	missing := queries(t)
	for begun := time.Now(); len(missing) > 0; time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("Prometheus has no answer to %q, and says\n%s", missing, log.String())
		}
		for title, all := range missing {
			if missing[title] = slices.DeleteFunc(all, func(q string) bool { return isAnswered(t, address, q) }); len(missing[title]) == 0 {
				delete(missing, title)
			}
		}
	}
	for _, rule := range regexp.MustCompile(`(?m)expr: (.*)$`).FindAllSubmatch(alerts[1], -1) {
		isAnswered(t, address, string(rule[1])) // none need fire
	}
}

// isAnswered reports whether there is a number for a query. One that Prometheus does not understand
// fails the test.
func isAnswered(t *testing.T, address, query string) bool {
	t.Helper()
	r, err := http.Get("http://" + address + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return false // it has not started
	}
	defer r.Body.Close()
	var answer struct {
		Status, Error string
		Data          struct{ Result []struct{ Value [2]any } }
	}
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		return false
	}
	if answer.Status != "success" && r.StatusCode != http.StatusServiceUnavailable {
		t.Fatalf("%s: %s", query, answer.Error)
	}
	return len(answer.Data.Result) > 0 && answer.Data.Result[0].Value[1] != "NaN"
}
