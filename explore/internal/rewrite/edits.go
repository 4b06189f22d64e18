package rewrite

import (
	"cmp"
	"slices"
	"strings"
)

// Text is changed where it stands, so comments, directives and lines stay what they are.

// kind orders edits at one place.
type kind int

const (
	closes   kind = iota // is put after what ends here
	opens                // is put before what begins here
	replaces             // stands for what is from here on
)

// An edit replaces the bytes from at to end.
type edit struct {
	at, end int
	kind    kind
	number  int
	text    string
}

// A text is the source text of a file, with edits.
type text struct {
	src   []byte
	edits []edit
	count int
}

func (t *text) add(e edit) {
	t.count++
	e.number = t.count
	t.edits = append(t.edits, e)
}

// open puts s before what begins at the place; what is put there later comes before.
func (t *text) open(at int, s string) { t.add(edit{at, at, opens, 0, s}) }

// close puts s after what ends at the place; what is put there later comes after.
func (t *text) close(at int, s string) { t.add(edit{at, at, closes, 0, s}) }

// replace puts s in place of what is from at to end. Edits in between are dropped.
func (t *text) replace(at, end int, s string) {
	t.edits = slices.DeleteFunc(t.edits, func(e edit) bool { return within(e, at, end) })
	t.add(edit{at, end, replaces, 0, s})
}

// within reports whether the edit belongs to what is from at to end.
func within(e edit, at, end int) bool {
	switch {
	case e.kind == closes:
		return at < e.at && e.at <= end
	default:
		return at <= e.at && e.at < end
	}
}

// render returns what is from at to end, as it is now.
func (t *text) render(at, end int) string {
	var in []edit
	for _, e := range t.edits {
		if within(e, at, end) {
			in = append(in, e)
		}
	}
	slices.SortFunc(in, func(a, b edit) int {
		if c := cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind)); c != 0 {
			return c
		}
		if a.kind == opens {
			return cmp.Compare(b.number, a.number)
		}
		return cmp.Compare(a.number, b.number)
	})
	var b strings.Builder
	for _, e := range in {
		b.Write(t.src[at:e.at])
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(t.src[at:end])
	return b.String()
}

// lines returns as many newlines as there are from at to end.
func (t *text) lines(at, end int) string {
	return strings.Repeat("\n", strings.Count(string(t.src[at:end]), "\n"))
}
