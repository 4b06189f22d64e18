package main

import (
	"encoding/json"
	"expvar"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/examples/metrics/internal/demotest"
	"github.com/rouse-go/rouse/pool"
)

// shown returns the pools in what expvar serves.
func shown(t *testing.T, text string) (pools map[string]pool.Stats) {
	t.Helper()
	var vars struct {
		Pools map[string]json.RawMessage `json:"rouse_pools"`
	}
	if err := json.Unmarshal([]byte(text), &vars); err != nil {
		t.Fatal(err)
	}
	pools = map[string]pool.Stats{}
	for name, text := range vars.Pools {
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.DisallowUnknownFields()
		var s pool.Stats
		if err := d.Decode(&s); err != nil {
			t.Fatal(err)
		}
		pools[name] = s
	}
	return pools
}

// got returns the pools that expvar serves.
func got(t *testing.T) map[string]pool.Stats {
	t.Helper()
	s := httptest.NewServer(expvar.Handler())
	defer s.Close()
	return shown(t, demotest.Get(t, s.URL+"/debug/vars"))
}

func add(t *testing.T, name string, p *pool.Pool) (unpublish func()) {
	t.Helper()
	unpublish, err := publish(name, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unpublish)
	return unpublish
}

func TestPublish(t *testing.T) {
	a, b := demotest.Rested(t, 1000), demotest.Rested(t, 1)
	add(t, "a", a)
	add(t, `"b" of us`, b)
	want := map[string]pool.Stats{"a": a.Stats(), `"b" of us`: b.Stats()}
	if got := got(t); !reflect.DeepEqual(got, want) || got["a"].Ended == 0 {
		t.Errorf("expvar serves\n%+v, want\n%+v", got, want)
	}
}

// Each field of Stats is served, by its name in Go.
func TestFields(t *testing.T) {
	p := demotest.Rested(t, 0)
	add(t, "a", p)
	text, err := json.Marshal(p.Stats())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[pool.Stats]()) {
		if _, ok := fields[f.Name]; !ok {
			t.Errorf("field %s of pool.Stats is not served in %s", f.Name, text)
		}
	}
}

// What is published stays so, whatever else cannot be.
func TestRefused(t *testing.T) {
	p := demotest.Rested(t, 10)
	add(t, "a", p)
	demotest.Refused(t, p, publish)
	if got := got(t); len(got) != 1 || got["a"] != p.Stats() {
		t.Errorf("expvar serves %+v", got)
	}
}

// A variable of that name that is no map is left alone.
func TestNameTaken(t *testing.T) {
	defer func(name string) { variable = name }(variable)
	variable = "rouse_pools_taken"
	if expvar.Get(variable) == nil { // with -count there is
		expvar.NewString(variable).Set("mine")
	}
	if _, err := publish("a", demotest.Rested(t, 0)); err == nil || !strings.Contains(err.Error(), "rouse_pools_taken is not a map of pools") {
		t.Errorf("error %v, want one that says that the name is taken", err)
	}
	if got := expvar.Get(variable).String(); got != `"mine"` {
		t.Errorf("the variable is %s, want what it was", got)
	}
}

// A pool that is closed keeps its numbers until it is unpublished, and leaves its name.
func TestClosed(t *testing.T) {
	p := demotest.Rested(t, 10)
	first := add(t, "a", p)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if got := got(t); got["a"] != p.Stats() || got["a"].Ended == 0 {
		t.Errorf("expvar serves of a closed pool %+v", got)
	}
	first()
	if got := got(t); len(got) != 0 {
		t.Errorf("expvar serves without a pool %+v", got)
	}
	add(t, "a", demotest.Rested(t, 0))
	first() // It has done so.
	if got := got(t); len(got) != 1 {
		t.Errorf("expvar serves %+v, and another pool in place of the first one", got)
	}
}

func TestProgram(t *testing.T) {
	if got := shown(t, demotest.Served(t, serve))["demo"]; got.Submitted == 0 {
		t.Errorf("the program serves %+v", got)
	}
}
