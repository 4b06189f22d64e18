package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small is a report of one cell.
const small = `{"version": 2, "title": "predicted by simulation, not measured: by hand", "sleep": "jec", "cells": [
	{"workload": "fib", "workers": 2, "low": 1, "base": 1.5, "high": 2, "bound": 2, "of_bound": 0.9, "ramp_ns": 5, "elapsed_ns": 9}]}`

// Reports that were made before are shown beside each other, without a prediction:
// this test has no time for one.
func TestPredictPage(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	for _, name := range []string{"jec.json", "futex.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(small), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := do(t, "predict", "--page", page, filepath.Join(dir, "jec.json"), filepath.Join(dir, "futex.json"))
	if got.status != statusOK || got.stdout != "" || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h1>predicted by simulation, not measured</h1>", "● jec<", "■ futex<", "<svg"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// A mistake is a line that says which file or flag is wrong, and the page that was
// there stays.
func TestPredictPageMistakes(t *testing.T) {
	dir := t.TempDir()
	path := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	page, good := path("page.html", "what was there"), path("good.json", small)
	other, old := path("other.json", `{"rows": []}`), path("old.json", strings.Replace(small, `"version": 2, `, "", 1))
	for _, test := range []struct{ args, says string }{
		{"--page " + page + " " + good + " gone.json", "open gone.json: "},
		{"--page " + page + " " + other, other + ": no report of lab predict"},
		{"--page " + page + " " + good + " " + old, old + ": a report of version 0, and this command reads version 2: predict again"},
		{"--page " + page + " --sleep jec --quick " + good, good + ": a report is shown as it is: leave out --quick, --sleep"},
		{good, good + ": reports are shown on a page: say --page FILE"},
		{"--page " + filepath.Join(dir, "no", "page.html") + " " + good, "page.html: "},
		// Noticed before the minutes that a prediction takes.
		{"--page " + filepath.Join(dir, "no", "page.html"), "page.html: "},
		{"--page " + page + " --workload coffee", `unknown workload "coffee"`},
	} {
		got := do(t, append([]string{"predict"}, strings.Fields(test.args)...)...)
		if got.status != statusFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.says) {
			t.Errorf("lab predict %s: %+v, want a line with %q", test.args, got, test.says)
		}
	}
	if text, err := os.ReadFile(page); err != nil || string(text) != "what was there" {
		t.Errorf("error %v; a mistake made the page %.40q", err, text)
	}
}

// Two files of the same name in two folders are told apart.
func TestLabels(t *testing.T) {
	for files, want := range map[string]string{
		"a/jec.json b/futex.json": "jec futex",
		"a/jec.json b/jec.json":   "a/jec.json b/jec.json",
		"plain":                   "plain",
	} {
		if got := strings.Join(labels(strings.Fields(files)), " "); got != want {
			t.Errorf("%s: %s, want %s", files, got, want)
		}
	}
}
