package waiting

import "testing"

// A fault is a program that needs a rule: it hangs, or breaks an invariant,
// where the rule is broken.
type fault struct {
	name    string // the rule that is broken
	rules   Rules
	program string
	// seats is how many the program needs to show it.
	seats int
	// broken is the invariant that does not hold; "" for a fault that only
	// shows in a hang.
	broken string
}

// The first five are those that hang on an earlier draft of the design.
var faults = []fault{
	{"a join runs nothing on top but its own fork", Rules{JoinRunsOwnForks: true}, "join_runs_own_forks", 2, aboveItsWaiter},
	{"a scope's wait claims jobs wherever they lie", Rules{ScopeStopsAtStranger: true}, "scope_stops_at_stranger", 1, waitsForBegun},
	{"the end of a scope's job looks at the list", Rules{ScopeEndIgnoresList: true}, "scope_end_ignores_list", 2, waitsForBegun},
	{"a join does not leapfrog", Rules{JoinLeapfrogs: true}, "join_leapfrogs", 2, aboveItsWaiter},
	{"a claimed handle begins on a goroutine of its own", Rules{HandleOnTop: true}, "handle_on_top", 1, ""},
	{"a join runs no strangers", Rules{JoinRunsStrangers: true}, "join_runs_strangers", 2, aboveItsWaiter},
	{"a join claims its fork wherever it lies", Rules{JoinClaimsOnlyItsDeque: true}, "join_claims_only_its_deque", 2, waitsForBegun},
	{"a thief claims what it has taken", Rules{ThiefSkipsClaim: true}, "one_seat_for_one_waiter", 2, notBegunTwice},
	{"a private fork is not claimed by a pointer that was left to its frame", Rules{PrivateClaimed: true}, "frame_reused", 2, notBegunTwice},
	{"a push back is posted", Rules{PushBackWithoutPost: true}, "two_forks_in_order", 2, wakesForWork},
	{"the end of a scope's job looks at the list, without a seat too", Rules{SeatlessEndIgnoresList: true}, "seatless_end_ignores_list", 2, waitsForBegun},
	{"a job without a seat begins the handle that it waits for", Rules{SeatlessLeavesHandle: true}, "seatless_leaves_handle", 1, waitsForBegun},
	{"an end resumes all that wait for it", Rules{EndResumesOne: true}, "end_resumes_one", 2, canGoOn},
	{"Block publishes all", Rules{BlockPublishesNothing: true}, "block_for_a_fork", 1, leavesNoPrivate},
	{"a job that is set aside publishes all", Rules{AsidePublishesNothing: true}, "two_forks_in_order", 2, leavesNoPrivate},
	{"Block gives the seat away", Rules{BlockKeepsSeat: true}, "block_gives_seat_away", 1, seatsAddUp},
	{"Run inside Block asks for no admission", Rules{BlockAsksForAdmission: true}, "run_in_block", 1, ""},
	{"a wait for a handle inside Block begins it", Rules{BlockAsksForAdmission: true}, "get_in_block", 1, ""},
	{"a job that could go on waits for no seat", Rules{ReadyWaitsForSeat: true}, "ready_waits_for_no_seat", 1, ""},
	{"a job without a seat takes none that was woken", Rules{TakesWokenSeat: true}, "takes_no_woken_seat", 2, wakesForWork},
	{"an end that hands on a seat that sleeps keeps its own", Rules{EndHandsTwoSeats: true}, "one_seat_for_one_waiter", 2, seatsAddUp},
	{"the seat of a job that parks goes to sleep", Rules{ParkLosesSeat: true}, "park_keeps_seat_for_others", 1, seatsAddUp},
	{"a job that parks looks once more", Rules{ParksWithoutLook: true}, "one_seat_for_one_waiter", 2, canGoOn},
	{"a job that need not be set aside wakes a seat for what it leaves", Rules{WaiterWakesNobody: true}, "deadline_beside_work", 3, wakesForWork},
	{"a seat that takes a job wakes another for what it leaves", Rules{TakerWakesNobody: true}, "two_forks_joined_newest_first", 3, wakesForWork},
}

// TestFaults fails if a program no longer needs the rule that it is for: the
// model has lost the fault, or something else hides it.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			p := parse(t, Programs[f.program])
			want := Hangs
			if f.broken != "" {
				want = Breaks + f.broken
			}
			if got := p.Search(Pool{Seats: f.seats, Rules: f.rules}).Verdict; got != want {
				t.Errorf("with the fault it %s, want: %s", got, want)
			}
		})
	}
}
