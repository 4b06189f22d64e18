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
		for _, c := range m.Constants() {
			if len(c.Source) < 12 {
				t.Errorf("%s does not say where %s is from: %q", name, c.Name, c.Source)
			}
			if c.Value != c.Base || c.Low > c.Base || c.Base > c.High {
				t.Errorf("%s: %s is %v; low, base and high are %v, %v, %v", name, c.Name, c.Value, c.Low, c.Base, c.High)
			}
		}
	}
	if _, err := simulate.Load("cray-1"); err == nil || !strings.Contains(err.Error(), "this-2") {
		t.Errorf("the error of an unknown machine lists none: %v", err)
	}
}

// A variation changes all constants or one, of a copy.
func TestVariations(t *testing.T) {
	m, err := simulate.Load("two-sockets-256")
	if err != nil {
		t.Fatal(err)
	}
	before := m.Constants()
	high := m.With(simulate.High)
	for i, c := range high.Constants() {
		if c.Value != before[i].High {
			t.Errorf("with all constants high, %s is %v, want %v", c.Name, c.Value, before[i].High)
		}
	}
	one, err := m.WithConstant("across", simulate.Low)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range one.Constants() {
		want := before[i].Base
		if c.Name == "across" {
			want = before[i].Low
		}
		if c.Value != want {
			t.Errorf("with across low, %s is %v, want %v", c.Name, c.Value, want)
		}
	}
	if !slices.Equal(m.Constants(), before) {
		t.Error("the machine itself has changed")
	}
	if _, err := m.WithConstant("warp", simulate.Low); err == nil || !strings.Contains(err.Error(), "across") {
		t.Errorf("the error of an unknown constant lists none: %v", err)
	}
}

// plain is a machine whose costs are all different, so that one that is charged
// for another shows.
const plain = `# a comment
processors 8 8 8 count test
cluster 4 4 4 count test
socket 8 8 8 count test

load 0.3 0.3 0.3 ns test
atomic 5 5 5 ns test
op 0.7 0.7 0.7 ns test
callers 1.7 1.7 1.7 us test
spin 1.1 1.1 1.1 ns test
near 31 31 31 ns test
far 101 101 101 ns test
across 211 211 211 ns test
share 13 13 13 ns test
hold 0 0 0 ns test
yield 71 71 71 ns test
scheduler-lock 43 43 43 ns test
spawn 301 301 301 ns test
ready 151 151 151 ns test
park 161 161 161 ns test
dispatch 171 171 171 ns test
start-thread 1.9 1.9 1.9 us test
thread-latency 4.7 4.7 4.7 us test
mutex-spin 1.3 1.3 1.3 us test
time-slice 10 10 10 ms test
syscall 181 181 181 ns test
futex-wait 1.2 1.2 1.2 us test
futex-wake 2.3 2.3 2.3 us test
futex-latency 5.9 5.9 5.9 us test
sleep 190 190 190 ns test
timer 37 37 37 us test
`

// A file that does not parse says in which line, and what would do.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"load 0.3 0.3 0.3 ns test", "load 0.3 0.3", "m.txt:6: want a name"},
		{"load 0.3 0.3 0.3 ns test", "lode 0.3 0.3 0.3 ns test", `m.txt:6: there is no constant "lode": there are across, atomic`},
		{"load 0.3 0.3 0.3 ns test", "load 0.3 0.3 0.3 fortnights test", `m.txt:6: load has the unit "fortnights", must have s, ms, us, ns or ps`},
		{"load 0.3 0.3 0.3 ns test", "load 0.3 x 0.3 ns test", `m.txt:6: load is "x", must be a number`},
		{"load 0.3 0.3 0.3 ns test", "load 0.3 -1 0.3 ns test", `m.txt:6: load is "-1", must be a number that is not negative`},
		{"load 0.3 0.3 0.3 ns test", "load 0.3 nan 0.3 ns test", `m.txt:6: load is "nan"`},
		{"load 0.3 0.3 0.3 ns test", "load 0.5 0.4 0.6 ns test", "m.txt:6: load is 0.5, 0.4, 0.6: must not fall"},
		{"load 0.3 0.3 0.3 ns test", "load 1 1 2 s test", "m.txt:6: load is 2 s, must be at most 1 s"},
		{"op 0.7 0.7 0.7 ns test", "load 0.7 0.7 0.7 ns test", `m.txt:8: "load" comes twice`},
		{"processors 8 8 8 count", "processors 300 300 300 count", "m.txt:2: processors is 300, must be 1 to 256"},
		{"processors 8 8 8 count", "processors 7 8 9 count", "m.txt:2: processors varies"},
		{"processors 8 8 8 count", "processors 8 8 8 ns", `m.txt:2: processors has the unit "ns"`},
		{"cluster 4 4 4 count", "cluster 3 3 3 count", "m.txt:31: a socket of 8 processors is not made of clusters of 3"},
		{"hold 0 0 0 ns test\n", "", `m.txt:30: the file ends without "hold"`},
	} {
		text := strings.Replace(plain, c.old, c.new, 1)
		if _, err := simulate.Parse("m.txt", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that begins %q", c.new, c.old, err, c.want)
		}
	}
}

// machine parses plain with some constants replaced: "name value unit".
func machine(t testing.TB, changes ...string) *simulate.Machine {
	t.Helper()
	text := plain
	for _, c := range changes {
		f := strings.Fields(c)
		lines := strings.Split(text, "\n")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, f[0]+" ") })
		if i < 0 {
			t.Fatalf("no constant %q", f[0])
		}
		lines[i] = strings.Join([]string{f[0], f[1], f[1], f[1], f[2], "test"}, " ")
		text = strings.Join(lines, "\n")
	}
	m, err := simulate.Parse("test", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
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
