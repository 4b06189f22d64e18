package pool

// The public jobs of a worker lie in the deque of its seat.

// push makes a job public, and wakes a seat if one must be woken for it.
func (s *seat) push(j *Job) {
	s.deque.Push(j) // A1
	s.show()
	s.pool.sleep.Post(1, true)
}

// takeLocal begins the newest job of the seat's own deque that nobody has begun, or
// returns nil.
func (s *seat) takeLocal() *Job {
	for {
		if j := s.pop(); j == nil || j.begin() {
			return j
		}
	}
}

// pop takes the newest job out of the seat's own deque, or returns nil.
//
// It asks on behalf of others when 0, 1, 2, 4 and so on jobs are left: a worker that takes many
// back would otherwise look at the counts, which all write, for each.
func (s *seat) pop() *Job {
	j := s.deque.Pop()
	if j == nil {
		s.strays = 0
		return nil
	}
	if left := s.deque.Len(); left&(left-1) == 0 {
		s.wantOnBehalf()
	}
	return j
}

// wantOnBehalf is called when the seat has taken one of its public jobs back. There may be fewer
// jobs left than inactive seats, and such a seat may not look again before it sleeps.
func (s *seat) wantOnBehalf() {
	if inactive, _ := s.pool.sleep.Counts(); inactive > s.jobs() {
		s.pool.want(s.index)
	}
}

// jobs returns how many jobs in the seat's own deque can be begun, as far as it knows.
func (s *seat) jobs() int { return max(s.deque.Len()-int(s.strays), 0) }

// tidy takes the pointer to a job out of the seat's deque, when the job was claimed otherwise.
//
// The pointer is on top; or a thief has it, and drops it; or something lies above it, as when forks
// are joined out of order. Then it becomes a stray, and stands for its frame, whatever the frame is
// used for when a worker comes to it.
func (s *seat) tidy(claimed *Job) {
	switch j := s.pop(); j {
	case nil:
		s.wantOnBehalf() // of the thief that comes for nothing
	case claimed:
		s.sweep()
	default:
		s.strays++
		s.push(j) // with a post, for the deque was short for a moment
		s.wantOnBehalf()
	}
}

// sweep drops the strays on top of the deque. So they are in proportion to the live jobs.
func (s *seat) sweep() {
	for ; s.strays > 0; s.strays-- {
		j := s.pop()
		if j == nil {
			return
		}
		if !j.isClaimed() {
			s.push(j)
			return
		}
	}
}

// show has searches visit the seat, if it is a guest's: after a push to its deque, before the post; and
// after the flag of its worker is lowered, before the look at the counts. So no search can miss either.
// Those of workers are visited in any case.
func (s *seat) show() {
	if !s.isGuest() {
		return
	}
	_, word, bit := s.guestPlace()
	if shown := &s.home.shown[word]; shown.Load()&bit == 0 {
		shown.Or(bit)
	}
}
