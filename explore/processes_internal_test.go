//go:build explore

package explore

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// together are options by which n processes explore even what is small, in as many parts as
// there can be.
func together(t *testing.T, n int) []Option {
	return []Option{callOf(t).option(), Processes(n), func(c *config) { c.alone, c.eager = 1, true }}
}

// TestOracleOfProcesses: two and three processes must come to the same orders as one, and to
// each once.
func TestOracleOfProcesses(t *testing.T) { shareAll(t, programs) }

// TestOracleOfProcessesTwins is for the twins, as TestOracleOfTwins is.
func TestOracleOfProcessesTwins(t *testing.T) { shareAll(t, twinPrograms, Rounds(rounds)) }

func shareAll(t *testing.T, programs []program, opts ...Option) {
	for _, p := range programs {
		for n := 2; n <= 3; n++ {
			t.Run(fmt.Sprint(p.name, "/", n), func(t *testing.T) {
				some, _, several := ordersOf(t, p, append(together(t, n), opts...)...)
				one, _, alone := ordersOf(t, p, opts...)
				t.Log(several)
				if !maps.Equal(one.orders, some.orders) {
					t.Errorf("%d orders in %d processes, %d in one", len(some.orders), n, len(one.orders))
				}
				if several.Orders != alone.Orders || !several.Exhausted || several.UpTo != alone.UpTo {
					t.Errorf("%d processes: %v, one: %v", n, several, alone)
				}
				if several.Processes != n && alone.Schedules > 1 {
					t.Errorf("it was not shared: %v", several)
				}
			})
		}
	}
}

// TestLargePartsOfProcesses: what a process explores may have many races with the path above it.
func TestLargePartsOfProcesses(t *testing.T) {
	for name, p := range map[string]program{
		"lastzero": {body: lastzero(6)}, "readers": {body: readers(7)}, "indexer": {body: indexer(12)},
	} {
		t.Run(name, func(t *testing.T) {
			some, _, several := ordersOf(t, p, callOf(t).option(), Processes(2), func(c *config) { c.alone = 1 })
			one, _, _ := ordersOf(t, p)
			if !maps.Equal(one.orders, some.orders) || several.Processes != 2 {
				t.Errorf("%d orders in one process; in two: %d, %v", len(one.orders), len(some.orders), several)
			}
		})
	}
}

// TestReportOfProcesses: what members have noted must not be lost.
func TestReportOfProcesses(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(x *Exec)
		opts []Option
	}{
		{"all", func(x *Exec) { storeBuffer(3)(x) }, []Option{Bound(9)}},
		{"some", func(x *Exec) { storeBuffer(3)(x) }, []Option{Bound(2)}},
		// Only where the store comes first, something is seen of one of the threads.
		{"seen late", func(x *Exec) {
			var v prim.Int32
			x.Go("storer", func() { v.Load(); v.Store(1); v.Store(0) })
			if v.Load() == 1 {
				x.Go("late", func() { v.Load() })
			} else {
				x.Go("late", func() {})
			}
			x.Wait()
		}, []Option{Bound(3)}},
		{"tried late", func(x *Exec) {
			var v prim.Int32
			var mu prim.Mutex
			for range 2 {
				x.Go("locker", func() { mu.Lock(); v.Add(1); mu.Unlock() })
			}
			if v.Load() == 1 && mu.TryLock() {
				mu.Unlock()
			}
			x.Wait()
		}, []Option{Bound(3)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			several := run(configOf(t, append(c.opts, together(t, 2)...)...), c.body)
			several.elsewhere(t)
			one := run(configOf(t, c.opts...), c.body)
			if one.Failure != nil || several.Failure != nil || several.Processes != 2 {
				t.Fatalf("one: %v\ntwo: %v", one, several)
			}
			if !slices.Equal(one.Sizes, several.Sizes) || one.Exhausted != several.Exhausted {
				t.Errorf("one: %v\ntwo: %v", one, several)
			}
		})
	}
	t.Run("possible", func(t *testing.T) {
		test(t, func(in *testing.T) { Possible(in, Choose(8) == 7, "the last one") }, append(together(t, 2), Bound(0))...)
	})
}

// lossy has two threads more than needed; updates are lost, and with two preemptions, all but one.
func lossy(x *Exec) {
	var n prim.Int64
	for range 4 {
		x.Go("adder", func() { n.Store(n.Load() + 1) })
	}
	x.Wait()
	if n.Load() == 1 {
		x.Errorf("updates were lost")
	}
}

// TestFailureOfProcesses: whatever process comes to a failure first, the one that is reported must
// be that which one process reports.
func TestFailureOfProcesses(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []Option
	}{
		{"bound", []Option{Bound(3)}},
		{"all", []Option{Unbounded(), NoReduction()}},
		{"reduced", []Option{Unbounded()}},
	} {
		for n := 2; n <= 3; n++ {
			t.Run(fmt.Sprint(c.name, "/", n), func(t *testing.T) {
				failure := func(opts ...Option) *Failure {
					c, err := newConfig(append(c.opts, opts...))
					if err != nil {
						t.Fatal(err)
					}
					var o *oracle
					if c.strategy == unbounded {
						some := newOracle() // bounds do not come first
						o = &some
					}
					r := explored(c, o, lossy)
					r.elsewhere(t)
					if len(opts) > 0 && r.Processes != n {
						t.Errorf("it was not shared: %v", r)
					}
					return r.Failure
				}
				several, one := failure(together(t, n)...), failure()
				if one == nil || several == nil || several.Schedule != one.Schedule || several.Trace != one.Trace {
					t.Errorf("in %d processes: %v\nin one: %v", n, several, one)
				}
			})
		}
	}
}

