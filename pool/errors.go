package pool

import (
	"context"
	"errors"
	"fmt"
)

// ErrClosed is what [Run], [Submit] and their kin return once [Pool.Close] or
// [Pool.Shutdown] was called.
var ErrClosed = errors.New("pool: closed")

// ErrCloseInJob is what [Pool.Close] and [Pool.Shutdown] return to a job of the pool, and to a
// panic handler on a goroutine of the pool: they would wait for their own caller.
var ErrCloseInJob = errors.New("pool: Close or Shutdown called by a job of the pool, or by its panic handler, for which it would wait: call it when Run has returned, or on a goroutine of your own")

// ErrDefault is what [Pool.Close] and [Pool.Shutdown] return for the pool that is the
// default, which code elsewhere may use at any time.
var ErrDefault = errors.New("pool: this is the default pool, which others use: call SetDefault(nil), then close the pool that you had set")

// ErrFull is what [Submit], [SubmitAll] and [Go] return while as many jobs are queued
// as [WithQueueLimit] allows.
var ErrFull = errors.New("pool: queue is full")

// ErrCanceled is what [Handle.Wait] and [Handle.Join] return of a job that
// [Handle.Cancel] or [Pool.Shutdown] has taken back, and [Run] of one that Shutdown has.
// It is a [context.Canceled], too.
var ErrCanceled = fmt.Errorf("pool: job canceled before it began: %w", context.Canceled)

// ErrGoexit is what [Handle.Wait] and [Handle.Join] return of a job that called
// [runtime.Goexit], or joined a fork or a scope that did.
var ErrGoexit = errors.New("pool: job called runtime.Goexit")

const nilPool = "pool: Run, RunErr, RunGroup, RunHere, Submit, SubmitErr, SubmitAll or Go with a nil pool: use pool.Default() or pool.New"

const inBlock = "pool: a fork, a join, a scope, a group or a Spawn in the function of Block: fork before Block, or call Run in it"

// A worker that is used by something else than its job goes astray. The short ways
// of Fork and Join do not check that: it would cost as much as they do. The long ways
// panic with a text that names the mistake where they see it for nothing. To see it
// is luck: most such uses are data races, and may do anything.

const (
	astray = "pool: a worker is used by something else than its job: " + whose
	// noFunction is what a join finds if another one came between, and took it.
	noFunction = "pool: a fork has no function: it is nil, or its worker is used by something else than its job: " + whose

	whose = "what is forked, spawned or submitted must use the worker that it is given, and another goroutine must use none (rouse-vet finds most such places)"
)
