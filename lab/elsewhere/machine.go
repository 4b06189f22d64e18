package elsewhere

import (
	"context"
	"fmt"
	"strings"
)

// A Machine is a platform on which the tests can run without having it.
type Machine struct {
	Name string
	// Under is what stands in for it.
	Under string
	// Always says that it is tested before every change, not only on demand.
	Always bool

	env   []string // of the go command
	needs []need
	start func(context.Context, string) (session, error)
	// skip is a pattern of tests that cannot pass there.
	skip string
	// without are modules whose tests show nothing there, unless all are asked for, that
	// those of other modules and machines do not.
	without []string
}

// A session is a machine that is ready to run programs.
type session struct {
	exec string   // for go test -exec
	env  []string // of what is run
	stop func()   // or nil
}

// Machines is every machine there is.
var Machines = []Machine{
	// A loop meets a platform through the pool alone; that its floats have the same bits on
	// any schedule, however its processor multiplies and adds, the suite shows, too.
	pinned(qemu("arm64", "aarch64", "GOARCH=arm64")).always().but("par"),
	// What waits meets the platform. How wide a word is, and that a 64-bit atomic has an
	// aligned address, 386 shows, with all modules.
	qemu("arm", "arm", "GOARCH=arm", "GOARM=7").always().but("counters", "latch", "deque", "pool", "par", "conformance"),
	{
		Name: "windows", Under: "Wine", Always: true,
		env: []string{"GOOS=windows", "GOARCH=amd64"},
		needs: []need{
			{"wine", []string{"wine", "wine64"}},
			{"wineserver", []string{"wine"}},
			{mingw, []string{"gcc-mingw-w64-x86-64"}},
		},
		start:   startWine,
		without: []string{"par"},
	},
	{
		Name: "js", Under: "Node", Always: true,
		env:   []string{"GOOS=js", "GOARCH=wasm"},
		needs: []need{{"node", []string{"nodejs"}}},
		start: startNode,
		// The suite has loops where there is one thread.
		without: []string{"par"},
	},
	// The runtime makes up for the atomics that this one lacks.
	qemu("armv5", "arm", "GOARCH=arm", "GOARM=5"),
	// 32 bits and the most significant byte first; 64-bit atomics are locks.
	qemu("mips", "mips", "GOARCH=mips"),
	qemu("s390x", "s390x", "GOARCH=s390x"),
	qemu("ppc64le", "ppc64le", "GOARCH=ppc64le"),
	qemu("riscv64", "riscv64", "GOARCH=riscv64"),
}

func (m Machine) always() Machine {
	m.Always = true
	return m
}

func (m Machine) but(modules ...string) Machine {
	m.without = modules
	return m
}

// Select returns the machines of the given names. It returns an error that
// lists all names if there is no machine of one.
func Select(names []string) ([]Machine, error) {
	var selected []Machine
	for _, name := range names {
		m, ok := find(name)
		if !ok {
			return nil, fmt.Errorf("unknown machine %q; there are: %s", name, strings.Join(allNames(), ", "))
		}
		selected = append(selected, m)
	}
	return selected, nil
}

// ByDefault returns the machines that are tested always, or all of them.
func ByDefault(all bool) (selected []Machine) {
	for _, m := range Machines {
		if all || m.Always {
			selected = append(selected, m)
		}
	}
	return selected
}

func find(name string) (Machine, bool) {
	for _, m := range Machines {
		if m.Name == name {
			return m, true
		}
	}
	return Machine{}, false
}

func allNames() (names []string) {
	for _, m := range Machines {
		names = append(names, m.Name)
	}
	return names
}
