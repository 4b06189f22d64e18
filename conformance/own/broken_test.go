package own_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each of these breaks pool_test.go in one place. The program that it names must
// fail then, and say why.
var broken = []struct {
	name     string
	old, new string
	program  string
	says     string
}{
	{
		"post before push",
		"	w.seat.deque.Push(fork)\n	w.seat.pool.sleep.Post(1, wasEmpty)\n",
		"	w.seat.pool.sleep.Post(1, wasEmpty)\n	w.seat.deque.Push(fork)\n",
		"sleep=jec/fork_taken", "missed wake",
	},
	{
		"no post",
		"	w.seat.pool.sleep.Post(1, wasEmpty)\n", "	_ = wasEmpty\n",
		"sleep=jec/fork_taken", "missed wake",
	},
	{
		"hasWork without the deques",
		"s.deque.Len() > 0", "s.deque.Len() < 0",
		"sleep=futex/fork_taken", "missed wake",
	},
	{
		"hasWork without the injector",
		"return !p.injector.Empty()", "return false",
		"sleep=futex/two_submitted", "missed wake",
	},
	{
		"a seat lost by a job that waits",
		"	seat.start()\n	w.parker.Park()\n", "	_ = seat\n	w.parker.Park()\n",
		"sleep=jec/forks_after_join", "missed wake",
	},
	{
		"a seat with two goroutines",
		"	joiner.parker.Unpark()\n	return false\n", "	joiner.parker.Unpark()\n	return true\n",
		"sleep=futex/fork_taken", "a latch has one waiter",
	},
	{
		"a joiner that nobody resumes",
		"	joiner.parker.Unpark()\n", "",
		"sleep=jec/fork_taken", "missed wake",
	},
	{
		"a join that does not wait",
		"if !fork.done.GetSleepy() || !fork.done.FallAsleep() {", "if true {",
		"sleep=jec/forks_in_forks", "P1: fib(3)",
	},
	{
		"a joiner that falls asleep after the fork has ended",
		"!fork.done.GetSleepy() || !fork.done.FallAsleep()", "fork.done.GetSleepy() && !fork.done.FallAsleep() && false",
		"sleep=jec/fork_taken", "missed wake",
	},
	{
		"jobs on top of a job that waits",
		"	seat := w.seat // read",
		"	for j := w.seat.search(); j != nil; j = w.seat.search() {\n		j.run(w)\n		j.done.Set()\n	}\n	seat := w.seat // read",
		"sleep=jec/lock_across_join", "missed wake or deadlock",
	},
	{
		"a seat that is not woken to end",
		"			p.sleep.Wake(s.index)\n", "",
		"sleep=jec/close_races_submit", "missed wake",
	},
	{
		"Close does not wait for what was accepted",
		"	p.accepted.Wait()\n", "",
		"sleep=jec/close_races_submit", "missed wake",
	},
}

// If one passes, the programs of explore_test.go would not notice the same mistake
// in a pool of yours.
func TestBroken(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the pool a dozen times")
	}
	const name = "pool_test.go"
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Run(b.name, func(t *testing.T) {
			if n := strings.Count(string(source), b.old); n != 1 {
				t.Fatalf("%s has %d times, not once:\n%s", name, n, b.old)
			}
			dir := t.TempDir()
			copied, overlay := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json")
			write(t, copied, []byte(strings.Replace(string(source), b.old, b.new, 1)))
			replace, err := json.Marshal(map[string]any{"Replace": map[string]string{path: copied}})
			if err != nil {
				t.Fatal(err)
			}
			write(t, overlay, replace)
			// Without go vet, inlining and symbols that takes half of the time.
			cmd := exec.Command("go", "test", "-vet=off", "-gcflags=-l", "-ldflags=-s -w", "-tags=explore", "-overlay="+overlay, "-run=^TestEverySchedule$/"+b.program+"$", ".")
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Errorf("%s passes", b.program)
			} else if !strings.Contains(string(out), b.says) {
				t.Errorf("%s fails, but does not say %q:\n%s", b.program, b.says, out)
			}
		})
	}
}

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
}
