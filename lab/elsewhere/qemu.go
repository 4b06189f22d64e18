package elsewhere

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"regexp"
)

//go:embed guest/qemu.sh
var qemuScript []byte

// qemu returns a Linux machine on another processor.
func qemu(name, cpu string, env ...string) Machine {
	emulator := "qemu-" + cpu
	return Machine{
		Name:  name,
		Under: emulator,
		env:   append([]string{"GOOS=linux"}, env...),
		needs: []need{{emulator, []string{"qemu-user"}}},
		start: func(_ context.Context, dir string) (session, error) {
			script := filepath.Join(dir, "qemu.sh")
			err := os.WriteFile(script, qemuScript, 0o777)
			return session{exec: script, env: []string{"ROUSE_EMULATOR=" + emulator}}, err
		},
	}
}

// pinned is m with all threads of a program on one processor, taking turns.
//
// QEMU 7.2 runs an arm64 store-release followed by a load-acquire of another
// word without the order between them that the processor keeps, so two threads
// can each miss the other's store. One processor sees its own stores.
func pinned(m Machine) Machine {
	start := m.start
	m.Under += " on one processor"
	m.needs = append(m.needs, need{"taskset", []string{"util-linux"}})
	m.start = func(ctx context.Context, dir string) (session, error) {
		s, err := start(ctx, dir)
		if err != nil {
			return s, err
		}
		cpu, err := firstCPU()
		// Go would see one processor and interleave less. With more than two
		// threads, those that spin take the turns of those that work.
		s.env = append(s.env, "ROUSE_PIN=taskset --cpu-list "+cpu, "GOMAXPROCS=2")
		return s, err
	}
	return m
}

var cpusAllowed = regexp.MustCompile(`(?m)^Cpus_allowed_list:\s*(\d+)`)

// firstCPU returns the number of a processor that this program may use.
func firstCPU() (string, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "", err
	}
	found := cpusAllowed.FindSubmatch(status)
	if found == nil {
		return "", errors.New("/proc/self/status does not say on which processors to run")
	}
	return string(found[1]), nil
}
