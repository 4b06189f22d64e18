package api_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/testrule"
)

func TestMain(m *testing.M) { testrule.Main(m) }

func TestRoundsValidate(t *testing.T) {
	good := []api.Rounds{api.RoundsThreadPool, api.RoundsFutex, {Sleepy: 1}}
	// The maker of a backend asks for these first, and refuses a wrong number of workers after that.
	for _, workers := range []int{-1, 0, 1, 2, 3, 64, 65535, 65536} {
		good = append(good, api.DefaultRounds(workers))
	}
	for _, r := range good {
		if err := r.Validate(); err != nil {
			t.Errorf("S12: Rounds.Validate: %+v is refused: %v", r, err)
		}
	}
	for want, r := range map[string]api.Rounds{
		"Linger is -1, must be 0 to":      {Linger: -1, Sleepy: 1},
		"Spin is -1, must be 0 to":        {Spin: -1, Sleepy: 1},
		"Yield is 1048577, must be 0 to":  {Yield: 1<<20 + 1, Sleepy: 1},
		"Sleepy is 0, must be 1 to":       {Spin: 1},
		"Sleepy is 2000000, must be 1 to": {Sleepy: 2000000},
	} {
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("S12: Rounds.Validate: %+v: error %v, want one that says %q", r, err, want)
		}
	}
}

// What a worker does after each fruitless search, from the first to the one
// after which it sleeps.
func TestRoundsNext(t *testing.T) {
	const look, announce, block = "look ", "announce ", "block "
	names := map[api.Phase]string{api.Look: look, api.Announce: announce, api.Block: block}
	for _, c := range []struct {
		rounds  api.Rounds
		lingers bool
		want    string
	}{
		{api.Rounds{Sleepy: 1}, false, announce + block},
		{api.Rounds{Sleepy: 1}, true, announce + block},
		{api.Rounds{Spin: 1, Yield: 2, Sleepy: 1}, false, strings.Repeat(look, 3) + announce + block},
		{api.Rounds{Yield: 1, Sleepy: 3}, false, look + announce + look + look + block},
		{api.Rounds{Linger: 4, Spin: 1, Yield: 2, Sleepy: 2}, false, strings.Repeat(look, 3) + announce + look + block},
		{api.Rounds{Linger: 4, Spin: 1, Yield: 2, Sleepy: 2}, true, strings.Repeat(look, 7) + announce + look + block},
		// "Blitz: Thread Pool": rounds 0 to 31 yield, 32 announces, 33 yields, 34 sleeps.
		{api.RoundsThreadPool, true, strings.Repeat(look, 32) + announce + look + block},
	} {
		var got strings.Builder
		for idle := (api.Idle{Lingers: c.lingers}); ; idle.Round++ {
			phase := c.rounds.Next(&idle)
			got.WriteString(names[phase])
			if at := c.rounds.Announcement(); phase == api.Announce && (idle.Round != at || idle.Lingers) {
				t.Errorf("S12: Rounds.Announcement: %+v, lingers %t: %+v announces, and Announcement is %d", c.rounds, c.lingers, idle, at)
			}
			if phase == api.Block {
				break
			}
		}
		if got.String() != c.want {
			t.Errorf("S12: Rounds.Next: %+v, lingers %t: %s, want %s", c.rounds, c.lingers, &got, c.want)
		}
	}
}

func TestOutcomeString(t *testing.T) {
	for o, want := range map[api.Outcome]string{
		api.Empty: "empty", api.Lost: "lost", api.Stolen: "stolen", 9: "invalid outcome",
	} {
		if got := o.String(); got != want {
			t.Errorf("Outcome.String: outcome %d is %q, want %q", uint8(o), got, want)
		}
	}
}

// If this fails, workers of a large pool look at each other for long, or those that
// search on processors of their own take a lock of Go's scheduler.
func TestDefaultRoundsFollowProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{8, 256} {
		runtime.GOMAXPROCS(processors)
		processors = runtime.GOMAXPROCS(0) // js/wasm has one, whatever it is told
		for workers, last := 1, 1<<20; workers <= 256; workers++ {
			r := api.DefaultRounds(workers)
			if yields := r.Yield > 0; yields != (workers > processors) {
				t.Errorf("S12: DefaultRounds: %d workers on %d processors have the rounds %+v, want that they yield only if they are more", workers, processors, r)
			}
			if r.Spin > last {
				t.Errorf("S12: DefaultRounds: %d workers spin %d rounds, more than the %d of one worker less", workers, r.Spin, last)
			}
			if r.Linger > 0 && (workers > processors || r.Linger+r.Spin > 512) {
				t.Errorf("S12: DefaultRounds: %d workers on %d processors have the rounds %+v, want that they linger only if none is without a processor, and for 512 searches in all", workers, processors, r)
			}
			if visits := (r.Linger + r.Spin) * workers; visits > 2048 {
				t.Errorf("S12: DefaultRounds: one of %d workers on %d processors makes %d visits before it sleeps, want at most 2048", workers, processors, visits)
			}
			last = r.Spin
		}
	}
}
