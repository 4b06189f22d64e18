// Package poolhttp serves what pools do by HTTP: their counts, and which job waits for which. It
// registers nothing: you say where, and who may come there.
//
//	var pools poolhttp.Handler
//	if err := pools.Add("default", pool.Default); err != nil {
//		log.Fatal(err)
//	}
//	admin := http.NewServeMux()
//	admin.Handle("/debug/pools", &pools)
//	server := &http.Server{Addr: "localhost:6060", Handler: admin, ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
//	go server.ListenAndServe()
//
// With [Handler.Recordings] a button records the next second of a pool, and shows the picture of it.
// The command rouse top, in the tools of the repository, shows what it answers, again and again.
//
// Strangers must not reach it. A dump shows the names of the functions that run, the files and lines
// where they are, and the profiler labels of goroutines, if Go prints those; it shows no arguments
// and no other values. And it stops the program for as long as [runtime.Stack] does. So serve it on
// an address that only you can reach, as above, or behind a handler that asks for a password.
package poolhttp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// ErrTaken is what the error of [Handler.Add] wraps if another pool has the name.
var ErrTaken = errors.New("another pool has that name")

// A Handler is an [http.Handler] that answers for any number of pools. The zero Handler has none. Any
// number of goroutines may use it. Do not copy it.
//
// It understands GET and HEAD at whatever path you give it, and these parameters of the URL; it reads no
// body:
//
//   - without any it answers with a page that has the counts of all pools, and links;
//   - show=stats: the counts of all pools, as text;
//   - show=stats&format=json: an object with one [pool.Stats] for each pool, durations in
//     nanoseconds;
//   - show=stats&pool=NAME, with or without format=json: the counts of this pool alone;
//   - show=dump&pool=NAME: what [pool.Pool.Dump] writes. One is made at a time: a second one
//     meanwhile gets status 503.
//
// If you allow it, by Recordings, it also understands POST:
//
//   - show=picture&pool=NAME: records the next second of the pool, or as many as seconds=N says, up to ten,
//     and answers with the page that package picture makes of it. The page of all pools has a button for
//     that.
//
// An unknown pool gets status 404, an unknown parameter 400, and so does one that is given twice.
// Nothing may be kept in a cache. A pool that was closed still has counts.
//
// A request that names another host than localhost, an IP address or one of Hosts gets status 403.
// Otherwise a page that you visit elsewhere could have your browser read the answers: its own name
// may lead to your address. Requests that have not come through a [http.Server] are not checked.
type Handler struct {
	// Hosts are further names by which clients may call the host, without a port. Set them before the
	// first request.
	Hosts []string
	// Recordings lets clients record a pool. Each recording has room for 100,000 events, which takes 6 MB,
	// and costs the jobs some 50 ns for each event meanwhile; its page takes a few hundred bytes for each.
	// One is made at a time: a second one meanwhile gets status 503. If the program records the pool itself,
	// the status is 409. A page of another origin gets 403. Set it before the first request.
	Recordings bool

	mu prim.Mutex
	// pools are the functions that return the pools, guarded by mu.
	pools map[string]func() *pool.Pool
	// dumping says that a dump is being made.
	dumping prim.Bool
	// recording says that a recording is being made.
	recording prim.Bool
	// origin refuses what a page of another origin has a browser post.
	origin http.CrossOriginProtection
}

// Add has the handler answer for a pool under a name. of returns the pool, and is called for each
// request: [pool.Default] may return another one each time, and a function of yours a
// pool that you make later. If it returns nil there is none now. If another pool has the name, the
// error wraps [ErrTaken]. A nil function and an empty name are errors too.
func (h *Handler) Add(name string, of func() *pool.Pool) error {
	switch {
	case of == nil:
		return fmt.Errorf("poolhttp: Add(%q): a nil function", name)
	case name == "":
		return errors.New("poolhttp: Add: the pool needs a name")
	}
	if !h.put(name, of) {
		return fmt.Errorf("poolhttp: Add(%q): %w: take another one, or Remove that first", name, ErrTaken)
	}
	return nil
}

// put notes the pool, unless the name is taken.
func (h *Handler) put(name string, of func() *pool.Pool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pools[name] != nil {
		return false
	}
	if h.pools == nil {
		h.pools = map[string]func() *pool.Pool{}
	}
	h.pools[name] = of
	return true
}

