package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/tools/pick"
)

// What several processes find is what one finds, and the table says who found it.
func TestSameDigest(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	p := begin(t, nil, dir, "--workers", "3").end(t)
	p.check(t, pick.StatusOK, &p.stdout, dir+"\n25 files in 9 directories", digest, "3 workers on ")
	if n := p.number(t, "all", "files"); n != 25 {
		t.Errorf("the workers have read %d files of 25:\n%s", n, &p.stdout)
	}
	if n := p.number(t, "all", "directories"); n != 9 {
		t.Errorf("%d directories of 9:\n%s", n, &p.stdout)
	}
	empty := t.TempDir()
	p = begin(t, nil, empty).end(t)
	p.check(t, pick.StatusOK, &p.stdout, digestOf(t, os.DirFS(empty)))
}

// A worker that dies at any point of its work costs time, and nothing else.
func TestKilled(t *testing.T) {
	for _, point := range []string{"taken", "counted", "published", "acknowledged"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			dir, digest := plant(t)
			p := begin(t, []string{dieAt + "=" + point, dieOnce + "=" + filepath.Join(t.TempDir(), "once")}, dir, "--workers", "2").end(t)
			p.check(t, pick.StatusOK, &p.stdout, digest, "signal: killed")
			if n := p.number(t, "all", "redelivered"); n == 0 && (point == "taken" || point == "counted") {
				t.Errorf("no part was delivered again:\n%s", &p.stdout)
			}
			if n := p.number(t, "all", "duplicates"); n == 0 && point == "published" {
				t.Errorf("no part was delivered whose total was there:\n%s", &p.stdout)
			}
		})
	}
}

// If all workers die, the run ends with an error and can be taken up again: what was found before
// is not looked for once more. What does not fit to it is refused.
func TestTakenUpAgain(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	store := filepath.Join(t.TempDir(), "new", "store")
	once := []string{dieAt + "=published", dieOnce + "=" + filepath.Join(t.TempDir(), "once")}
	p := begin(t, once, dir, "--workers", "1", "--store", store, "--run", "x").end(t)
	p.check(t, pick.StatusFailed, &p.stderr, "no worker is left of 1, and 8 of 9 parts are not done", "1 of 9 parts are done, and kept")

	other, otherDigest := plant(t)
	p = begin(t, nil, other, "--store", store, "--run", "x").end(t)
	p.check(t, pick.StatusFailed, &p.stderr, "run x is of "+dir+", and was not ended: name this one otherwise, with --run, or forget that one, with --fresh")

	p = begin(t, nil, dir, "--store", store, "--run", "x", "--workers", "1").end(t)
	p.check(t, pick.StatusOK, &p.stdout, digest)
	if n := p.number(t, "earlier", "parts"); n != 1 {
		t.Errorf("%d parts were found earlier, want 1:\n%s", n, &p.stdout)
	}

	// When it has ended, nothing is left of it. Another tree may have its name.
	once[1] += "more"
	p = begin(t, once, other, "--workers", "1", "--store", store, "--run", "x").end(t)
	p.check(t, pick.StatusFailed, &p.stderr, "1 of 9 parts are done, and kept")
	if err := os.WriteFile(filepath.Join(other, "new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p = begin(t, nil, other, "--store", store, "--run", "x").end(t)
	p.check(t, pick.StatusFailed, &p.stderr, other+" has changed since run x began, which was not ended")
	p = begin(t, nil, other, "--store", store, "--run", "x", "--fresh").end(t)
	p.check(t, pick.StatusOK, &p.stdout, digestOf(t, os.DirFS(other)))
	if strings.Contains(p.stdout.String(), earlierRun) || digestOf(t, os.DirFS(other)) == otherDigest {
		t.Errorf("it has not begun afresh:\n%s", &p.stdout)
	}
}

// A part that kills each worker ends the run before it has killed all.
func TestPoison(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	p := begin(t, []string{dieAt + "=taken"}, dir, "--workers", "4").end(t)
	p.check(t, pick.StatusFailed, &p.stderr, filepath.Join(dir, "d0")+": 3 workers were given it, and all fell silent")
}

// What no worker can read is tried as often as is allowed. A directory then ends the run, a file
// is listed, as one process does.
func TestUnreadable(t *testing.T) {
	for _, name := range []string{"d3", "d3/f1.go"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			dir, _ := plant(t)
			p := begin(t, []string{blind + "=" + name}, dir, "--workers", "2").end(t)
			if name == "d3" {
				p.check(t, pick.StatusFailed, &p.stderr, dir, "d3: permission denied")
				return
			}
			p.check(t, pick.StatusOK, &p.stdout, digestOf(t, blindFS{os.DirFS(dir), name}), "1 unreadable:\n  d3/f1.go: permission denied\n")
			if n := p.number(t, "all", "redelivered"); n != 1 {
				t.Errorf("%d parts were delivered again, want the one with the file:\n%s", n, &p.stdout)
			}
		})
	}
}

