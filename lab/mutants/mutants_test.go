package mutants

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
)

// A mutant is a run of the suite that must fail.
type mutant struct {
	name string
	// rules are those of which one must be cited; "race" stands for a report
	// by the race detector. With none, the run is a control and must not fail.
	rules string
	suite func(t *testing.T)
}

// What hangs hangs at once, so a short timeout will do; and the mutants that
// are a matter of luck get all the time that a subtest has with -short.
var opts = []conformance.Option{
	conformance.WithTimeout(2 * time.Second),
	conformance.WithStress(100 * time.Millisecond),
}

func aDeque(f DequeFault) func(*testing.T) {
	return func(t *testing.T) {
		conformance.TestDeque(t, func() api.Deque[int] { return NewDeque(f) }, opts...)
	}
}

func anInjector(f InjectorFault) func(*testing.T) {
	return func(t *testing.T) {
		conformance.TestInjector(t, func() api.Injector[int] { return NewInjector(f) }, opts...)
	}
}

func aLatch(f LatchFault) func(*testing.T) {
	return func(t *testing.T) {
		conformance.TestLatch(t, func() api.Latch { return NewLatch(f) }, opts...)
	}
}

func theCounters(wrap func(api.Counters) api.Counters) func(*testing.T) {
	return func(t *testing.T) { conformance.TestCounters(t, broken(wrap), opts...) }
}

func aSleep(f SleepFault) func(*testing.T) {
	return func(t *testing.T) {
		conformance.TestSleep(t, func(workers int) (api.Sleep, error) { return NewSleep(workers, f), nil },
			append(opts, conformance.WithSynctest())...)
	}
}

// outside is aSleep without bubbles, in which a sleeper that spins would hang.
func outside(f SleepFault) func(*testing.T) {
	return func(t *testing.T) {
		conformance.TestSleep(t, func(workers int) (api.Sleep, error) { return NewSleep(workers, f), nil }, opts...)
	}
}

// The numbers are those of the list in the README; what has none is not on it.
var mutants = []mutant{
	{"deque/sound", "", aDeque(DequeSound)},
	{"deque/10_steal_without_cas", "D1 D2 D3 D4 D5", aDeque(StealWithoutCAS)},
	{"deque/16_read_after_cas", "D1 D2 D3 D4 D5", aDeque(ReadAfterCAS)},
	{"deque/17_last_item_without_cas", "D1 D2 D3 D4 D5", aDeque(LastItemWithoutCAS)},
	{"deque/18_stale_array", "D1 D2 D3 D5", aDeque(StaleArray)},
	{"deque/18_growth_forgets", "D1 D2 D3 D5 D6", aDeque(GrowthForgets)},
	{"deque/19_thief_clears", "D1 D2 D3 D4 D5", aDeque(ThiefClears)},
	{"deque/20_never_clears", "D8", aDeque(NeverClears)},
	{"deque/21_unsigned_underflow", "D1 D3 D7", aDeque(UnsignedUnderflow)},
	{"deque/newest_stolen", "D1 D2 D3", aDeque(NewestStolen)},
	{"deque/spurious_empty", "D2 D3", aDeque(SpuriousEmpty)},
	{"deque/negative_len", "D7", aDeque(NegativeLen)},

	{"injector/sound", "", anInjector(InjectorSound)},
	{"injector/lifo", "I2 I3", anInjector(InjectorLIFO)},
	{"injector/batch_not_counted", "I3 I4", anInjector(BatchNotCounted)},
	{"injector/never_clears", "I5", anInjector(InjectorNeverClears)},
	{"injector/taken_twice", "I1 I2 I3", anInjector(TakenTwice)},
	{"injector/batch_reversed", "I2 I3", anInjector(BatchReversed)},
	{"injector/batch_takes_all", "I3", anInjector(BatchTakesAll)},
	{"injector/batch_takes_twice", "I1 I2 I3", anInjector(BatchTakesTwice)},
	{"injector/batch_drops_one", "I1 I2 I3", anInjector(BatchDropsOne)},
	{"injector/batch_writes_behind", "I3", anInjector(BatchWritesBehind)},

	{"latch/sound", "", aLatch(LatchSound)},
	{"latch/22_read_after_set", "L3 race", aLatch(ReadAfterSet)},
	{"latch/wake_always", "L1", aLatch(WakeAlways)},
	{"latch/wake_never", "L1", aLatch(WakeNever)},
	{"latch/second_waiter", "L4", aLatch(SecondWaiterAllowed)},
	{"latch/set_undone", "L2", aLatch(SetCanBeUndone)},

	{"counters/sound", "", theCounters(func(c api.Counters) api.Counters { return c })},
	{"counters/1_announce_like_post", "C1 C3 C5", theCounters(func(c api.Counters) api.Counters { return announceLikePost{c} })},
	{"counters/2_ticket_by_load", "C1 C3", theCounters(func(c api.Counters) api.Counters { return ticketByLoad{c} })},
	{"counters/post_by_load", "C1", theCounters(func(c api.Counters) api.Counters { return postByLoad{c} })},
	{"counters/12_ticket_ignored", "C5", theCounters(func(c api.Counters) api.Counters { return ticketIgnored{c} })},
	{"counters/14_counted_twice", "C1 C2", theCounters(func(c api.Counters) api.Counters { return countedTwice{c} })},
	{"counters/6_last_forgotten", "C1", theCounters(func(c api.Counters) api.Counters { return lastForgotten{c} })},
	{"counters/37_lend_in_two_steps", "C1", theCounters(func(c api.Counters) api.Counters { return lendInTwoSteps{c} })},
	{"counters/saturating", "C2", theCounters(func(c api.Counters) api.Counters { return saturating{c} })},

	{"sleep/sound", "", aSleep(SleepSound)},
	{"sleep/4_asleep_before_lock", "S3", aSleep(AsleepBeforeLock)},
	{"sleep/6_no_cascade", "S1 S2", aSleep(NoCascade)},
	{"sleep/7_stop_not_rechecked", "S3", aSleep(StopNotRechecked)},
	{"sleep/9_wrong_worker", "S1 S3 S4", aSleep(WrongWorker)},
	{"sleep/10_claimed_twice", "S2 S7 C4", aSleep(ClaimedTwice)},
	{"sleep/14_counted_twice", "S1 S2 S4 S6 S7 C4", aSleep(CountedTwice)},
	{"sleep/15_sleeper_counts_too", "S1 S2 S7 C4", aSleep(SleeperCountsToo)},
	{"sleep/26_look_ignored", "S1", aSleep(LookIgnored)},
	{"sleep/27_count_ignored", "S6", aSleep(CountIgnored)},
	{"sleep/wakes_when_covered", "S6", aSleep(WakesWhenCovered)},
	{"sleep/never_sleeps", "S7", aSleep(NeverSleeps)},
	{"sleep/spins_asleep", "S8", outside(SpinsAsleep)},
	{"sleep/32_lent_twice", "S9", aSleep(LentTwice)},
	{"sleep/33_returned_unseen", "S9", aSleep(ReturnedUnseen)},
	{"sleep/34_lent_seat_woken", "S9", aSleep(LentSeatWoken)},
	{"sleep/37_lent_in_two_steps", "S1 S2 S9", aSleep(LentInTwoSteps)},
}

