package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/cli"
)

// The test program is the one under test if the environment says so, with the job below and less
// patience, and it stops where the environment says so. All tests run it as a process, whose workers are
// processes, too.
const (
	asProgram = "CLUSTER_TEST"
	// dieAt is a list of points, with a key behind or without one, at which a process kills itself by
	// SIGKILL: the first that can make the directory dieOnce.POINT.KEY, or each, if dieOnce is not there.
	dieAt   = "CLUSTER_TEST_DIE_AT"
	dieOnce = "CLUSTER_TEST_DIE_ONCE"
	// gates is the beginning of names of files. A worker that holds at a point makes
	// GATES.POINT.KEY.PROCESS, with the process of its parent in it, and waits until GATES.POINT is there.
	gates = "CLUSTER_TEST_GATES"
	// hold is a list of points, as dieAt is.
	hold = "CLUSTER_TEST_HOLD"
	// deliveries is how often a key is delivered, if not as often as usual.
	deliveries = "CLUSTER_TEST_DELIVERIES"
	// silence is for how long a worker may say nothing of its key, if not for a second.
	silence = "CLUSTER_TEST_SILENCE"
	// blind names a file or directory that no worker can read.
	blind = "CLUSTER_TEST_BLIND"
	// room is how many bytes the store of the server in the process has.
	room = "CLUSTER_TEST_ROOM"
	// disk is how many bytes a file can have: more cannot be written.
	disk = "CLUSTER_TEST_DISK"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		m.Run()
		return
	}
	ackWait, nakDelay, silenceWait = time.Second, 10*time.Millisecond, 100*time.Millisecond
	if n, err := strconv.Atoi(os.Getenv(deliveries)); err == nil {
		maxDeliveries = n
	}
	if d, err := time.ParseDuration(os.Getenv(silence)); err == nil {
		ackWait = d
	}
	if n, err := strconv.ParseInt(os.Getenv(room), 10, 64); err == nil {
		tuneServer = func(o *server.Options) { o.JetStreamMaxStore = n }
	}
	if n, err := strconv.ParseUint(os.Getenv(disk), 10, 64); err == nil {
		answerWait = 300 * time.Millisecond
		limitFiles(n)
	}
	at = stopAt
	cli.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		status := testJob.command(ctx, args, stdout, stderr)
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

// testJob takes the sums of what is in a directory. A key is the path of an entry; a result is padding, as
// long as sizes say, and the sum of the file, or of the files in the directory.
var testJob = Job{
	Name: "sums",
	Args: "DIR",
	Plan: func(_ context.Context, args []string) (*Plan, error) {
		if len(args) != 1 {
			return nil, errors.New("name one directory")
		}
		dir, err := Dir(args[0])
		p := &Plan{Of: dir, Fold: func(results [][]byte, stdout io.Writer) error {
			_, err := fmt.Fprintf(stdout, "digest %x\n", sha256.Sum256(bytes.Join(results, nil)))
			stopAt("folded", 0)
			return err
		}}
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, name := range names {
			p.Keys = append(p.Keys, []byte(name))
		}
		return p, err
	},
	Do: func(ctx context.Context, p *pool.Pool, key []byte) ([]byte, error) {
		if strings.HasSuffix(string(key), "d0") {
			stopAt("opened", 0)
		}
		return pool.RunErr(ctx, p, sums, string(key))
	},
	Label: func(key []byte) string { return string(key) },
}

// padding makes results as long as thumbnails may be.
const padding = 4000

func sums(_ context.Context, _ *pool.Worker, name string) (result []byte, err error) {
	h := sha256.New()
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if b := os.Getenv(blind); b != "" && strings.HasSuffix(path, b) {
			return &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s: %q\n", filepath.Base(path), data)
		return err
	})
	result = h.Sum(make([]byte, padding))
	if errors.Is(err, fs.ErrPermission) && !strings.HasSuffix(os.Getenv(blind), ".go") {
		return nil, err
	}
	return result, err
}

// stopsAt reports whether a list in the environment has a point.
func stopsAt(list, point string, n int) bool {
	points := strings.Fields(os.Getenv(list))
	return slices.Contains(points, point) || slices.Contains(points, fmt.Sprint(point, ".", n))
}