// A server that goes away while all workers have a part in hand, and comes back on its store, costs
// time and nothing else.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	s := newSite(t, true)
	g := filepath.Join(t.TempDir(), "gate")
	p := begin(t, []string{gate + "=" + g}, dir, "--workers", "2", "--nats", s.url())
	await(t, "two parts are counted", func() bool { return exists(g+".0") && exists(g+".1") })
	s.goes()
	raise(t, g)
	s.comes(t)
	p.end(t).check(t, pick.StatusOK, &p.stdout, digest)
	p.check(t, pick.StatusOK, &p.stderr, "waiting for the NATS server: the connection is lost", "the NATS server is there again")
}

func raise(t *testing.T, gate string) {
	t.Helper()
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Of two runs with one name, the second is refused, and the first goes on. Another name is
// another run. A worker that joins has a part in it.
func TestOneName(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	s := newSite(t, true)
	g := filepath.Join(t.TempDir(), "gate")
	first := begin(t, []string{gate + "=" + g}, dir, "--workers", "1", "--nats", s.url(), "--run", "x")
	await(t, "a part is counted", func() bool { return exists(g + ".0") })
	for _, fresh := range []string{"--fresh=false", "--fresh"} {
		p := begin(t, nil, dir, "--nats", s.url(), "--run", "x", fresh).end(t)
		p.check(t, pick.StatusFailed, &p.stderr, "is at run x: wait for its end, or name this one otherwise, with --run")
	}
	p := begin(t, nil, dir, "--nats", s.url(), "--run", "y").end(t)
	p.check(t, pick.StatusOK, &p.stdout, digest)

	// This one is given all parts but the first. It waits with the second, until the gate opens.
	joined := begin(t, []string{gate + "=" + g}, "join", "--nats", s.url(), "--run", "x")
	await(t, "the other one has counted a part", func() bool { return exists(g + ".1") })
	raise(t, g)
	first.end(t).check(t, pick.StatusOK, &first.stdout, digest)
	joined.end(t).check(t, pick.StatusOK, &joined.stdout, "of run x; Ctrl-C ends it")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if n := first.number(t, fmt.Sprintf("%s/%d", host, joined.Process.Pid), "parts"); n == 0 {
		t.Errorf("the worker that joined has done nothing:\n%s", &first.stdout)
	}
	p = begin(t, nil, "join", "--nats", s.url(), "--run", "x").end(t)
	p.check(t, pick.StatusFailed, &p.stderr, "run x: ", "stream not found")
}

// Ctrl-C ends the workers, too.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	g := filepath.Join(t.TempDir(), "gate")
	p := begin(t, []string{gate + "=" + g}, dir, "--workers", "2", "--store", t.TempDir())
	await(t, "a part is counted", func() bool { return exists(g + ".0") })
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.end(t).check(t, pick.StatusInterrupted, &p.stderr, "0 of 9 parts are done, and kept", "cluster: interrupted\n")
}

// If the parent dies, its workers end. They have a pipe open whose reader hears of it.
func TestOrphans(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	g := filepath.Join(t.TempDir(), "gate")
	ends, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ends.Close()
	p := command(t, []string{gate + "=" + g}, dir, "--workers", "2")
	p.ExtraFiles = []*os.File{held}
	if err := errors.Join(p.Start(), held.Close()); err != nil {
		t.Fatal(err)
	}
	await(t, "two parts are counted", func() bool { return exists(g+".0") && exists(g+".1") })
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.end(t)
	if err := ends.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := ends.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a minute after the parent: %v, want that all workers have ended", err)
	}
}

// What cannot work is refused, and the error says what to do.
func TestRefused(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t)
	deaf := newSite(t, false)
	gone := newSite(t, true)
	gone.Close()
	for _, test := range []struct{ args, says string }{
		{"--workers 0 DIR", "--workers is 0, must be 1 or more"},
		{"--procs -1 DIR", "--procs is -1, must be 1 or more"},
		{"DIR DIR", "name one directory"},
		{"", "name one directory"},
		{"--nonsense DIR", "--help"},
		{"DIR/none", "no such file"},
		{"DIR/d9.txt", "is not a directory"},
		{"--run a.b DIR", `--run is "a.b", must be of letters`},
		{"--nats " + gone.url() + " DIR", "no NATS server at " + gone.url()},
		{"--nats " + deaf.url() + " DIR", "has no JetStream: start it with --jetstream"},
		{"--nats u --store s DIR", "--store is of the server in this process"},
		{"--store DIR/d9.txt DIR", "d9.txt"},
		{"join --run x", "join needs --nats"},
		{"join --nats " + deaf.url(), `--run is ""`},
		{"join x", `was given "x"`},
		{"worker", "for cluster's own use"},
	} {
		p := begin(t, nil, strings.Fields(strings.ReplaceAll(test.args, "DIR", dir))...).end(t)
		p.check(t, pick.StatusFailed, &p.stderr, test.says)
	}
	p := begin(t, nil, "--help").end(t)
	p.check(t, pick.StatusOK, &p.stdout, "cluster join", "-workers")
}