// which names, in the environment of a child process, the mutant to run.
const which = "ROUSE_MUTANT"

// TestMutants runs the suite on each mutant, in a child process.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			start := time.Now()
			cmd := exec.Command(os.Args[0], "-test.run=^TestOne$", "-test.failfast", "-test.timeout=60s",
				"-rapid.nofailfile", "-rapid.shrinktime=1s")
			cmd.Env = append(os.Environ(), which+"="+m.name)
			out, err := cmd.CombinedOutput()
			rules := cited(string(out))
			if m.rules == "" {
				if err != nil {
					t.Errorf("the suite fails on what is right (%v):\n%s", err, head(out))
				}
				return
			}
			if err == nil {
				t.Fatalf("the suite passes on a mutant, and should cite one of %s", m.rules)
			}
			if !slices.ContainsFunc(rules, func(id string) bool { return slices.Contains(strings.Fields(m.rules), id) }) {
				t.Fatalf("the suite fails on a mutant, but cites %v instead of one of %s:\n%s", rules, m.rules, head(out))
			}
			t.Attr("killer", strings.Join(rules, " "))
			t.Logf("killed by %v in %v", rules, time.Since(start).Round(10*time.Millisecond))
		})
	}
}

var citation = regexp.MustCompile(`(?m)[:\]] ([A-Z]\d+): |after \d+ tests: ([A-Z]\d+): `)

// cited returns the rules that the output of a failed test cites.
func cited(out string) (rules []string) {
	for _, m := range citation.FindAllStringSubmatch(out, -1) {
		id := m[1] + m[2]
		if !slices.Contains(rules, id) {
			rules = append(rules, id)
		}
	}
	if strings.Contains(out, "WARNING: DATA RACE") {
		rules = append(rules, "race")
	}
	return rules
}

// TestOne is the child's.
func TestOne(t *testing.T) {
	name := os.Getenv(which)
	for _, m := range mutants {
		if m.name == name {
			m.suite(t)
			return
		}
	}
	if name != "" {
		t.Fatalf("no mutant %q", name)
	}
	t.Skip("run by TestMutants")
}
