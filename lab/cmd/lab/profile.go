package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
)

// profiled calls f and writes a CPU profile of it to a file, unless that has no
// name.
func profiled(name string, f func() error) error {
	if name == "" {
		return f()
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return errors.Join(err, file.Close())
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, file.Close())
}

// builtWith returns the profile that guided the build of this command, as seen
// from the current directory, or "".
func builtWith() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key != "-pgo" {
			continue
		}
		here, err := os.Getwd()
		if err != nil {
			return filepath.Base(s.Value)
		}
		if path, err := filepath.Rel(here, s.Value); err == nil && filepath.IsLocal(path) {
			return filepath.ToSlash(path)
		}
		return filepath.Base(s.Value)
	}
	return ""
}
