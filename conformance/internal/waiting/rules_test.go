package waiting

import (
	"slices"
	"testing"
)

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
	// hangs says that the program hangs if nobody looks at the invariants.
	hangs bool
}

// The first five are those that hang on an earlier draft of the design.
var faults = []fault{
	{
		name:  "a join runs nothing on top but its own fork",
		rules: Rules{JoinRunsOwnForks: true},
		program: `main: fork f; fork g; lock L; join f; unlock L; join g
		          f:
		          g: lock L; unlock L`,
		seats: 2, broken: aboveItsWaiter, hangs: true,
	},
	{
		name:  "a scope's wait claims jobs wherever they lie",
		rules: Rules{ScopeStopsAtStranger: true},
		program: `main: lock L; spawn j inner; spawn x outer; wait inner; unlock L; wait outer
		          j:
		          x: lock L; unlock L`,
		seats: 1, broken: waitsForBegun, hangs: true,
	},
	{
		name:  "the end of a scope's job looks at the list",
		rules: Rules{ScopeEndIgnoresList: true},
		program: `main: lock L; spawn k inner; wait inner; unlock L; wait outer
		          k: spawn j inner; spawn x outer
		          j:
		          x: lock L; unlock L
		          other: lock L; unlock L`,
		seats: 2, broken: waitsForBegun, hangs: true,
	},
	{
		name:  "a join does not leapfrog",
		rules: Rules{JoinLeapfrogs: true},
		program: `main: lock L; fork c; join c; unlock L; wait outer
		          c: spawn j outer
		          j: lock L; unlock L`,
		seats: 2, broken: aboveItsWaiter, hangs: true,
	},
	{
		name:  "a claimed handle begins on a goroutine of its own",
		rules: Rules{HandleOnTop: true},
		program: `main: submit h; lock L; get-before h; unlock L
		          h: lock L; unlock L`,
		seats: 1, hangs: true,
	},
	{
		name:  "a join runs no strangers",
		rules: Rules{JoinRunsStrangers: true},
		program: `main: fork f; lock L; join f; unlock L
		          f:
		          other: lock L; unlock L`,
		seats: 2, broken: aboveItsWaiter, hangs: true,
	},
	{
		name:  "a join claims its fork wherever it lies",
		rules: Rules{JoinClaimsOnlyItsDeque: true},
		program: `main: fork a; fork b; lock L; join b; unlock L; join a
		          a: lock L; unlock L
		          b:
		          other: lock L; unlock L`,
		seats: 2, broken: waitsForBegun, hangs: true,
	},
	{
		name:  "a job that waits runs nothing that was taken along",
		rules: Rules{WaiterRunsItsDeque: true},
		program: `a: submit h; lock L; get h; unlock L
		          b: lock L; unlock L
		          h:`,
		seats: 2, broken: aboveItsWaiter, hangs: true,
	},
	{
		name:  "what was taken along is pushed",
		rules: Rules{LosesAlong: true},
		program: `main: fork f; fork g; join f; join g
		          f:
		          g:
		          other:`,
		seats: 2, hangs: true,
	},
	{
		name:  "what was taken along is posted",
		rules: Rules{AlongWithoutPost: true},
		program: `a:
		          b:
		          c:`,
		seats: 3, broken: wakesForWork,
	},
	{
		name:  "a thief claims what it has taken",
		rules: Rules{ThiefSkipsClaim: true},
		program: `main: fork f; join f
		          f:`,
		seats: 2, broken: notBegunTwice,
	},
	{
		name:  "a private fork is not claimed by a pointer that was left to its frame",
		rules: Rules{PrivateClaimed: true},
		program: `main: fork f; join f; fork g; join g
		          f:
		          g:`,
		seats: 2, broken: notBegunTwice,
	},
	{
		name:  "a push back is posted",
		rules: Rules{PushBackWithoutPost: true},
		program: `main: fork f; fork g; join f; join g
		          f:
		          g:`,
		seats: 2, broken: wakesForWork,
	},
	{
		name:  "the end of a scope's job looks at the list, without a seat too",
		rules: Rules{SeatlessEndIgnoresList: true},
		program: `main: lock L; spawn k inner; wait inner; unlock L
		          k: block; unblock; spawn j inner
		          j:
		          other: lock L; unlock L
		          another: lock L; unlock L`,
		seats: 2, broken: waitsForBegun, hangs: true,
	},
	{
		name:  "a job without a seat begins the handle that it waits for",
		rules: Rules{SeatlessLeavesHandle: true},
		program: `main: submit h; lock L; block; unblock; get h; unlock L
		          h:
		          other: lock L; unlock L`,
		seats: 1, broken: waitsForBegun, hangs: true,
	},
	{
		name:  "an end resumes all that wait for it",
		rules: Rules{EndResumesOne: true},
		program: `main: submit h; fork f; get h; join f
		          f: get h
		          h:`,
		seats: 2, broken: canGoOn, hangs: true,
	},
	{
		name:  "Block publishes all",
		rules: Rules{BlockPublishesNothing: true},
		program: `main: fork f; block; await e; unblock; join f
		          f: signal e`,
		seats: 1, broken: leavesNoPrivate, hangs: true,
	},
	{
		name:  "a job that is set aside publishes all",
		rules: Rules{AsidePublishesNothing: true},
		program: `main: fork f; fork g; join f; join g
		          f:
		          g:`,
		seats: 2, broken: leavesNoPrivate,
	},
	{
		name:  "Block gives the seat away",
		rules: Rules{BlockKeepsSeat: true},
		program: `main: block; await e; unblock
		          outside G: run c; signal e
		          c:`,
		seats: 1, broken: seatsAddUp, hangs: true,
	},
	{
		name:  "Run inside Block asks for no admission",
		rules: Rules{BlockAsksForAdmission: true},
		program: `main: lock L; block; run c; unblock; unlock L
		          c:
		          other: lock L; unlock L`,
		seats: 1, hangs: true,
	},
	{
		name:  "a wait for a handle inside Block begins it",
		rules: Rules{BlockAsksForAdmission: true},
		program: `main: submit h; lock L; block; get h; unblock; unlock L
		          h:
		          other: lock L; unlock L`,
		seats: 1, hangs: true,
	},
	{
		name:  "a job that could go on waits for no seat",
		rules: Rules{ReadyWaitsForSeat: true},
		program: `main: lock L; block; unblock; unlock L
		          other: lock L; unlock L`,
		seats: 1, hangs: true,
	},
	{
		name:  "a job without a seat takes none that was woken",
		rules: Rules{TakesWokenSeat: true},
		program: `main: block; unblock; submit h; get h
		          h:
		          outside G: submit x
		          x:`,
		seats: 2, broken: wakesForWork,
	},
	{
		name:  "an end that hands on a seat that sleeps keeps its own",
		rules: Rules{EndHandsTwoSeats: true},
		program: `main: fork f; join f
		          f:`,
		seats: 2, broken: seatsAddUp, hangs: true,
	},
	{
		name:  "the seat of a job that parks goes to sleep",
		rules: Rules{ParkLosesSeat: true},
		program: `main: submit h; submit k; get h
		          k: get h
		          h: block; await e; unblock
		          outside G: run c; signal e
		          c:`,
		seats: 1, broken: seatsAddUp, hangs: true,
	},
	{
		name:  "a job that parks looks once more",
		rules: Rules{ParksWithoutLook: true},
		program: `main: fork f; join f
		          f:`,
		seats: 2, broken: canGoOn, hangs: true,
	},
	{
		name:  "a job that need not be set aside wakes a seat for what it leaves",
		rules: Rules{WaiterWakesNobody: true},
		program: `main: submit h; get-before h
		          h: submit x
		          x:`,
		seats: 3, broken: wakesForWork,
	},
	{
		name:  "a seat that takes a job wakes another for what it leaves",
		rules: Rules{TakerWakesNobody: true},
		program: `main: fork f; fork g; join g; join f
		          f:
		          g:`,
		seats: 3, broken: wakesForWork,
	},
}

