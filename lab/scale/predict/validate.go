package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measure"
	"github.com/rouse-go/rouse/lab/simulate"
)

// An OffError says which check of the simulator is off.
type OffError struct{ Check Check }

// Error says it in one line.
func (e *OffError) Error() string {
	return "no prediction, for the simulator is off: " + e.Check.String()
}

// How far the simulator may be from what was recorded.
const (
	offWorkers  = 0.10 // from one worker to two
	offOne      = 0.25 // from the plain program to one worker
	offSleeping = 0.25 // leaves that sleep
)

// The names of checks.
const (
	digest       = "digest"
	conservation = "conservation of time"
	workers      = "from 1 to 2 workers"
	oneWorker    = "from the plain program to 1 worker"
	sleeping     = "leaves that sleep"
)

// validate compares the simulator with what is known. It returns all checks, or
// an [*OffError] for the first one that is off.
func (p *Plan) validate(ctx context.Context) (all []Check, err error) {
	for _, check := range []func(context.Context) ([]Check, error){p.checkDigest, p.checkWorkers, p.checkSleeping} {
		checks, err := check(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range checks {
			if !c.OK && !c.Advisory && !c.Skipped {
				return nil, &OffError{c}
			}
		}
		all = append(all, checks...)
	}
	return append(all, Check{Name: conservation, What: "holds in every run of this report", OK: true}), nil
}

// checkDigest runs a small row twice.
func (p *Plan) checkDigest(ctx context.Context) ([]Check, error) {
	var digests [2]uint64
	for i := range digests {
		r, err := p.perform(ctx, p.Machine, scale.Leaves("tree", 64, scale.Pause/1000), 8)
		if err != nil {
			return nil, err
		}
		digests[i] = r.digest
	}
	what := fmt.Sprintf("two runs give %x and %x", digests[0], digests[1])
	return []Check{{Name: digest, What: what, OK: digests[0] == digests[1]}}, nil
}

// checkWorkers compares how much faster two workers are than one. What the machine
// itself slows down is taken out of what was measured: the model has nothing that
// would.
//
// What one worker costs beyond the plain program is advisory: it moves all speed-ups
// of a row alike.
//
// A row that the record lacks, or has of another size, is skipped: a shorter run
// has another gain. So are those that are not among the report's own: some take long.
func (p *Plan) checkWorkers(ctx context.Context) (checks []Check, err error) {
	names := slices.DeleteFunc(scale.Names(), func(name string) bool {
		return !slices.ContainsFunc(p.Rows, func(r *scale.Row) bool { return r.Name == name })
	})
	if others := len(scale.Names()) - len(names); others > 0 {
		what := fmt.Sprintf("skipped: %d workloads that this report is not of", others)
		checks = append(checks, Check{Name: workers, What: what, Skipped: true})
	}
	for _, name := range names {
		r, recorded, err := p.recorded(name)
		if err != nil {
			checks = append(checks, Check{Name: workers + ", " + name, What: "skipped: " + err.Error(), Skipped: true})
			continue
		}
		var took [2]float64
		for i := range took {
			done, err := p.performRecorded(ctx, r, i+1, alone)
			if err != nil {
				return nil, err
			}
			took[i] = float64(done.elapsed)
		}
		checks = append(checks, compared(workers+", "+r.Name, took[0]/took[1], recorded.Gain(2), offWorkers))

		c := compared(oneWorker+", "+r.Name, float64(r.Cost.Work)/took[0], recorded.Alone(), offOne)
		c.Advisory = true
		checks = append(checks, c)
	}
	return checks, nil
}

// recorded returns the row of the name with what was recorded of it. The error says
// why they cannot be compared.
func (p *Plan) recorded(name string) (*scale.Row, *measure.Row, error) {
	if p.Recorded.Row(name) == nil {
		return nil, nil, errors.New("not measured") // and not worth the row's count of its work
	}
	r := scale.Rows(scale.Full, name)[0]
	recorded, err := p.Recorded.Of(r)
	if err == nil && recorded.Gain(2) == 0 {
		err = errors.New("not measured with one and two workers")
	}
	return r, recorded, err
}

// checkSleeping compares leaves that sleep, by the fastest runs and in the times
// that one leaf takes alone. More than 64 workers take long: those are for a report
// that has as many.
func (p *Plan) checkSleeping(ctx context.Context) (checks []Check, err error) {
	var leaf simulate.Time
	_, err = simulate.Run(p.Of, func() {
		start := simulate.Now()
		scale.SleepAlone()
		leaf = simulate.Now() - start
	})
	if err != nil {
		return nil, err
	}
	for _, recorded := range p.Recorded.Sleeping {
		if recorded.Workers > max(64, slices.Max(p.Workers)) {
			continue
		}
		for _, r := range scale.Sleeping(recorded.Workers) {
			if r.Name != recorded.Name {
				continue
			}
			done, err := p.performRecorded(ctx, r, recorded.Workers, scale.Asleep)
			if err != nil {
				return nil, err
			}
			name := fmt.Sprintf("%s, %s, %d workers", sleeping, r.Name, recorded.Workers)
			got := float64(done.elapsed) / float64(leaf)
			checks = append(checks, compared(name, got, recorded.Times.Fastest()/p.Recorded.Leaf.Fastest(), offSleeping))
		}
	}
	return checks, nil
}

// compared is the check that got is at most a part off from want.
func compared(name string, got, want, off float64) Check {
	by := got/want - 1
	what := fmt.Sprintf("simulated %.2f, measured %.2f, %+.0f %%; at most %.0f %% is well", got, want, 100*by, 100*off)
	return Check{Name: name, What: what, OK: math.Abs(by) <= off}
}
