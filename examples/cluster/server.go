package main

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
	temp string // the directory, if it is not to be kept
}

// embed starts the server. It listens on this machine alone, and asks for a password.
func embed(dir string) (h *home, err error) {
	h = &home{}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "cluster-"); err != nil {
			return nil, err
		}
		h.temp = dir
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
	h.Server, err = server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: password,
		JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true, AuthTimeout: connectWait.Seconds(),
	})
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

// stop stops the server, and removes its directory unless it is to be kept.
func (h *home) stop() error {
	h.Shutdown()
	h.WaitForShutdown()
	return h.clear()
}

func (h *home) clear() error {
	if h.temp != "" {
		return errors.Join(h.lock.Close(), os.RemoveAll(h.temp))
	}
	return h.lock.Close()
}
