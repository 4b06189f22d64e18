package notes_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool/internal/notes"
)

// Two short calls in a row make the next one brief, and a long one ends that.
func TestNotes(t *testing.T) {
	var b notes.Book
	brief := func(key uint64, want bool, when string) {
		t.Helper()
		if got := b.Brief(key); got != want {
			t.Errorf("P31: %s, and whether a call with key %d is brief is %t", when, key, got)
		}
	}
	brief(7, false, "nothing is known")
	b.Note(7, false)
	b.Note(7, true)
	brief(7, false, "one was short")
	b.Note(7, true)
	brief(7, true, "two were short")
	brief(8, false, "two of another key were short")
	b.Note(7, true)
	brief(7, true, "three were short")
	b.Note(7, false)
	brief(7, false, "the last one was long")
	b.Note(7, true)
	brief(7, false, "one was short since")
	brief(0, false, "nothing is known")
}

// Notes that have no room any more are lost, and none is taken for another one's. They allocate nothing.
func TestNotesOfMany(t *testing.T) {
	var b notes.Book
	if n := testing.AllocsPerRun(100, func() { b.Note(5, true); b.Brief(5) }); n != 0 {
		t.Errorf("P31: a note allocates %v times", n)
	}
	const many = 100_000
	for key := range uint64(many) {
		b.Note(key<<4, true)
		b.Note(key<<4, true)
		if !b.Brief(key << 4) {
			t.Fatalf("P31: two short calls with key %d, and the next one is not brief", key<<4)
		}
	}
	left := 0
	for key := range uint64(many) {
		if b.Brief(key << 4) {
			left++
		}
		if b.Brief(key<<4 | 1) {
			t.Fatalf("P31: a call with key %d is brief, and there was none", key<<4|1)
		}
	}
	if left < 500 || left > 1024 {
		t.Errorf("P31: of %d notes %d are left, want about a thousand", many, left)
	}
}
