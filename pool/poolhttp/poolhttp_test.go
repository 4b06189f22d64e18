package poolhttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/poolhttp"
)

func TestMain(m *testing.M) { testrule.Main(m) }

func newPool(t *testing.T) *pool.Pool {
	t.Helper()
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// serving returns a handler that answers for pools of these names.
func serving(t *testing.T, pools map[string]*pool.Pool) *poolhttp.Handler {
	t.Helper()
	h := new(poolhttp.Handler)
	for name, p := range pools {
		if err := h.Add(name, func() *pool.Pool { return p }); err != nil {
			t.Fatalf("Handler.Add: a new name gave the error %v", err)
		}
	}
	return h
}

func ask(h http.Handler, method, query string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, "/anywhere"+query, nil))
	return w
}

const (
	text    = "text/plain; charset=utf-8"
	page    = "text/html; charset=utf-8"
	inJSON  = "application/json"
	unknown = text // of errors, by net/http
)

// A browser follows the page's links from wherever the program has put it, with names as they are. If
// this fails, a link leads elsewhere.
func TestLinks(t *testing.T) {
	odd := "a/b ?&=#%\"'<\u00e9>+;\n\xff"
	h := serving(t, map[string]*pool.Pool{"one": newPool(t), odd: newPool(t)})
	mux := http.NewServeMux()
	mux.Handle("/debug/pools", h)
	mux.Handle("/below/", http.StripPrefix("/below", h))
	for _, at := range []string{"/debug/pools", "/debug/pools?pool=one", "/below/", "/below/deep/pools"} {
		base, err := url.Parse("http://localhost" + at)
		if err != nil {
			t.Fatal(err)
		}
		get := func(u *url.URL) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest("GET", u.String(), nil))
			return w
		}
		body := get(base).Body.String()
		links := regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(body, -1)
		if want := 6 - 2*len(base.Query()); len(links) != want {
			t.Errorf("Handler: the page at %s has %d links, want %d", at, len(links), want)
		}
		for _, link := range links {
			to, err := base.Parse(html.UnescapeString(link[1]))
			if err != nil {
				t.Fatal(err)
			}
			if to.Query().Get("show") == "picture" { // which takes seconds
				if name := to.Query().Get("pool"); name != "one" && name != odd {
					t.Errorf("Handler: the page at %s has a link to the picture of the pool %q", at, name)
				}
				continue
			}
			if w := get(to); w.Code != 200 || strings.Contains(w.Body.String(), "<html") {
				t.Errorf("Handler: the page at %s has a link to %v, which is answered with %d: %s", at, to, w.Code, w.Body)
			}
		}
	}
}

