package mutants

import (
	"strings"
	"testing"
)

const shop = `package shop

const most = 3

type seat struct{ taken bool }

func (s *seat) take() bool {
	if s.taken { // by whom?
		return false
	} else if most == 0 {
		return false
	}
	s.taken = true
	most++
	return true
}

func leave(s *seat) { s.taken = false }
`

// Each operation does what it says, in its declaration alone.
func TestChange(t *testing.T) {
	for _, test := range []struct {
		changes   Changes
		old, want string
	}{
		{in("", "const most").replace("3", "4"), "most = 3", "most = 4"},
		{in("", "seat.take").replace("s.taken = true", "s.taken = false"), "s.taken = true", "s.taken = false"},
		{in("", "seat.take").drop("most++"), "\tmost++\n", "\t\n"},
		{in("", "seat.take").drop("if s.taken"), "if s.taken { // by whom?\n\t\treturn false\n\t} else if most == 0 {\n\t\treturn false\n\t}", ""},
		{in("", "seat.take").never("s.taken {"), "", ""},
		{in("", "seat.take").never("most == 0"), "most == 0", "false && (most == 0)"},
		{in("", "seat.take").always("most == 0"), "most == 0", "true || (most == 0)"},
		{in("", "seat.take").swap("s.taken = true"), "s.taken = true\n\tmost++", "most++\n\ts.taken = true"},
		{in("", "seat.take").before("most++", "x()"), "most++", "x()\nmost++"},
		{in("", "seat.take").after("most++", "x()"), "most++", "most++\nx()"},
		{in("", "leave").replace("s.taken =  false", "_ = s"), "{ s.taken = false }", "{ _ = s }"},
		{in("", "leave").add("var more int"), "s.taken = false }\n", "s.taken = false }\n\nvar more int\n"},
	} {
		c := test.changes[0]
		if test.old == "" {
			if _, err := c.apply(shop); err == nil {
				t.Errorf("%s %q: it was found in a condition, and is not within one", c.Do, c.Find)
			}
			continue
		}
		got, err := c.apply(shop)
		if want := strings.Replace(shop, test.old, test.want, 1); err != nil || got != want {
			t.Errorf("%s %q: error %v, and\n%s\nin place of\n%s", c.Do, c.Find, err, got, want)
		}
	}
}

// A row that does not fit says what is missing.
func TestChangeMistakes(t *testing.T) {
	for _, test := range []struct {
		changes Changes
		says    string
	}{
		{in("shop.go", "seat.sell").drop("most++"), "shop.go has no seat.sell"},
		{in("shop.go", "leave").drop("most++"), `shop.go, leave: there is no "most++"`},
		{in("shop.go", "seat.take").drop("return false"), `shop.go, seat.take: "return false" is there more than once`},
		{in("shop.go", "seat.take").drop(" "), "the fragment is empty"},
		{in("shop.go", "seat.take").swap("return true"), `nothing follows "return true"`},
		{in("shop.go", "const most").drop("3"), `no statement contains "3"`},
		{in("shop.go", "leave").does("burn", "s.taken", ""), `there is no operation "burn"`},
	} {
		if _, err := test.changes[0].apply(shop); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v: error %v, want one with %q", test.changes, err, test.says)
		}
	}
	if _, err := in("gone.go", "leave").drop("x").apply(t.TempDir()); err == nil || !strings.Contains(err.Error(), "gone.go") {
		t.Errorf("a file that is gone: error %v", err)
	}
}