// TestLostProcesses: an exploration must not hang, nor pass, if a process does not do its part.
func TestLostProcesses(t *testing.T) {
	member := os.Getenv(memberVariable) != ""
	for name, c := range map[string]struct {
		early func(t *testing.T) // in the process that is lost
		late  func(x *Exec)      // the same, in an execution
		want  []string
	}{
		"ends":   {late: func(*Exec) { os.Exit(7) }, want: []string{"ended during the exploration", "exit status 7"}},
		"starts": {early: func(*testing.T) { fmt.Fprintln(os.Stderr, "no more licenses"); os.Exit(7) }, want: []string{"ended before it reached", "exit status 7", "no more licenses"}},
		"passes": {early: func(t *testing.T) { t.SkipNow() }, want: []string{"ended before it reached", "runs alone"}},
		"other":  {late: func(x *Exec) { x.Go("more", prim.Yield) }, want: []string{"not deterministic"}},
	} {
		t.Run(name, func(t *testing.T) {
			if member && c.early != nil {
				c.early(t)
			}
			runs := 0
			r := run(configOf(t, append(together(t, 2), Bound(3))...), func(x *Exec) {
				if runs++; member && runs > 4 && c.late != nil {
					c.late(x)
				}
				storeBuffer(4)(x)
			})
			r.elsewhere(t)
			if r.Failure == nil {
				t.Fatalf("nothing has failed: %v", r)
			}
			for _, want := range c.want {
				if !strings.Contains(r.Failure.String(), want) {
					t.Errorf("it does not say %q: %v", want, r)
				}
			}
		})
	}
}

func configOf(t *testing.T, opts ...Option) config {
	t.Helper()
	c, err := newConfig(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestProcessesOfAnother is run by those below, in a process of its own.
func TestProcessesOfAnother(t *testing.T) {
	address := os.Getenv(childVariableOfProcesses)
	if address == "" {
		t.Skip("another test runs it")
	}
	fmt.Fprintln(os.Stderr, "begins")
	var held net.Conn // until the process ends
	if os.Getenv(memberVariable) != "" && address != "-" {
		var err error
		if held, err = net.Dial("tcp", address); err != nil {
			t.Fatal(err)
		}
	}
	Check(t, func(x *Exec) {
		if address == "-" {
			fmt.Fprintln(os.Stderr, "executes")
			fmt.Println("executes")
		} else if held != nil {
			fmt.Fprintln(held, "executes")
		}
		// Of 4 threads there is an end; and what a process is at when a limit is reached is not counted.
		storeBuffer(map[bool]int{true: 4, false: 6}[address == "-"])(x)
	}, append(together(t, 2), Unbounded(), NoReduction())...)
}

const childVariableOfProcesses = "EXPLORE_TEST_PROCESSES"

// TestOutputOfProcesses: what the test writes must be there as often as with one process: what is
// before the exploration once, and what an execution writes as often as there are executions.
func TestOutputOfProcesses(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcessesOfAnother$", "-test.v")
	cmd.Env = append(os.Environ(), childVariableOfProcesses+"=-")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, counts, _ := strings.Cut(string(out), "processes_internal_test.go:")
	var line, schedules int
	fmt.Sscanf(counts, "%d: %d schedules", &line, &schedules)
	if n := strings.Count(string(out), "begins\n"); n != 1 {
		t.Errorf("what stands before the exploration was written %d times", n)
	}
	if n := strings.Count(string(out), "executes\n"); n != 2*schedules || !strings.Contains(counts, "2 processes") {
		t.Errorf("executions have written %d lines, of %d: %s", n, 2*schedules, counts)
	}
}

// TestProcessesEnd: if the process that leads is killed, the others must end.
func TestProcessesEnd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcessesOfAnother$")
	cmd.Env = append(os.Environ(), childVariableOfProcesses+"="+l.Addr().String())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var members []*bufio.Reader
	for range 2 {
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		members = append(members, bufio.NewReader(c))
		if _, err := members[len(members)-1].ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	for _, m := range members {
		io.Copy(io.Discard, m) // which ends with the process
	}
}

// TestSharedProgram explores programs for long enough to measure it, in as many processes as EXPLORE_PROCESSES says. Of one of them most schedules are redundant,
// of the other none.
func TestSharedProgram(t *testing.T) {
	if os.Getenv("EXPLORE_TEST_SHARED") == "" {
		t.Skip("it takes long: COSTS.md says how to run it")
	}
	for name, body := range map[string]func(x *Exec) string{
		"lastzero": lastzero(13), "store_buffer": storeBuffer(17),
	} {
		t.Run(name, func(t *testing.T) {
			Check(t, func(x *Exec) { body(x) }, Unbounded(), MaxThreads(18))
		})
	}
}