// TestFaults fails if a program no longer needs the rule that it is for: the
// model has lost the fault, or something else hides it.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			p := parse(t, f.program)
			covered(t, p)
			pool := Pool{Seats: f.seats, Rules: f.rules}
			want := Result{Verdict: Hangs}
			if f.broken != "" {
				want = Result{Verdict: Breaks, Broken: f.broken}
			}
			if got := p.Search(pool); got.String() != want.String() {
				t.Errorf("with the fault it %v, want: %v", got, want)
			}
			pool.OnlyHangs = true
			if got := p.Search(pool); (got.Verdict == Hangs) != f.hangs {
				t.Errorf("with the fault, and no look at the invariants, it %v, want a hang: %v", got, f.hangs)
			}
		})
	}
}

// TestTakenAlong fails if the fault that has a job run what was taken along shows
// although nothing is taken along: then it shows something else.
func TestTakenAlong(t *testing.T) {
	i := slices.IndexFunc(faults, func(f fault) bool { return f.rules.WaiterRunsItsDeque })
	f := faults[i]
	pool := Pool{Seats: f.seats, Rules: f.rules, TakesOne: true}
	if r := parse(t, f.program).Search(pool); r.Verdict != Ends {
		t.Errorf("with the fault, and nothing taken along, it %v, want: ends\n%s", r, r.Trace)
	}
}
