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

func TestPools(t *testing.T) {
	s := httptest.NewServer(expvar.Handler())
	defer s.Close()
	read := func() map[string]pool.Stats { return shown(t, demotest.Get(t, s.URL+"/debug/vars")) }
	demotest.Pools(t, publish, read, func(s pool.Stats) pool.Stats { return s })
}

// Each field of Stats is served, by its name in Go.
func TestFields(t *testing.T) {
	text, err := json.Marshal(pool.Stats{})
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

func TestProgram(t *testing.T) {
	if got := shown(t, demotest.Get(t, demotest.Started(t, serve)))["demo"]; got.Submitted == 0 {
		t.Errorf("the program serves %+v", got)
	}
}
