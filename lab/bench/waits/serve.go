package waits

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// MostWorkers is how many workers an implementation accepts, as the peers do.
const MostWorkers = 256

// Local are the names of the implementations in Go that [Serve] can be.
func Local() []string { return []string{"rouse", "goroutine"} }

// Serve is a peer by the protocol of lab/peers, with the implementation of
// that name: it answers the lines of in until there are no more. It returns an
// error if there is no such implementation or if it cannot read or write.
func Serve(name string, in io.Reader, out io.Writer) error {
	if !slices.Contains(Local(), name) {
		return fmt.Errorf("unknown implementation %q; there are: %s", name, strings.Join(Local(), ", "))
	}
	s := &server{name: name, system: plain{}}
	defer func() { _ = s.system.close() }()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		reply, err := s.answer(strings.Fields(lines.Text()))
		if err != nil {
			reply = "error: " + err.Error()
		}
		if _, err := fmt.Fprintln(out, reply); err != nil {
			return err
		}
	}
	return lines.Err()
}

// A server keeps the system of the last run. The next run needs another one if
// it has another number of workers.
type server struct {
	name    string
	workers int
	system  system
}

func (s *server) answer(words []string) (string, error) {
	switch {
	case len(words) == 1 && words[0] == "list":
		var names []string
		for _, p := range Programs() {
			names = append(names, p.Name)
		}
		return strings.Join(names, " "), nil
	case len(words) >= 3 && len(words) <= 4 && words[0] == "run":
		return s.run(words[1], words[2], words[3:])
	}
	return "", errors.New("there are list and run WORKLOAD WORKERS [SIZE]")
}

func (s *server) run(name, workersText string, sizeText []string) (string, error) {
	all := Programs()
	at := slices.IndexFunc(all, func(p *Program) bool { return p.Name == name })
	if at < 0 {
		return "", fmt.Errorf("no workload %s", name)
	}
	p := all[at]
	workers, err := parse("workers", workersText, 0, MostWorkers)
	if err != nil {
		return "", err
	}
	size := p.usual
	if len(sizeText) > 0 {
		if size, err = parse("size", sizeText[0], 1, p.most); err != nil {
			return "", err
		}
	}
	var forks int64
	if workers > 0 {
		_, forks = p.expect(size)
	}
	if err := s.open(int(workers)); err != nil {
		return "", err
	}
	o := p.run(s.system, size)
	reply := fmt.Sprintf("%d %d %d", o.took.Nanoseconds(), o.digest, forks)
	if o.more != nil {
		reply += o.more.String()
	}
	return reply, nil
}

func (s *server) open(workers int) error {
	if workers == s.workers {
		return nil
	}
	// The old one first: it gives GOMAXPROCS back.
	err := s.system.close()
	s.workers, s.system = 0, plain{}
	if err != nil {
		return err
	}
	next, err := open(s.name, workers)
	if err == nil {
		s.workers, s.system = workers, next
	}
	return err
}

func parse(what, text string, least, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s %s is not a number from %d to %d", what, text, least, most)
	}
	return n, nil
}
