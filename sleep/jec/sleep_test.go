package jec_test

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/sleep/jec"
)

// The rules S1 to S9 are checked by the conformance suite.

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		workers    int
		opts       []jec.Option
	}{
		{"no workers", "0 workers, must be 1 to 65535", 0, nil},
		{"too many workers", "65536 workers, must be 1 to 65535", 65536, nil},
		{"no search after the announcement", "Sleepy is 0, must be 1", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: 3})}},
		{"negative rounds", "Yield is -1, must be 0", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: -1, Sleepy: 1})}},
	} {
		if _, err := jec.New(c.workers, c.opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	s, err := jec.New(2)
	if err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]func(){
		"jec: worker 2, have 2":                       func() { s.Wake(2) },
		"jec: worker -1, have 2":                      func() { s.StartLooking(-1, true) },
		"jec: a seat was given back that is not lent": func() { s.Return(1, func() bool { return false }) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
}
