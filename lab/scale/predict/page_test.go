package predict_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/scale/predict"
)

// pages are two small reports: one of two workloads, one of a single cell whose
// ramp takes no time.
func pages() []predict.Labelled {
	one := &predict.Report{
		Version: predict.Version, Title: "predicted by simulation, not measured: another abacus", Sleep: "futex",
		Cells: []predict.Cell{{Workload: "fib", About: "more calls", Workers: 16, Low: 3, Base: 4, High: 5, Bound: 15, OfBound: 0.25, Elapsed: 100, Limit: predict.Steals}},
	}
	two := report()
	two.Cells = append(two.Cells, predict.Cell{Workload: "tree", About: "leaves", Workers: 64, Low: 60, Base: 61, High: 62, Bound: 63, OfBound: 0.97, Ramp: 1e6, Elapsed: 1e9, Limit: predict.OK})
	return []predict.Labelled{{Label: "before", Report: two}, {Label: "<after>", Report: one}}
}

func written(t *testing.T, reports []predict.Labelled) string {
	t.Helper()
	var b bytes.Buffer
	if err := predict.WritePage(&b, reports); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page says first of all that nothing was measured, has all plots of each
// workload with every report in its colour, and all numbers. A plot that is not
// there, or a NaN in one, is a page that shows nothing or a blank.
func TestPage(t *testing.T) {
	got := written(t, pages())
	_, body, _ := strings.Cut(got, "</style>")
	if text := strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body, "")); !strings.HasPrefix(text, "predicted by simulation, not measured\n") {
		t.Errorf("the page begins with %.80q", text)
	}
	if n := strings.Count(got, "<svg"); n != 6 {
		t.Errorf("%d plots, want three for each of two workloads", n)
	}
	for _, want := range []string{
		"by hand; sleep backend jec; validated anew: 1 of 2", "another abacus; sleep backend futex; ", // the models
		"1 of 2 checks of the simulator hold, 1 skipped", "off: many callers: simulated 3.00, measured 2.00",
		"● before", "■ &lt;after&gt;",
		`<section id="fib">`, `<section id="tree">`, "many calls", "more calls",
		"<figcaption>Predicted speed-up</figcaption>", "<figcaption>Part of the bound</figcaption>", "<figcaption>Ramp</figcaption>",
		"fill:var(--ours-band)", "stroke:var(--ours)", "stroke:var(--go)", "stroke:var(--plain)",
		"0.53 ramp", "0.25 steals", `<span class="ok">0.97 ok</span>`,
		"<td>10.0×</td><td>20.0×</td><td>30.0×</td><td>63.5×</td><td>0.53</td><td>123 µs</td>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "<after>", "#0102", "http://", "https://", "ZgotmplZ"} {
		if strings.Contains(got, bad) {
			t.Errorf("there is %q", bad)
		}
	}
	if written(t, pages()) != got {
		t.Error("the same reports make two different pages")
	}
}

// A workload has one bound for each of its sizes, with the numbers of workers of
// all reports: two lines of the same bound would look like two bounds.
func TestPageBounds(t *testing.T) {
	const dashed = "stroke-dasharray"
	one := written(t, []predict.Labelled{{Label: "a", Report: report()}})
	same := written(t, []predict.Labelled{{Label: "a", Report: report()}, {Label: "b", Report: report()}})
	if a, b := strings.Count(one, dashed), strings.Count(same, dashed); b != 1 || a != 1 {
		t.Errorf("%d dashed lines with one report of fib, %d with two of the same size, want 1", a, b)
	}
}

// With one worker there is no ramp, and no plot of nothing.
func TestPageAlone(t *testing.T) {
	r := report()
	r.Cells = r.Cells[:1]
	got := written(t, []predict.Labelled{{Label: "a", Report: r}})
	if strings.Contains(got, "<figcaption>Ramp</figcaption>") || strings.Count(got, "<svg") != 2 || strings.Contains(got, "NaN") {
		t.Errorf("%d plots, want two", strings.Count(got, "<svg"))
	}
}

// More reports than there are colours cannot be told apart.
func TestPageMistakes(t *testing.T) {
	var many []predict.Labelled
	for i := range 6 {
		many = append(many, predict.Labelled{Label: fmt.Sprint(i), Report: report()})
	}
	if err := predict.WritePage(new(bytes.Buffer), many); err == nil || !strings.Contains(err.Error(), "6 reports are too many for a page: at most 5") {
		t.Errorf("error %v", err)
	}
	if got := written(t, many[:5]); strings.Contains(got, "var(--)") || !strings.Contains(got, "var(--gold)") {
		t.Error("one of five reports has no colour")
	}
	if err := predict.WritePage(new(bytes.Buffer), nil); err == nil {
		t.Error("a page of nothing")
	}
}

// A report that was printed can be read again.
func TestReadReport(t *testing.T) {
	for _, want := range pages() {
		want.Version = predict.Version
		for i := range want.Cells {
			want.Cells[i].Elapsed = 1
		}
		var b bytes.Buffer
		if err := want.Write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := predict.Read(&b)
		if err != nil || got.Text(0) != want.Text(0) {
			t.Errorf("error %v, %+v", err, got)
		}
	}
}

// The error says what is wrong with a file, and what to do about it.
func TestReadReportMistakes(t *testing.T) {
	const title = `"title": "predicted by simulation, not measured: x"`
	const cell = `{"workload": "fib", "workers": 2, "low": 1, "base": 1, "high": 1, "bound": 1, "of_bound": 1, "elapsed_ns": 1}`
	if _, err := predict.Read(strings.NewReader(`{"version": 2, ` + title + `, "cells": [` + cell + `]}`)); err != nil {
		t.Fatalf("a small report: error %v", err)
	}
	for _, test := range []struct{ json, says string }{
		{"", "no report of lab predict in JSON: unexpected end"},
		{"predicted by simulation", "no report of lab predict in JSON: invalid character"},
		{`{"workloads": []}`, "no report of lab predict: it does not say that it was predicted"},
		{`{` + title + `}`, "a report of version 0, and this command reads version 2: predict again"},
		{`{"version": 3, "cells": "none", ` + title + `}`, "a report of version 3, and this command reads version 2"},
		{`{"version": 2, "cells": "none", ` + title + `}`, "no report of lab predict in JSON: json: cannot unmarshal"},
		{`{"version": 2, ` + title + `}`, "a report that predicts nothing"},
		{`{"version": 2, ` + title + `, "cells": [{"workload": "fib", "workers": 2, "low": 1}]}`, `"fib" with 2 workers is there twice, or lacks`},
		{`{"version": 2, ` + title + `, "cells": [` + cell + `, ` + cell + `]}`, `"fib" with 2 workers is there twice, or lacks`},
	} {
		if _, err := predict.Read(strings.NewReader(test.json)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %q", test.json, err, test.says)
		}
	}
}