// Remove ends what [Handler.Add] has begun. It does nothing if no pool has the name.
func (h *Handler) Remove(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.pools, name)
}

// all returns the pools that there are now, by name.
func (h *Handler) all() map[string]*pool.Pool {
	h.mu.Lock()
	of := maps.Clone(h.pools)
	h.mu.Unlock()
	all := map[string]*pool.Pool{}
	for name, f := range of {
		if p := f(); p != nil {
			all[name] = p
		}
	}
	return all
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	posts := r.Method == http.MethodPost && h.Recordings
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !posts {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	if !h.isCalled(r) {
		http.Error(w, fmt.Sprintf("this is not the host %q: call it localhost or by its IP address, or add the name to Handler.Hosts", r.Host), http.StatusForbidden)
		return
	}
	query, err := parse(r.URL)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a := answer{w, r}
	show, format, name := query["show"], query["format"], query["pool"]
	pools := h.all()
	if name != "" {
		p := pools[name]
		if p == nil {
			http.Error(w, fmt.Sprintf("no pool has the name %q; there are: %q", name, slices.Sorted(maps.Keys(pools))), http.StatusNotFound)
			return
		}
		pools = map[string]*pool.Pool{name: p}
	}
	switch seconds := query["seconds"]; {
	case posts != (show == "picture") || !posts && seconds != "":
		http.Error(w, `only "show=picture" is for POST, and "seconds" for that`, http.StatusBadRequest)
	case posts && (name == "" || format != ""):
		http.Error(w, `want "show=picture&pool=NAME", and possibly "seconds=N"`, http.StatusBadRequest)
	case posts:
		h.record(a, pools[name], name, cmp.Or(seconds, "1"))
	case show == "" && format == "":
		a.page(pools, h.Recordings)
	case show == "stats" && format == "json":
		a.json(pools, name)
	case show == "stats" && (format == "" || format == "text"):
		a.text(pools)
	case show == "dump" && format == "" && name != "":
		h.dump(a, pools[name])
	case show == "dump" && format == "":
		http.Error(w, "of which pool? say pool=NAME", http.StatusBadRequest)
	default:
		http.Error(w, `want nothing, "show=stats", "show=stats&format=json" or "show=dump&pool=NAME"`, http.StatusBadRequest)
	}
}

// isCalled reports whether the request means this host.
func (h *Handler) isCalled(r *http.Request) bool {
	if r.Context().Value(http.LocalAddrContextKey) == nil {
		return true
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ".")
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return true // A browser always names a host.
	}
	return strings.EqualFold(host, "localhost") || slices.ContainsFunc(h.Hosts, func(name string) bool { return strings.EqualFold(host, name) })
}

// parse returns the parameters of a URL.
func parse(u *url.URL) (map[string]string, error) {
	all, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, err
	}
	query := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains([]string{"show", "format", "pool", "seconds"}, name) {
			return nil, fmt.Errorf("unknown parameter %q: want show, format, pool or seconds", name)
		}
		if n := len(all[name]); n != 1 {
			return nil, fmt.Errorf("parameter %q is given %d times", name, n)
		}
		query[name] = all[name][0]
	}
	return query, nil
}

// dump answers with what the jobs of a pool do.
func (h *Handler) dump(a answer, p *pool.Pool) {
	if !h.dumping.CompareAndSwap(false, true) {
		a.w.Header().Set("Retry-After", "1")
		http.Error(a.w, "another dump is being made", http.StatusServiceUnavailable)
		return
	}
	a.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	var b bytes.Buffer
	func() {
		defer h.dumping.Store(false)
		if a.isRead() {
			p.Dump(&b)
		}
	}()
	// A client that reads slowly is in nobody's way.
	_, _ = a.w.Write(b.Bytes())
}

const htmlType = "text/html; charset=utf-8"

// An answer is one that is being written.
type answer struct {
	w http.ResponseWriter
	r *http.Request
}

// isRead reports whether there is somebody to read the body: then it is worth the effort.
func (a answer) isRead() bool { return a.r.Method == http.MethodGet && a.r.Context().Err() == nil }