func stopAt(point string, n int) {
	if stopsAt(dieAt, point, n) {
		once := os.Getenv(dieOnce)
		if once == "" || os.Mkdir(fmt.Sprint(once, ".", point, ".", n), 0o700) == nil {
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		}
	}
	if stopsAt(hold, point, n) {
		g := os.Getenv(gates) + "." + point
		_ = os.WriteFile(fmt.Sprint(g, ".", n, ".", os.Getpid()), fmt.Append(nil, os.Getppid()), 0o600)
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

// dying has a process kill itself at a point, once.
func dying(t *testing.T, point string) []string {
	return []string{dieAt + "=" + point, dieOnce + "=" + filepath.Join(t.TempDir(), "once")}
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

// reached waits until a worker of a parent stops at POINT.KEY, or ended is closed: then it returns false.
func (s stop) reached(parent int, point string, ended chan struct{}) bool {
	for {
		found, _ := filepath.Glob(s.gates + "." + point + ".*")
		for _, name := range found {
			if data, _ := os.ReadFile(name); string(data) == fmt.Sprint(parent) {
				return true
			}
		}
		select {
		case <-ended:
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
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

// A process is the program at work.
type process struct {
	*exec.Cmd
	stdout, stderr buffer
	status         int
}

// A buffer can be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// await waits until the buffer matches a pattern, and returns what its group has.
func (b *buffer) await(t *testing.T, pattern string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(b.String()); m != nil {
			return m[len(m)-1]
		}
	}
	t.Fatalf("not within a minute: %s in\n%s", pattern, b)
	return ""
}

// command is the program with the given environment, of pairs with = between.
func command(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), processWait)
	p := &process{Cmd: exec.CommandContext(ctx, self, args...)}
	p.Env = append(append(os.Environ(), asProgram+"=1", "TMPDIR="+t.TempDir()), env...)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	p.WaitDelay = 10 * time.Second
	p.Cancel = p.quit
	t.Cleanup(func() {
		cancel()
		if p.Process == nil || !t.Failed() {
			return
		}
		_ = p.Wait() // An error says that it has been waited for.
		t.Logf("%s: %v\nstandard output:\n%s\nstandard error:\n%s", args, p.ProcessState, &p.stdout, &p.stderr)
	})
	return p
}

// processWait is how long a process may live. The test program may live longer, so it can print where a process hangs.
const processWait = 3 * time.Minute

// quit has each worker print the stacks of its goroutines, and then the parent, through which they print.
func (p *process) quit() error {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.Process.Pid)) // only on Linux
	for _, task := range tasks {
		data, _ := os.ReadFile(task)
		for _, child := range strings.Fields(string(data)) {
			if pid, err := strconv.Atoi(child); err == nil {
				_ = syscall.Kill(pid, syscall.SIGQUIT)
			}
		}
	}
	time.Sleep(time.Second) // for the parent to read it
	_ = p.Process.Signal(syscall.SIGQUIT)
	return nil // So Wait returns an error even if new workers have ended the run in the meantime.
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
		t.Fatal(err)
	}
	p.status = p.ProcessState.ExitCode()
	return p
}

// check checks how it ended, and that one stream has all of the texts.
func (p *process) check(t *testing.T, status int, out *buffer, texts ...string) {
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
		t.FailNow() // command prints the streams.
	}
}

// plant makes a tree of nine keys. It returns its directory, and its digest by one process.
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
	return dir, digestOf(t, dir)
}

// digestOf is what one process finds.
func digestOf(t *testing.T, dir string) string {
	t.Helper()
	p, err := testJob.Plan(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var results [][]byte
	for _, key := range p.Keys {
		result, err := sums(t.Context(), nil, string(key))
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, result)
	}
	var b strings.Builder
	if err := p.Fold(results, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
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

// A station is where a NATS server is, that can go away and come back: a port that stays the same
// leads to it.
type station struct {
	net.Listener
	opts server.Options

	mu    sync.Mutex
	now   *server.Server // nil if it is away
	conns []net.Conn
	mute  atomic.Bool  // what the server answers is lost, until it comes back
	slow  sync.RWMutex // while it is locked, no answer arrives
}

// newStation starts a server on a store of its own.
func newStation(t *testing.T, tune ...func(*server.Options)) *station {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &station{Listener: l, opts: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		AuthTimeout: connectWait.Seconds(),
	}}
	s.restart(t, tune...)
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

func (s *station) url() string { return "nats://" + s.Addr().String() }

// connected is a client of a server, until the test ends.
func connected(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	js, err := (&site{URL: url}).connect(t.Context(), "test", func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(js.Conn().Close)
	return js
}

// beginHeld begins run x of a new tree on a new server, and returns when all workers stop at a point.
func beginHeld(t *testing.T, workers int, point string, env ...string) (s *station, held stop, p *process, dir, digest string) {
	t.Helper()
	dir, digest = plant(t)
	s, held = newStation(t), holdAt(t, point)
	p = begin(t, append(env, held.env...), dir, "--workers", strconv.Itoa(workers), "--nats", s.url(), "--run", "x")
	held.await(t, workers, point+".*")
	return s, held, p, dir, digest
}

func (s *station) forward(client net.Conn) {
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
	back.Go(func() { _, _ = io.Copy(answers{client, s}, up); client.Close() })
	_, _ = io.Copy(up, client)
	up.Close()
	back.Wait()
}

// An answers is where the answers of a server go.
type answers struct {
	io.Writer
	*station
}

func (a answers) Write(p []byte) (int, error) {
	a.slow.RLock()
	defer a.slow.RUnlock()
	if a.mute.Load() {
		return len(p), nil
	}
	return a.Writer.Write(p)
}

// restart starts the server, with other options from now on.
func (s *station) restart(t *testing.T, tune ...func(*server.Options)) {
	t.Helper()
	s.goes()
	for _, set := range tune {
		set(&s.opts)
	}
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

func (s *station) goes() {
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