// If this fails, a request gets something else than the documentation says.
func TestAnswers(t *testing.T) {
	closed := newPool(t)
	closed.Close()
	odd := `a <b> & "c"?`
	h := serving(t, map[string]*pool.Pool{"one": newPool(t), "closed": closed, odd: newPool(t), "none": nil})
	for _, c := range []struct {
		method, query string
		status        int
		contentType   string
		says          []string
	}{
		{"GET", "", 200, page, []string{"Strangers must not", "<th>one</th>", "<th>closed</th>", "?show=dump&amp;pool=one", "<th>set aside</th>",
			"<th>a &lt;b&gt; &amp; &#34;c&#34;?</th>", url.QueryEscape(odd)}},
		{"GET", "?pool=one", 200, page, []string{"<th>one</th>"}},
		{"GET", "?show=stats", 200, text, []string{"pool \"one\"\n\tworkers: 1\n", "pool \"closed\"", "\tqueue_time_max: 0s\n"}},
		{"GET", "?show=stats&format=text&pool=one", 200, text, []string{"pool \"one\"\n"}},
		{"GET", "?show=stats&format=json", 200, inJSON, []string{`"one": {`, `"closed": {`, `"QueueTime": {`}},
		{"GET", "?show=dump&pool=one", 200, text, []string{"pool: jobs begun: 0; workers: 1"}},
		{"GET", "?show=dump&pool=closed", 200, text, []string{"pool: jobs begun: 0; workers: 1"}},
		{"GET", "?show=dump&pool=" + url.QueryEscape(odd), 200, text, []string{"pool: jobs begun: 0; workers: 1"}},
		{"GET", "?show=dump", 400, unknown, []string{"pool=NAME"}},
		{"GET", "?show=dump&pool=one&format=json", 400, unknown, []string{"show=dump&pool=NAME"}},
		{"GET", "?show=picture", 400, unknown, []string{"pool=NAME"}},
		{"GET", "?show=picture&pool=one&format=json", 400, unknown, []string{"show=picture&pool=NAME"}},
		{"GET", "?show=picture&pool=one&seconds=0", 400, unknown, []string{`seconds="0": want a number from 1 to 60`}},
		{"GET", "?show=picture&pool=one&seconds=61", 400, unknown, []string{"from 1 to 60"}},
		{"GET", "?show=picture&pool=one&seconds=x", 400, unknown, []string{"from 1 to 60"}},
		{"GET", "?show=stats&seconds=1", 400, unknown, []string{"show=picture"}},
		{"GET", "?show=picture&pool=two", 404, unknown, []string{`"two"`}},
		{"HEAD", "?show=picture&pool=one", 200, page, nil},
		{"GET", "?show=all", 400, unknown, []string{"show=stats"}},
		{"GET", "?show=stats&format=xml", 400, unknown, []string{"format=json"}},
		{"GET", "?shw=dump&pool=one", 400, unknown, []string{`unknown parameter "shw"`}},
		{"GET", "?show=stats&x=", 400, unknown, []string{`unknown parameter "x"`}},
		{"GET", "?Show=stats", 400, unknown, []string{`unknown parameter "Show"`}},
		{"GET", "?show=dump&show=stats&pool=one", 400, unknown, []string{`"show" is given 2 times`}},
		{"GET", "?show=stats&pool=one&pool=two", 400, unknown, []string{`"pool" is given 2 times`}},
		{"GET", "?show=stats;format=json", 400, unknown, []string{"semicolon"}},
		{"GET", "?show=%zz", 400, unknown, []string{"%zz"}},
		{"GET", "?show=stats&pool=two", 404, unknown, []string{`"two"`, `"one"`}},
		{"GET", "?show=stats&pool=none", 404, unknown, []string{`"none"`}},
		{"HEAD", "", 200, page, nil},
		{"HEAD", "?show=stats", 200, text, nil},
		{"HEAD", "?show=stats&format=json", 200, inJSON, nil},
		{"HEAD", "?show=dump&pool=one", 200, text, nil},
		{"POST", "?show=stats", 405, unknown, []string{"GET"}},
		{"DELETE", "", 405, unknown, []string{"GET"}},
	} {
		w := ask(h, c.method, c.query)
		body, header := w.Body.String(), w.Header()
		if w.Code != c.status || header.Get("Content-Type") != c.contentType {
			t.Errorf("Handler: %s %s is answered with %d, %s, want %d, %s", c.method, c.query, w.Code, header.Get("Content-Type"), c.status, c.contentType)
		}
		for _, s := range c.says {
			if !strings.Contains(body, s) {
				t.Errorf("Handler: %s %s does not say %q:\n%s", c.method, c.query, s, body)
			}
		}
		if c.method == "HEAD" && body != "" {
			t.Errorf("Handler: HEAD %s has a body:\n%s", c.query, body)
		}
		if c.status == 405 && header.Get("Allow") != "GET, HEAD" {
			t.Errorf("Handler: %s is not allowed, and what is allowed is %q", c.method, header.Get("Allow"))
		}
		for name, want := range map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
			if got := header.Get(name); got != want {
				t.Errorf("Handler: %s %s: %s is %q, want %q", c.method, c.query, name, got, want)
			}
		}
	}
	if body := ask(h, "GET", "?pool=one").Body.String(); strings.Contains(body, "closed") {
		t.Errorf("Handler: the page of one pool says another one:\n%s", body)
	}
}

// A body fails the test if it is read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) { u.t.Error("Handler: the body is read"); return 0, io.EOF }

