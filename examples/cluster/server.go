package cluster

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
)

// A home is the NATS server in this process, and the directory in which it stores streams.
type home struct {
	*server.Server
	lock *flock.Flock
	url  string
	dir  string
	temp bool // the directory is not to be kept
}

// Tests give the server less room.
var tuneServer = func(*server.Options) {}

// embed starts the server. It listens on this machine alone, and asks for a password.
func embed(dir string) (h *home, err error) {
	h = &home{dir: dir, temp: dir == ""}
	if h.temp {
		if dir, err = os.MkdirTemp("", "cluster-"); err != nil {
			return nil, err
		}
		h.dir = dir
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	// Two servers would destroy what is there.
	h.lock = flock.New(filepath.Join(dir, "lock"))
	switch ok, err := h.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("--store: %w", err)
	case !ok:
		return nil, fmt.Errorf("--store: another process has its server in %s", dir)
	}
	password := rand.Text()
	opts := server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: password,
		JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true, AuthTimeout: connectWait.Seconds(),
	}
	tuneServer(&opts)
	h.Server, err = server.NewServer(&opts)
	if err != nil {
		return nil, errors.Join(err, h.clear())
	}
	h.Start()
	if !h.ReadyForConnections(10*time.Second) || !h.JetStreamEnabled() {
		return nil, errors.Join(fmt.Errorf("the NATS server did not start with its store in %s", dir), h.stop())
	}
	h.url = "nats://" + password + "@" + h.Addr().String()
	return h, nil
}

var errSwitchedOff = errors.New("the NATS server has switched JetStream off, since it could not write")

// off reports whether the server goes on without JetStream. That is how it ends when its disk is full.
func (h *home) off() bool { return h != nil && !h.JetStreamEnabled() }

// stop stops the server, and removes its directory unless it is to be kept.
func (h *home) stop() error {
	h.Shutdown()
	h.WaitForShutdown()
	return h.clear()
}

func (h *home) clear() error {
	if h.temp {
		return errors.Join(h.lock.Close(), os.RemoveAll(h.dir))
	}
	return h.lock.Close()
}

// traffic says what the server had to do for each of n keys. It is empty if h is nil.
func (h *home) traffic(n int) string {
	if h == nil || n == 0 {
		return ""
	}
	v, err := h.Varz(nil)
	if err != nil {
		return ""
	}
	each := func(all int64) float64 { return float64(all) / float64(n) }
	return fmt.Sprintf("the server, for each key: %.1f messages and %.0f bytes came in, %.1f and %.0f went out\n",
		each(v.InMsgs), each(v.InBytes), each(v.OutMsgs), each(v.OutBytes))
}
