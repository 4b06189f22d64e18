package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/cli"
)

// The test program is the one under test if the environment says so, with smaller parts and less
// patience, and it stops where the environment says so. All tests run it as a process, whose
// workers are processes, too.
const (
	asProgram = "CLUSTER_TEST"
	// dieAt is the point at which one worker kills itself by SIGKILL: the first that can make the file
	// dieOnce, or any, if there is no such file to be made and the part is the first.
	dieAt   = "CLUSTER_TEST_DIE_AT"
	dieOnce = "CLUSTER_TEST_DIE_ONCE"
	// gates is the beginning of names of files. A worker that holds at a point makes
	// GATES.POINT.KEY.PROCESS, and waits until GATES.POINT is there.
	gates = "CLUSTER_TEST_GATES"
	// hold is a list of points with a key behind, or without one: for all parts.
	hold = "CLUSTER_TEST_HOLD"
	// deliveries is how often a part is delivered, if not as often as usual.
	deliveries = "CLUSTER_TEST_DELIVERIES"
	// silence is for how long a worker may say nothing of its part, if not for a second.
	silence = "CLUSTER_TEST_SILENCE"
	// blind names a file or directory that no worker can read.
	blind = "CLUSTER_TEST_BLIND"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		m.Run()
		return
	}
	partSize, ackWait, nakDelay = 4, time.Second, 10*time.Millisecond
	if n, err := strconv.Atoi(os.Getenv(deliveries)); err == nil {
		maxDeliveries = n
	}
	if d, err := time.ParseDuration(os.Getenv(silence)); err == nil {
		ackWait = d
	}
	at = stopAt
	openFS = func(dir string) fs.FS { return blindFS{os.DirFS(dir), os.Getenv(blind)} }
	cli.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		status := cluster(ctx, args, stdout, stderr)
		for looks := 1; ; looks++ { // each gives up after half a second, which a busy machine may take for nothing
			err := goleak.Find(goleak.IgnoreTopFunction("os/signal.loop"), goleak.IgnoreAnyFunction("os/signal.NotifyContext.func1"))
			if err == nil {
				return status
			}
			if looks == 5 {
				fmt.Fprintln(stderr, "leaked:", err)
				return 99
			}
		}
	})
}

func stopAt(point string, key int) {
	if point == os.Getenv(dieAt) {
		once := os.Getenv(dieOnce)
		f, err := os.OpenFile(once, os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil && f.Close() == nil || once == "" && key == 0 {
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		}
	}
	points := strings.Fields(os.Getenv(hold))
	if slices.Contains(points, point) || slices.Contains(points, fmt.Sprint(point, ".", key)) {
		g := os.Getenv(gates) + "." + point
		_ = os.WriteFile(fmt.Sprint(g, ".", key, ".", os.Getpid()), nil, 0o600)
		for !exists(g) {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// A stop is where a test holds workers.
type stop struct {
	gates string
	env   []string
}

// holdAt has workers stop at these points.
func holdAt(t *testing.T, points string) stop {
	g := filepath.Join(t.TempDir(), "gate")
	return stop{g, []string{gates + "=" + g, hold + "=" + points}}
}

// await waits until so many stops of workers match a pattern of POINT.KEY.PROCESS, and returns the
// process of the first.
func (s stop) await(t *testing.T, n int, pattern string) (pid int) {
	t.Helper()
	var found []string
	for end := time.Now().Add(time.Minute); len(found) < n; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %d workers that stop at %s", n, pattern)
		}
		found, _ = filepath.Glob(s.gates + "." + pattern)
	}
	pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Ext(found[0]), "."))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// open lets all go on that stop at the point.
func (s stop) open(t *testing.T, point string) {
	t.Helper()
	if err := os.WriteFile(s.gates+"."+point, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// A blindFS cannot open the file or directory of one name. The opening of the first file of all is
// a point to stop at.
type blindFS struct {
	fs.FS
	name string
}

func (b blindFS) Open(name string) (fs.File, error) {
	if name == "d0/f0.go" {
		stopAt("opened", 0)
	}
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.FS.Open(name)
}

// A process is the program at work.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
	status         int
}

// command is the program with the given environment, of pairs with = between.
func command(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.CommandContext(t.Context(), self, args...)}
	p.Env = append(append(os.Environ(), asProgram+"=1", "TMPDIR="+t.TempDir()), env...)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	p.WaitDelay = 10 * time.Second
	return p
}

// begin starts it.
func begin(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := command(t, env, args...)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// end waits for the end.
func (p *process) end(t *testing.T) *process {
	t.Helper()
	exit := (*exec.ExitError)(nil)
	if err := p.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v\n%s", err, &p.stderr)
	}
	p.status = p.ProcessState.ExitCode()
	return p
}

// check checks how it ended, and that one stream has all of the texts.
func (p *process) check(t *testing.T, status int, out *bytes.Buffer, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out.String(), text) {
			t.Errorf("no %q", text)
		}
	}
	if p.status != status {
		t.Errorf("status %d, want %d", p.status, status)
	}
	if t.Failed() {
		t.Fatalf("standard output:\n%s\nstandard error:\n%s", &p.stdout, &p.stderr)
	}
}

