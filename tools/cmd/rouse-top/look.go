package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/cli"
)

// A client asks one handler.
type client struct {
	base *url.URL
	http http.Client
}

// newClient returns a client for an address, which may lack its scheme.
func newClient(address string) (*client, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("this is no URL") // the error of Parse shows a password
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%s is not the URL of a server: want http://HOST/PATH", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%s has a query: want the URL of the handler alone", u.Redacted())
	}
	return &client{u, http.Client{Timeout: 10 * time.Second}}, nil
}

func (c *client) shown() string { return c.base.Redacted() }

// most is how many bytes of an answer are read.
const most = 64 << 20

// get returns what the handler answers to a query.
func (c *client) get(ctx context.Context, query url.Values) ([]byte, error) {
	u := *c.base
	u.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
			err = wrapped.Err // without the address, which the page has
		}
		return nil, fmt.Errorf("%s: %w", c.shown(), err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.shown(), err)
	case answer.StatusCode != http.StatusOK:
		line, _, _ := strings.Cut(string(body[:min(len(body), 200)]), "\n")
		return nil, fmt.Errorf("%s answers %s: %s", c.shown(), answer.Status, line)
	case len(body) > most:
		return nil, fmt.Errorf("%s answers with more than %d MB", c.shown(), most>>20)
	}
	return body, nil
}

// A look is what the handler said at a moment.
type look struct {
	at     time.Time
	stats  map[string]pool.Stats
	dumps  map[string]dump // of each pool, if they were asked for
	failed error           // there was no answer
}

// look asks for the counts of all pools, and for their jobs if these are wanted.
func (c *client) look(ctx context.Context, jobs bool) (*look, error) {
	body, err := c.get(ctx, url.Values{"show": {"stats"}, "format": {"json"}})
	if err != nil {
		return nil, err
	}
	l := &look{at: time.Now(), dumps: map[string]dump{}}
	if json.Unmarshal(body, &l.stats) != nil {
		return nil, fmt.Errorf("%s does not answer as a handler of package poolhttp", c.shown())
	}
	for _, name := range l.names() {
		if !jobs {
			break
		}
		body, err := c.get(ctx, url.Values{"show": {"dump"}, "pool": {name}})
		l.dumps[name] = dump{parseDump(body), err} // one at a time is made: the counts are worth showing without
	}
	return l, nil
}

func (l *look) names() []string { return slices.Sorted(maps.Keys(l.stats)) }

// A dump has the jobs of a pool, or says why it has none.
type dump struct {
	jobs []job
	err  error
}

// A job is one of a dump: what it does, and where in the program it is.
type job struct{ does, at string }

// parseDump reads what Pool.Dump writes: a line for each job, and then one for each call, the innermost
// first.
func parseDump(dump []byte) (all []job) {
	lines := bufio.NewScanner(bytes.NewReader(dump))
	lines.Buffer(nil, most)
	for lines.Scan() {
		line := lines.Text()
		switch call, isCall := strings.CutPrefix(line, "\t"); {
		case strings.HasPrefix(line, "job "):
			all = append(all, job{does: line})
		case isCall && len(all) > 0:
			if j := &all[len(all)-1]; j.at == "" || isStandard(j.at) && !isStandard(call) {
				j.at = call
			}
		}
	}
	return all
}

// isStandard reports whether a call is one of Go's own packages: the first part of their paths has no dot.
func isStandard(call string) bool {
	path, _, _ := strings.Cut(call, "  ")
	first, _, found := strings.Cut(path, "/")
	if !found {
		first, _, _ = strings.Cut(path, ".") // of the function
	}
	return first != "main" && !strings.Contains(first, ".")
}

// page shows the look, and what has happened since the one before, if there is one.
func (l *look) page(address string, before *look, jobs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at %s\n\n", cli.Printable(address), l.at.Format("15:04:05"))
	if l.failed != nil {
		fmt.Fprintf(&b, "no answer: %s\n", cli.Printable(l.failed.Error()))
		return b.String()
	}
	if len(l.stats) == 0 {
		b.WriteString("there are no pools\n")
		return b.String()
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "pool\tqueued\toldest\tworkers\tat work\tasleep\tguests\twait\tblock\tnew/s\tend/s\tfork/s\tsteal/s\t")
	for _, name := range l.names() {
		s := l.stats[name]
		was, since := pool.Stats{}, time.Duration(0)
		if before != nil {
			if old, ok := before.stats[name]; ok && old.Submitted <= s.Submitted { // or it is another pool by now
				was, since = old, l.at.Sub(before.at)
			}
		}
		rate := func(now, was uint64) string {
			if since <= 0 || now < was {
				return "-"
			}
			return fmt.Sprintf("%.0f", float64(now-was)/since.Seconds())
		}
		fmt.Fprintf(t, "%s\t%d\t%v\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t\n",
			cli.Printable(name), s.Queued, s.Oldest.Round(100*time.Millisecond), s.Workers, s.Running, s.Sleeping, s.RunningSeatless, s.Waiting, s.Blocked,
			rate(s.Submitted, was.Submitted), rate(s.Ended, was.Ended), rate(s.Forks, was.Forks), rate(s.Steals, was.Steals))
	}
	_ = t.Flush() // to a Builder
	for _, name := range l.names() {
		l.jobs(&b, name, jobs)
	}
	return b.String()
}

// jobs shows the jobs of a pool, up to so many: first those that wait.
func (l *look) jobs(b *strings.Builder, name string, most int) {
	all := l.dumps[name].jobs
	if err := l.dumps[name].err; err != nil {
		fmt.Fprintf(b, "\n%s: no jobs: %s\n", cli.Printable(name), cli.Printable(err.Error()))
	}
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s, jobs that have begun: %d\n", cli.Printable(name), len(all))
	waits := func(j job) bool { return strings.Contains(j.does, " waits for ") }
	runs := slices.DeleteFunc(slices.Clone(all), waits)
	all = append(slices.DeleteFunc(all, func(j job) bool { return !waits(j) }), runs...)
	for _, j := range all[:min(most, len(all))] {
		fmt.Fprintf(b, "  %s\n", cli.Printable(j.does))
		if j.at != "" {
			fmt.Fprintf(b, "      %s\n", cli.Printable(j.at))
		}
	}
	if n := len(all) - most; n > 0 {
		fmt.Fprintf(b, "  and %d more\n", n)
	}
}