// If this fails, a request fills memory and the folder for temporary files, or hides its parameters from
// the log of requests.
func TestBodyIsNotRead(t *testing.T) {
	h := serving(t, map[string]*pool.Pool{"one": newPool(t)})
	for _, contentType := range []string{"", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		for method, query := range map[string]string{"GET": "", "HEAD": "?show=stats", "POST": "?show=stats", "PUT": "", "PATCH": "?show=dump&pool=one"} {
			r := httptest.NewRequest(method, "/"+query, unread{t})
			r.Header.Set("Content-Type", contentType)
			h.ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	server := httptest.NewServer(h)
	defer server.Close()
	for contentType, body := range map[string]string{
		"application/x-www-form-urlencoded": "show=stats",
		"multipart/form-data; boundary=x":   "--x\r\nContent-Disposition: form-data; name=show\r\n\r\nstats\r\n--x--\r\n",
	} {
		r, err := http.NewRequest("GET", server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", contentType)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if got := answer.Header.Get("Content-Type"); answer.StatusCode != 200 || got != page {
			t.Errorf("Handler: parameters in a body of type %s are answered with %d, %s", contentType, answer.StatusCode, got)
		}
	}
}

// If this fails, a page of another site that a user visits reads what a program does.
func TestHost(t *testing.T) {
	h := serving(t, map[string]*pool.Pool{"one": newPool(t)})
	h.Hosts = []string{"admin.example"}
	server := httptest.NewServer(h)
	defer server.Close()
	for host, status := range map[string]int{
		"": 200, "localhost": 200, "localhost:6060": 200, "LocalHost.:6060": 200, "127.0.0.1": 200, "10.1.2.3:80": 200, "[::1]": 200, "[::1]:80": 200,
		"[fe80::1%25eth0]:80": 200, "admin.example": 200, "Admin.Example:6060": 200,
		"evil.example": 403, "evil.example:6060": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403, "x.admin.example": 403, "127.1": 403,
	} {
		for _, query := range []string{"", "?show=stats&format=json", "?show=dump&pool=one"} {
			r, err := http.NewRequest("GET", server.URL+"/"+query, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode != status || status == 403 && strings.Contains(string(body), "one") {
				t.Errorf("Handler: %q of the host %q is answered with %d, want %d: %s", query, host, answer.StatusCode, status, body)
			}
		}
	}
}

// If this fails, what a program reads is not what Stats says.
func TestJSON(t *testing.T) {
	p := newPool(t)
	pool.Run(context.Background(), p, func(*pool.Worker, int) int { return 0 }, 0)
	p.Close()
	h := serving(t, map[string]*pool.Pool{"one": p})
	var one pool.Stats
	if err := json.Unmarshal(ask(h, "GET", "?show=stats&format=json&pool=one").Body.Bytes(), &one); err != nil || one != p.Stats() {
		t.Errorf("Handler: JSON of one pool is %+v, %v, want %+v", one, err, p.Stats())
	}
	var all map[string]pool.Stats
	if err := json.Unmarshal(ask(h, "GET", "?show=stats&format=json").Body.Bytes(), &all); err != nil || len(all) != 1 || all["one"] != p.Stats() {
		t.Errorf("Handler: JSON of all pools is %+v, %v, want %+v", all, err, p.Stats())
	}
}

// If this fails, a pool is shown under the name of another one.
func TestNames(t *testing.T) {
	p := newPool(t)
	h := serving(t, map[string]*pool.Pool{"one": p})
	err := h.Add("one", pool.Default)
	if !errors.Is(err, poolhttp.ErrTaken) || !strings.Contains(err.Error(), `"one"`) {
		t.Errorf("Handler.Add: a name that is taken gave the error %v", err)
	}
	for name, of := range map[string]func() *pool.Pool{"": pool.Default, "two": nil} {
		if err := h.Add(name, of); err == nil || errors.Is(err, poolhttp.ErrTaken) {
			t.Errorf("Handler.Add(%q): the error is %v", name, err)
		}
	}
	h.Remove("two")
	h.Remove("one")
	if w := ask(h, "GET", "?show=stats&pool=one"); w.Code != 404 {
		t.Errorf("Handler.Remove: a pool that was removed is answered for, with %d", w.Code)
	}
	if err := h.Add("one", pool.Default); err != nil {
		t.Errorf("Handler.Add: a name that was removed gave the error %v", err)
	}
	if w := ask(new(poolhttp.Handler), "GET", ""); w.Code != 200 {
		t.Errorf("Handler: without pools the page is answered with %d", w.Code)
	}
}

// A stuck client does not read. A gone one has gone.
type (
	stuck struct {
		http.ResponseWriter
		writes, goOn chan bool
	}
	gone struct{ http.ResponseWriter }
)

func (s stuck) Write(b []byte) (int, error) { s.writes <- true; <-s.goOn; return len(b), nil }
func (g gone) Write([]byte) (int, error)    { return 0, io.ErrClosedPipe }

// If this fails, many requests at once stop the program again and again.
func TestOneDumpAtATime(t *testing.T) {
	h := serving(t, map[string]*pool.Pool{"one": newPool(t)})
	const dump = "?show=dump&pool=one"
	end := h.BeginDump()
	if w := ask(h, "GET", dump); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("Handler: a second dump is answered with %d, %v", w.Code, w.Header())
	}
	if w := ask(h, "GET", "?show=stats"); w.Code != 200 {
		t.Errorf("Handler: counts beside a dump are answered with %d", w.Code)
	}
	end()
	if w := ask(h, "GET", dump); w.Code != 200 {
		t.Errorf("Handler: a dump after another one is answered with %d", w.Code)
	}
}

// If this fails, nobody sees what a program waits for while somebody's connection is stuck.
func TestStuckClient(t *testing.T) {
	h := serving(t, map[string]*pool.Pool{"one": newPool(t)})
	for _, query := range []string{"?show=dump&pool=one", "?show=stats", ""} {
		client := stuck{httptest.NewRecorder(), make(chan bool), make(chan bool)}
		ended := make(chan bool)
		go func() { h.ServeHTTP(client, httptest.NewRequest("GET", "/"+query, nil)); close(ended) }()
		<-client.writes
		for _, other := range []string{"?show=dump&pool=one", "?show=stats", ""} {
			if w := ask(h, "GET", other); w.Code != 200 {
				t.Errorf("Handler: beside a client that does not read the answer to %q, %q is answered with %d", query, other, w.Code)
			}
		}
		close(client.goOn)
		<-ended
	}
}

// If this fails, a client that goes away ends the server, or keeps it from the next one.
func TestClientGoesAway(t *testing.T) {
	h := serving(t, map[string]*pool.Pool{"one": newPool(t)})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, query := range []string{"", "?show=stats", "?show=stats&format=json", "?show=dump&pool=one"} {
		h.ServeHTTP(gone{httptest.NewRecorder()}, httptest.NewRequest("GET", "/"+query, nil))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/"+query, nil))
		if w.Body.Len() > 0 {
			t.Errorf("Handler: %q of a client that has gone is answered", query)
		}
		if w := ask(h, "GET", query); w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("Handler: %q after a client that has gone is answered with %d", query, w.Code)
		}
	}
}

// If this fails, a program that imports the package shows its pools to whoever it serves.
func TestRegistersNothing(t *testing.T) {
	for _, path := range []string{"/", "/debug/pools", "/debug/"} {
		if _, pattern := http.DefaultServeMux.Handler(httptest.NewRequest("GET", path, nil)); pattern != "" {
			t.Errorf("Handler: the package has registered %q", pattern)
		}
	}
}

// If this fails, each program that uses a pool has all of net/http in it.
func TestPoolDoesWithoutHTTP(t *testing.T) {
	files, _ := filepath.Glob("../*.go")
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if strings.HasPrefix(i.Path.Value, `"net`) && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("Handler: %s imports %s, for all programs that use a pool", file, i.Path.Value)
			}
		}
	}
	if len(files) < 20 {
		t.Errorf("%d files of package pool were found", len(files))
	}
}

