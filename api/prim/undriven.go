//go:build !explore

package prim

import "context"

// Without the tag nothing is driven. These are inlined, and what depends on
// them is compiled away.

func spinDriven() bool { return false }

func yieldDriven() bool { return false }

func goDriven(func()) bool { return false }

func exposeDriven() bool { return false }

func afterFuncDriven(context.Context, func()) (stop func() bool, ok bool) { return nil, false }

func parkDriven(*Parker, context.Context) (ended, ok bool) { return false, false }

func unparkDriven(*Parker) bool { return false }

// FutexWait reports whether a driver has waited in place of the system call. In
// a normal build it is false.
func FutexWait(word *Uint32, value uint32) bool { return false }

// FutexWake reports whether a driver has woken in place of the system call. In
// a normal build it is false.
func FutexWake(word *Uint32) bool { return false }
