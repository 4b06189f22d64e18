// Package demotest is what the tests of the programs share.
package demotest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/examples/metrics/internal/demo"
	"github.com/rouse-go/rouse/pool"
)

// Fields checks that each field of [pool.Stats] is shown, and by a name that has the field's: what
// export shows depends on each, and nothing depends on two of them, but for parts of QueueTime.
// The name of a counter, and of nothing else, ends in _total. It returns the names.
func Fields(t *testing.T, export func(pool.Stats) map[string]float64) (names []string) {
	t.Helper()
	zero := export(pool.Stats{})
	by := map[string]string{} // the field that a number depends on
	check := func(field string, counter bool, s pool.Stats) {
		found := false
		for name, value := range export(s) {
			if value == zero[name] {
				continue
			}
			found = true
			if counter && value != 7 {
				t.Errorf("%s is %v, want the 7 of field %s of pool.Stats", name, value, field)
			}
			if !strings.Contains(name, snake(field)) || strings.HasSuffix(name, "_total") != counter {
				t.Errorf("field %s of pool.Stats, a counter: %v, is shown as %s", field, counter, name)
			}
			if other, twice := by[name]; twice && other != field {
				t.Errorf("%s depends on the fields %s and %s of pool.Stats", name, other, field)
			}
			by[name] = field
		}
		if !found {
			t.Errorf("field %s of pool.Stats is not shown", field)
		}
	}
	stats := reflect.TypeFor[pool.Stats]()
	for i := range stats.NumField() {
		var s pool.Stats
		field := reflect.ValueOf(&s).Elem().Field(i)
		if field.Kind() != reflect.Struct {
			set(field)
			check(stats.Field(i).Name, field.CanUint(), s)
			continue
		}
		for j := range field.NumField() {
			field.SetZero()
			set(field.Field(j))
			check(stats.Field(i).Name, false, s)
		}
	}
	for name := range zero {
		if by[name] == "" {
			t.Errorf("%s depends on no field of pool.Stats", name)
		}
		names = append(names, name)
	}
	return names
}

// set sets a number to something else than zero, or all numbers of an array.
func set(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			set(v.Index(i))
		}
	case v.CanInt():
		v.SetInt(7e9)
	case v.CanUint():
		v.SetUint(7)
	default:
		panic("demotest: no number: " + v.Type().String())
	}
}

// snake turns SetAside into set_aside.
func snake(name string) string {
	return strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(name, "${1}_$2"))
}

// Documented checks that the README has each of the names.
func Documented(t *testing.T, names []string) (readme string) {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("the README does not have %s", name)
		}
	}
	return string(text)
}

// Rested returns a pool that has worked and is at rest. It is closed at the end of the test.
func Rested(t *testing.T, jobs int) *pool.Pool {
	t.Helper()
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	for range jobs {
		if _, err := pool.Run(t.Context(), p, func(w *pool.Worker, n int) int {
			a, b := pool.Invoke(w, one, n, one, n)
			return a + b
		}, 0); err != nil {
			t.Fatal(err)
		}
	}
	// A worker counts as asleep a moment before its park is counted.
	for s := p.Stats(); s.Sleeping < s.Workers || s.Parks < s.Wakes+uint64(s.Workers) || s.Ended < s.Submitted; s = p.Stats() {
		runtime.Gosched()
	}
	return p
}

// Pools checks that read returns, by pool, what of returns of its numbers: from the call of add until that of what add
// returns, even if the pool is closed, and whatever add refuses.
func Pools[N any](t *testing.T, add func(string, *pool.Pool) (func(), error), read func() map[string]N, of func(pool.Stats) N) {
	t.Helper()
	want := map[string]*pool.Pool{}
	addNew := func(name string, jobs int) (remove func()) {
		want[name] = Rested(t, jobs)
		remove, err := add(name, want[name])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(remove)
		return remove
	}
	check := func(when string) {
		t.Helper()
		numbers := map[string]N{}
		for name, p := range want {
			s := p.Stats()
			if numbers[name] = of(s); s.Ended == 0 {
				t.Errorf("no job of pool %s has ended", name)
			}
		}
		if got := read(); !reflect.DeepEqual(got, numbers) {
			t.Errorf("%s: it has\n%+v, want\n%+v", when, got, numbers)
		}
	}
	remove, other := addNew("a", 1000), addNew(`"b" of us`, 1)
	check("two pools")
	other()
	delete(want, `"b" of us`)
	refused(t, want["a"], add)
	check("the others were refused or removed")
	if err := want["a"].Close(); err != nil {
		t.Fatal(err)
	}
	check("closed")
	remove()
	delete(want, "a")
	check("removed")
	addNew("a", 10)
	remove() // It has done so.
	check("another pool in place of the one removed")
}

// refused checks what is refused when p has the name a: another pool of that name, a pool without
// a name, and none.
func refused(t *testing.T, p *pool.Pool, add func(string, *pool.Pool) (func(), error)) {
	t.Helper()
	for _, test := range []struct {
		name string
		pool *pool.Pool
		says string
	}{
		{"a", p, `another pool "a"`},
		{"a", Rested(t, 0), `another pool "a"`},
		{"c", nil, `pool "c": want a name, and a pool that is not nil`},
		{"", p, `pool "": want a name`},
	} {
		remove, err := add(test.name, test.pool)
		if err == nil || remove != nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("pool %q: error %v, want one with %q", test.name, err, test.says)
		}
	}
}

func one(_ *pool.Worker, n int) int { return n }

// Started runs a program until the test ends, and returns where it serves.
func Started(t *testing.T, show demo.Show) (url string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := demo.Run(ctx, "127.0.0.1:0", in, show)
		in.CloseWithError(err)
		ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the end of the program: %v", err)
		}
	})
	if _, err := fmt.Fscanln(out, &url); err != nil {
		t.Fatal(err)
	}
	return url
}

// Get returns the body of an answer.
func Get(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(r.Status, err)
	}
	return string(body)
}
