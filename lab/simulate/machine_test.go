package simulate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/simulate"
)

// Each machine that comes with the package can be loaded, and each of its
// constants says where it is from.
func TestMachines(t *testing.T) {
	want := map[string]int{"this-2": 2, "one-socket-64": 64, "two-sockets-256": 256}
	names := simulate.Machines()
	if len(names) != len(want) {
		t.Errorf("there are %q, want %d", names, len(want))
	}
	for _, name := range names {
		m, err := simulate.Load(name)
		if err != nil {
			t.Errorf("%s cannot be loaded: %v", name, err)
			continue
		}
		if m.Name != name || m.Processors != want[name] {
			t.Errorf("%s is called %q and has %d processors, want %d", name, m.Name, m.Processors, want[name])
		}
		var has []string
		for _, c := range m.Constants() {
			has = append(has, c.Name)
			if len(c.Source) < 12 {
				t.Errorf("%s does not say where %s is from: %q", name, c.Name, c.Source)
			}
			if v := m.InForce(c.Name); v != c.Base || c.Low > c.Base || c.Base > c.High {
				t.Errorf("%s: %s is %v; low, base and high are %v, %v, %v", name, c.Name, v, c.Low, c.Base, c.High)
			}
		}
		if slices.Sort(has); !slices.Equal(has, simulate.CostNames()) {
			t.Errorf("%s has the constants %q, must have %q", name, has, simulate.CostNames())
		}
	}
	if _, err := simulate.Load("cray-1"); err == nil || !strings.Contains(err.Error(), "this-2") {
		t.Errorf("the error of an unknown machine lists none: %v", err)
	}
}

// A variation changes all constants, of a copy.
func TestVariations(t *testing.T) {
	m, err := simulate.Load("two-sockets-256")
	if err != nil {
		t.Fatal(err)
	}
	low, high := m.With(simulate.Low), m.With(simulate.High)
	for _, c := range m.Constants() {
		if l, b, h := low.InForce(c.Name), m.InForce(c.Name), high.InForce(c.Name); l != c.Low || b != c.Base || h != c.High {
			t.Errorf("%s is %v low, %v as it is, %v high; want %v, %v, %v", c.Name, l, b, h, c.Low, c.Base, c.High)
		}
	}
}

// Times are read by people.
func TestTimeString(t *testing.T) {
	for d, want := range map[simulate.Time]string{
		0: "0 s", 1: "1 ps", 1500: "1.5 ns", -2 * simulate.Microsecond: "-2 us",
		123456789: "123.457 us", simulate.Second: "1 s",
	} {
		if got := d.String(); got != want {
			t.Errorf("%d ps is %q, want %q", int64(d), got, want)
		}
	}
}
