package mutants

import "testing"

// TestRows checks that what the rows change is still there, that they are whole, and that
// all but a few fit into one program.
func TestRows(t *testing.T) {
	all := Mutants()
	names := make(map[string]bool)
	for _, m := range all {
		if names[m.Name] {
			t.Errorf("%s: there are two of that name", m.Name)
		}
		names[m.Name] = true
		if m.Test == "" || len(m.Changes) == 0 || (m.Says == "") == (m.Harmless == "") {
			t.Errorf("%s: a row needs changes, a test that they fail, and what that says or why it does not", m.Name)
		}
		if _, err := m.apply("../.."); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	apart, err := Apart("../..", all)
	if err != nil {
		t.Fatal(err)
	}
	if len(apart) > len(all)/50 {
		t.Errorf("%d of %d mutants do not fit into a program with the others: %v", len(apart), len(all), apart)
	}
	for name := range stored() {
		if !names[name] {
			t.Errorf("schedules.txt has %s, which is no mutant", name)
		}
	}
}