// If this fails, a production system has no picture, or one of another time, or is recorded for ever.
func TestPicture(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		p := newPool(t)
		defer p.Close()
		h := serving(t, map[string]*pool.Pool{"one": p})
		go func() {
			time.Sleep(time.Second)
			pool.Run(context.Background(), p, func(*pool.Worker, int) int { time.Sleep(2 * time.Second); return 0 }, 0)
		}()
		began := time.Now()
		w := ask(h, "GET", "?show=picture&pool=one&seconds=7")
		if took := time.Since(began); took != 7*time.Second {
			t.Errorf("Handler: a picture of 7 s took %v", took)
		}
		for _, want := range []string{"<title>Pool one</title>", "Why is it not faster?", "1 job,"} {
			if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, want) {
				t.Errorf("Handler: a picture is answered with %d, and does not say %q:\n%s", w.Code, want, body)
			}
		}
		if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'unsafe-inline'") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("Handler: the script of a picture may not run, or load something: %q", policy)
		}
		stop, err := p.Record(0)
		if err != nil {
			t.Fatalf("Handler: after a picture Record returned the error %v", err)
		}
		if w := ask(h, "GET", "?show=picture&pool=one"); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("Handler: a picture beside a recording is answered with %d, %v", w.Code, w.Header())
		}
		stop()

		began = time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/?show=picture&pool=one", nil))
		if took := time.Since(began); took != time.Second {
			t.Errorf("Handler: a picture for a client that has gone after 1 s took %v", took)
		}
		server := &http.Server{WriteTimeout: 5 * time.Second}
		ctx = context.WithValue(context.Background(), http.ServerContextKey, server)
		late := httptest.NewRecorder()
		h.ServeHTTP(late, httptest.NewRequestWithContext(ctx, "GET", "/?show=picture&pool=one&seconds=5", nil))
		if late.Code != 400 || !strings.Contains(late.Body.String(), "WriteTimeout") {
			t.Errorf("Handler: a picture for which the server has no time is answered with %d: %s", late.Code, late.Body)
		}
	})
}