// plant makes a tree of nine parts. It returns its directory, and its digest by one process.
func plant(t *testing.T) (dir, digest string) {
	t.Helper()
	tree := fstest.MapFS{}
	for i := range 8 {
		for j := range 3 {
			name := fmt.Sprintf("d%d/f%d.go", i, j)
			tree[name] = &fstest.MapFile{Data: []byte("package " + strings.Repeat("p", 1+3*i+j) + "\n")}
		}
	}
	tree["d9.txt"] = &fstest.MapFile{Data: []byte("some words\n")}
	dir = filepath.Join(t.TempDir(), "tree")
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	return dir, digestOf(t, os.DirFS(dir))
}

func digestOf(t *testing.T, fsys fs.FS) string {
	t.Helper()
	c, err := census.Sequential(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	return "\ndigest " + c.Total().Digest.String() + "\n"
}

// number returns what the table says in a column of a row.
func (p *process) number(t *testing.T, worker, column string) int {
	t.Helper()
	header := -1
	for line := range strings.Lines(p.stdout.String()) {
		if strings.HasPrefix(line, "worker ") {
			header = strings.Index(line, column) + len(column)
		}
		if header >= 0 && strings.HasPrefix(line, worker+" ") && len(line) >= header {
			words := strings.Fields(line[:header])
			n, err := strconv.Atoi(words[len(words)-1])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no row of %s with a column %s:\n%s", worker, column, &p.stdout)
	return 0
}

// A site is where a NATS server is, that can go away and come back: a port that stays the same
// leads to it.
type site struct {
	net.Listener
	opts server.Options

	mu    sync.Mutex
	now   *server.Server // nil if it is away
	conns []net.Conn
	mute  atomic.Bool // what the server answers is lost, until it comes back
}

// newSite starts a server on a store of its own.
func newSite(t *testing.T, jetstream bool) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{Listener: l, opts: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: jetstream, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		AuthTimeout: connectWait.Seconds(),
	}}
	s.comes(t)
	var forwarding sync.WaitGroup
	forwarding.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			forwarding.Go(func() { s.forward(client) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		s.goes()
		forwarding.Wait()
	})
	return s
}

func (s *site) url() string { return "nats://" + s.Addr().String() }

func (s *site) forward(client net.Conn) {
	defer client.Close()
	s.mu.Lock()
	if s.now == nil {
		s.mu.Unlock()
		return
	}
	up, err := net.Dial("tcp", s.now.Addr().String())
	if err != nil {
		s.mu.Unlock()
		return
	}
	s.conns = append(s.conns, client, up)
	s.mu.Unlock()
	defer up.Close()
	var back sync.WaitGroup
	back.Go(func() { _, _ = io.Copy(answers{client, &s.mute}, up); client.Close() })
	_, _ = io.Copy(up, client)
	up.Close()
	back.Wait()
}

// An answers is where the answers of a server go.
type answers struct {
	io.Writer
	mute *atomic.Bool
}

func (a answers) Write(p []byte) (int, error) {
	if a.mute.Load() {
		return len(p), nil
	}
	return a.Writer.Write(p)
}

func (s *site) comes(t *testing.T) {
	t.Helper()
	opts := s.opts
	now, err := server.NewServer(&opts)
	if err != nil {
		t.Fatal(err)
	}
	now.Start()
	if !now.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
	s.mute.Store(false)
}

func (s *site) goes() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		s.now.Shutdown()
		s.now.WaitForShutdown()
		s.now = nil
	}
	for _, c := range s.conns {
		c.Close()
	}
	s.conns = nil
}
