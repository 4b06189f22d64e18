package waiting

// Rules says how the pool of the model waits. The zero value is the design; each
// field that is set breaks one of its rules, as the comment says.
type Rules struct {
	// A join that finds its fork begun runs something on top:
	JoinRunsOwnForks  bool // other forks of its own
	JoinLeapfrogs     bool // the oldest job from the deque of the seat that runs its fork
	JoinRunsStrangers bool // any job, as pools do that do not set aside

	JoinClaimsOnlyItsDeque bool // a join waits for a fork that does not lie in its own deque
	ThiefSkipsClaim        bool // a thief begins what it has taken without a claim
	PrivateClaimed         bool // a pointer left to a frame can claim a private fork that uses it
	PushBackWithoutPost    bool // a join pushes back another fork that it has taken, and tells no seat

	ScopeStopsAtStranger   bool // a scope's wait takes jobs from its deque up to the first stranger
	ScopeEndIgnoresList    bool // a job of a scope ends without a look at the scope's list
	SeatlessEndIgnoresList bool // the same, if the job has no seat

	HandleOnTop          bool // a handle that has not begun runs on top of the job that waits for it
	SeatlessLeavesHandle bool // a job without a seat waits for a handle that has not begun
	EndResumesOne        bool // the end of a job resumes one of those that wait for it
	EndHandsTwoSeats     bool // it hands its own seat to one that waits, and a sleeping one as well

	ParksWithoutLook  bool // a job parks without a look at whether its wait has ended since the last
	ParkLosesSeat     bool // a job parks, and its seat neither sleeps nor looks for work
	WaiterWakesNobody bool // a job that need not be set aside wakes no seat for work it may have seen
	TakerWakesNobody  bool // a seat that takes a job wakes no other one for the work that it leaves

	BlockPublishesNothing bool
	BlockKeepsSeat        bool
	AsidePublishesNothing bool // a job that is set aside publishes nothing
	BlockAsksForAdmission bool // Run, or a wait for a handle, in Block waits as if from outside
	ReadyWaitsForSeat     bool // a job that could go on waits for a seat
	TakesWokenSeat        bool // a job without a seat takes a woken one, and none looks in its place
}
