package main

import (
	"testing"

	"github.com/rouse-go/rouse/lab/conform"
	"github.com/rouse-go/rouse/lab/covers"
)

// A test that did not run must not look like one that has passed.
func TestCoveredBy(t *testing.T) {
	r := new(conform.Report)
	if err := r.Add([]*conform.Test{{Package: "github.com/rouse-go/rouse/conformance", Name: "TestPool/a", Result: "skip"}}); err != nil {
		t.Fatal(err)
	}
	got := coveredBy(r, covers.Cover{By: []string{"conformance.TestPool/a", "lab/scenarios.TestPool/b"}})
	if want := "conformance.TestPool/a: SKIP\nlab/scenarios.TestPool/b DID NOT RUN"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := coveredBy(r, covers.Cover{Reason: "no such thing here"}), "(no such thing here)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
