package main

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/conform"
)

func TestWriteCovers(t *testing.T) {
	var b strings.Builder
	writeCovers(&b, &conform.Report{
		Regressions: []conform.Cover{
			{Source: "x#1", About: "a hang", By: []conform.Cited{{Test: "conformance.TestPool/a", Result: "pass"}, {Test: "scenarios.TestPool/b"}}},
			{Source: "x#2", About: "a leak", By: []conform.Cited{{Test: "conformance.TestPool/c", Result: "skip"}}},
		},
		Others: []conform.Cover{{Source: "y z", About: "its own", Reason: "no such thing here"}},
	})
	for _, want := range []string{
		"x#1  a hang  conformance.TestPool/a\n",
		"scenarios.TestPool/b DID NOT RUN\n",
		"x#2  a leak  conformance.TestPool/c: SKIP\n",
		"y z   its own  (no such thing here)\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