// send writes a whole body. An error means that the client has gone.
func (a answer) send(contentType string, body []byte) {
	a.w.Header().Set("Content-Type", contentType)
	a.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if a.isRead() {
		_, _ = a.w.Write(body)
	}
}

// json answers with the counts of all pools, or of the one with the name.
func (a answer) json(pools map[string]*pool.Pool, name string) {
	stats := map[string]pool.Stats{}
	for name, p := range pools {
		stats[name] = p.Stats()
	}
	var what any = stats
	if name != "" {
		what = stats[name]
	}
	body, err := json.MarshalIndent(what, "", "\t")
	if err != nil {
		http.Error(a.w, err.Error(), http.StatusInternalServerError)
		return
	}
	a.send("application/json", append(body, '\n'))
}

// text answers with a line for each count.
func (a answer) text(pools map[string]*pool.Pool) {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		fmt.Fprintf(&b, "pool %q\n", name)
		for _, f := range fields(pools[name].Stats()) {
			fmt.Fprintf(&b, "\t%s: %s\n", f.name, f.value)
		}
	}
	a.send("text/plain; charset=utf-8", b.Bytes())
}

// A field is a count of a pool, by the name that it has on a page.
type field struct{ name, value string }

// fields returns the counts. Of QueueTime that is how many jobs were measured, their mean and the longest.
func fields(s pool.Stats) (all []field) {
	add := func(name string, value any) { all = append(all, field{name, fmt.Sprint(value)}) }
	for i, f := range reflect.VisibleFields(reflect.TypeFor[pool.Stats]()) {
		name := strings.ToLower(wordEnd.ReplaceAllString(f.Name, "${1}_$2"))
		switch v := reflect.ValueOf(s).Field(i).Interface().(type) {
		case pool.Times:
			add(name+"_count", v.Count)
			add(name+"_mean", v.Mean())
			add(name+"_max", v.Max)
		default:
			add(name, v)
		}
	}
	return all
}

// wordEnd is where a word of a name ends.
var wordEnd = regexp.MustCompile(`([a-z])([A-Z])`)

// page answers with the counts of all pools side by side, with links, and with buttons if there may be recordings.
func (a answer) page(pools map[string]*pool.Pool, recordings bool) {
	var b bytes.Buffer
	names := slices.Sorted(maps.Keys(pools))
	b.WriteString(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Pools</title>
<style>
:root { color-scheme: light dark }
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4 }
th, td { padding: .1em 1.2em .1em 0; text-align: right; font-weight: normal; font-variant-numeric: tabular-nums }
th:first-child { text-align: left }
</style></head><body>
<h1>Pools</h1>
<p><strong>Strangers must not reach this page.</strong>
A dump shows the names of functions, files and lines, and profiler labels, and stops the program while it is made.</p>
<p>All counts: <a href="?show=stats">text</a>, <a href="?show=stats&amp;format=json">JSON</a>.
The documentation of pool.Stats says what each one means.</p>
<table><tr><th></th>`)
	rows := map[string][]string{}
	var order []string
	for _, name := range names {
		fmt.Fprintf(&b, "<th>%s</th>", html.EscapeString(name))
		for _, f := range fields(pools[name].Stats()) {
			if rows[f.name] == nil {
				order = append(order, f.name)
			}
			rows[f.name] = append(rows[f.name], f.value)
		}
	}
	b.WriteString("</tr>\n<tr><th>what jobs do</th>")
	for _, name := range names {
		fmt.Fprintf(&b, `<td><a href="?show=dump&amp;pool=%s">dump</a></td>`, url.QueryEscape(name))
	}
	b.WriteString("</tr>\n")
	if recordings {
		b.WriteString("<tr><th>the next second</th>")
		for _, name := range names {
			fmt.Fprintf(&b, `<td><form method="post" action="?show=picture&amp;pool=%s"><button>record</button></form></td>`, url.QueryEscape(name))
		}
		b.WriteString("</tr>\n")
	}
	for _, key := range order {
		fmt.Fprintf(&b, "<tr><th>%s</th><td>%s</td></tr>\n", strings.ReplaceAll(key, "_", " "), strings.Join(rows[key], "</td><td>"))
	}
	b.WriteString("</table>\n</body></html>\n")
	a.send(htmlType, b.Bytes())
}
