package harness

import (
	"os"
	"runtime/debug"
)

// NameCrashes has a crash of this process show the labels of all goroutines, and so the
// subtest that is under way. It is for tests of this module: a user of the suite may want
// other settings.
func NameCrashes() {
	settings := os.Getenv("GODEBUG")
	if settings != "" {
		settings += ","
	}
	os.Setenv("GODEBUG", settings+"tracebacklabels=1")
	debug.SetTraceback("all")
}
