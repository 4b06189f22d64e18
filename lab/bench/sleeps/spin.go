package sleeps

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/counters"
)

// A Spin is an [api.Sleep] whose sleepers keep their processors and look at a
// word each all the time. It keeps every rule but S8. It lends no seats.
type Spin struct {
	counters *counters.Counters
	seats    []seat
}

// A seat is what one worker looks at while it sleeps.
type seat struct {
	// state is awake, asleep or claimed. The worker itself leaves awake; who
	// claims it counts that before releasing it.
	state atomic.Uint32
	_     [124]byte // neighbours look at theirs all the time
}

const (
	awake = iota
	asleep
	claimed
)

// NewSpin returns a Spin for so many workers. It fails if there are none, or
// too many to count.
func NewSpin(workers int) (api.Sleep, error) {
	c, err := counters.New(workers)
	if err != nil {
		return nil, err
	}
	return &Spin{c, make([]seat, workers)}, nil
}

// Counts implements [api.Sleep].
func (s *Spin) Counts() (inactive, sleeping int) {
	inactive, sleeping, _ = s.counters.Load()
	return inactive, sleeping
}

// StartLooking implements [api.Sleep].
func (s *Spin) StartLooking(worker int) api.Idle {
	s.counters.AddInactive()
	return api.Idle{Worker: worker}
}

// NoWork implements [api.Sleep].
func (s *Spin) NoWork(*api.Idle) (tired bool) { return true }

// Park implements [api.Sleep]. It goes through all the motions of falling
// asleep: whoever posts must be able to tell that nobody looks at the queues.
func (s *Spin) Park(idle *api.Idle, latch api.Latch, look func() bool) bool {
	ticket := s.counters.Announce()
	if !latch.GetSleepy() || !latch.FallAsleep() {
		return true
	}
	defer latch.WakeUp()
	if !s.counters.TrySleep(ticket) {
		return true
	}
	seat := &s.seats[idle.Worker]
	seat.state.Store(asleep)
	if look() || latch.Probe() {
		s.claim(seat)
	}
	// A sleeper that was claimed is released in a moment.
	for n := 0; seat.state.Load() != awake; n++ {
		if n%spinsPerYield == 0 {
			prim.Yield() // Others may have no processor otherwise.
		} else {
			prim.Spin(1)
		}
	}
	return true
}

const spinsPerYield = 1000

// Found implements [api.Sleep].
func (s *Spin) Found(*api.Idle) {
	if inactive, sleeping := s.counters.SubInactive(); inactive == sleeping {
		s.wakeAny(min(1, sleeping))
	}
}

// Post implements [api.Sleep].
func (s *Spin) Post(jobs int, wasEmpty bool) {
	inactive, sleeping := s.counters.Post()
	s.wakeAny(counters.ToWake(jobs, wasEmpty, inactive, sleeping))
}

// Wake implements [api.Sleep].
func (s *Spin) Wake(worker int) bool { return s.claim(&s.seats[worker]) }

func (s *Spin) claim(seat *seat) bool {
	if !seat.state.CompareAndSwap(asleep, claimed) {
		return false
	}
	s.counters.SubSleeping(1)
	seat.state.Store(awake)
	return true
}

func (s *Spin) wakeAny(n int) {
	for i := range s.seats {
		if n == 0 {
			return
		}
		if s.claim(&s.seats[i]) {
			n--
		}
	}
}
