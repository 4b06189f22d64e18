package waiting

// Rules says how the pool of the model waits. The zero value is the design; each
// field that is set breaks one of its rules.
type Rules struct {
	// A join that finds its fork begun runs other forks of its own on top.
	JoinRunsOwnForks bool
	// It runs the oldest job from the deque of the seat that runs its fork.
	JoinLeapfrogs bool
	// It runs any job on top, as pools do that do not set aside.
	JoinRunsStrangers bool
	// A job that waits runs the newest job of its own deque on top, be that what was
	// taken along.
	WaiterRunsItsDeque bool
	// What was taken along is lost.
	LosesAlong bool
	// What was taken along is pushed, and no seat is told.
	AlongWithoutPost bool
	// A join finds its fork by its own deque and not by the claim word, and waits
	// for a fork that lies elsewhere.
	JoinClaimsOnlyItsDeque bool
	// A thief begins what it has taken without a claim.
	ThiefSkipsClaim bool
	// A pointer that was left to a frame can claim the next fork that the frame is
	// used for, although that is private.
	PrivateClaimed bool
	// A join that has taken another fork from its deque pushes it back and tells
	// no seat.
	PushBackWithoutPost bool

	// A scope's wait takes jobs from the top of its deque, up to the first that is
	// not of the scope.
	ScopeStopsAtStranger bool
	// A job of a scope ends without a look at the scope's list.
	ScopeEndIgnoresList bool
	// The same, if the job has no seat.
	SeatlessEndIgnoresList bool

	// A handle that has not begun runs on top of the job that waits for it.
	HandleOnTop bool
	// A job without a seat waits for a handle that has not begun.
	SeatlessLeavesHandle bool
	// The end of a job resumes one of those that wait for it.
	EndResumesOne bool
	// The end of a job hands its own seat to one that waits, and a seat that sleeps
	// as well.
	EndHandsTwoSeats bool

	// A job parks without a look at whether its wait has ended since it last looked.
	ParksWithoutLook bool
	// A job parks, and its seat neither sleeps nor looks for work.
	ParkLosesSeat bool
	// A job whose wait is over before it was set aside does not wake a seat for the
	// work that it might have found.
	WaiterWakesNobody bool

	// Block publishes nothing.
	BlockPublishesNothing bool
	// Block keeps the seat.
	BlockKeepsSeat bool
	// A job that is set aside publishes nothing.
	AsidePublishesNothing bool
	// Run, or the wait for a handle, in the function of Block waits until a seat
	// takes the job, as if it was called from outside.
	BlockAsksForAdmission bool
	// A job that could go on waits for a seat.
	ReadyWaitsForSeat bool
	// A job without a seat takes one that looks for work since it was woken, as if
	// that slept. No other seat looks in its place.
	TakesWokenSeat bool
	// A seat that takes a job does not wake another for the work that it leaves.
	TakerWakesNobody bool
}
