// Explore runs tests that call explore.Test under one schedule of their goroutines after another.
//
//	explore test [-all] [-bound n] [-budget d] [-processes n] [-rounds n] [-with module,…] [-run regexp] [-schedule s] [packages]
//
//	  -all            explore each test as if its body were in a call of explore.Test, for five seconds
//	                  or -budget, and print a line for each
//	  -bound n        run at most n preemptions in an execution; the default is no bound
//	  -budget d       the time for each explore.Test, such as 10m; 0 means no limit. The default is
//	                  what the options of the test say, or a minute
//	  -processes n    share each long exploration between n processes; one uses one processor
//	  -rounds n       let loops that give way, sleep or start timers go round n times at any moment;
//	                  after that they continue only when no other thread can
//	  -with modules   explore packages of these modules, too. Without it, a call into a module
//	                  outside the workspace is one step, and must not wait
//	  -run regexp     run only tests that match
//	  -schedule s     run only this schedule, which a failure has printed
//	  -html file      also write each failure as a page for a browser, the second one as file-2
//	  -work           keep the rewritten files, and print where they are
//
//	And these flags of go test: -C -args -count -cover -covermode -coverpkg -coverprofile -cpu -exec -failfast
//	-gcflags -json -ldflags -mod -modfile -p -parallel -short -shuffle -skip -tags -timeout -trimpath -v
//
// It copies the packages, their tests, and those of their dependencies that are in the same module or
// in the workspace, rewrites the copies, and runs go test on them: your files do not change. With
// -with it also rewrites packages of other modules. Output and exit status are those of go test; the
// status is also 1 if no test calls explore.Test.
package main

import (
	"bytes"
	"context"
	_ "embed" // of this file
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/explore/internal/pages"
	"github.com/rouse-go/rouse/explore/internal/rewrite"
)

//go:embed main.go
var source string

// usage is what the documentation above says.
var usage = func() string {
	_, text, _ := strings.Cut(source, "\n//\n//\t")
	text, _, _ = strings.Cut(text, "\n//\n// It copies")
	return "usage: " + strings.ReplaceAll(strings.ReplaceAll(text, "\n//\t", "\n"), "\n//", "\n") + "\n"
}()

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	for _, s := range endings {
		if !signal.Ignored(s) { // as nohup has it
			signal.Notify(signals, s)
		}
	}
	go func() {
		cancel(signaled{<-signals})
		<-signals // A second one waits for nothing that ignores the first.
		close(hurried)
	}()
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if by, ok := context.Cause(ctx).(signaled); ok && by.Signal != os.Interrupt {
		dieOf(by.Signal)
	}
	os.Exit(status)
}

// signaled is why a context was canceled.
type signaled struct{ os.Signal }

func (s signaled) Error() string { return s.String() }

// hurried is closed when there is no more patience.
var hurried = make(chan struct{})

// farewell is how long a command may take to end after it was told to.
var farewell = 5 * time.Second // a constant but in tests

// command returns one that can be ended with all that it starts.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = farewell
	apart(cmd)
	interrupt := cmd.Cancel
	cmd.Cancel = func() error {
		go func() {
			<-hurried
			killRest(cmd)
		}()
		return interrupt()
	}
	return cmd
}

// run returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 1 && args[0] == "toolexec" {
		return toolexec(args[1], args[2:], stdout, stderr)
	}
	if len(args) == 0 || args[0] != "test" {
		fmt.Fprint(stderr, usage)
		if len(args) > 0 && !slices.Contains([]string{"h", "help"}, strings.TrimLeft(args[0], "-")) {
			fmt.Fprintf(stderr, "explore: there is no command %q\n", args[0])
		}
		return 2
	}
	status, err := test(ctx, args[1:], stdout, stderr)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(stderr, "explore: %v\n", err)
	}
	return status
}

// options are what the flags say.
type options struct {
	with        string
	schedule    string
	page        string
	again       []string // flags that a replay needs, too
	work, all   bool
	env         []string
	build, test []string // of go list and go test, and of go test alone
	cover       []string // of go test, about coverage
	packages    []string
	args        []string // of the tests
}

// passed is a flag that go test has.
type passed struct {
	name string
	to   *[]string
	bool bool
}

func (p *passed) String() string   { return "" }
func (p *passed) IsBoolFlag() bool { return p.bool }
func (p *passed) Set(s string) error {
	*p.to = append(*p.to, "-"+p.name+"="+s)
	return nil
}

// number is a flag that the tests read as an environment variable. A replay may need it, too.
func (o *options) number(f *flag.FlagSet, name, variable string, least int, again bool) {
	f.Func(name, "", func(s string) error {
		if k, err := strconv.Atoi(s); err != nil || k < least {
			return fmt.Errorf("must be a number, at least %d", least)
		}
		o.env = append(o.env, variable+"="+s)
		if again {
			o.again = append(o.again, "-"+name+"="+s)
		}
		return nil
	})
}

func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	tags, err := o.goFlags()
	if err != nil {
		return nil, err
	}
	for i, a := range args {
		if a == "-args" || a == "--args" {
			args, o.args = args[:i], args[i:]
			break
		}
	}
	f := flag.NewFlagSet("explore test", flag.ContinueOnError)
	f.SetOutput(io.Discard) // what is wrong is printed after the usage, by run
	f.Usage = func() { fmt.Fprint(stderr, usage) }
	o.number(f, "bound", "EXPLORE_BOUND", 0, false)
	o.number(f, "processes", "EXPLORE_PROCESSES", 1, false)
	o.number(f, "rounds", "EXPLORE_ROUNDS", 0, true)
	f.Func("budget", "", func(s string) error {
		if d, err := time.ParseDuration(s); err != nil || d < 0 {
			return errors.New("must be a time such as 90s or 10m; 0 means no limit")
		}
		o.env = append(o.env, "EXPLORE_BUDGET="+s)
		return nil
	})
	f.StringVar(&o.with, "with", "", "")
	f.BoolVar(&o.work, "work", false, "")
	f.BoolVar(&o.all, "all", false, "")
	f.Func("run", "", func(s string) error { o.test = append(o.test, "-run="+s); return nil })
	f.StringVar(&o.schedule, "schedule", "", "")
	f.StringVar(&o.page, "html", "", "")
	f.Func("tags", "", func(s string) error {
		tags = s
		o.again = append(o.again, "-tags="+s)
		return nil
	})
	f.Func("C", "", func(s string) error {
		o.again = append(o.again, "-C="+s)
		return os.Chdir(s)
	})
	pass := func(to *[]string, bool bool, names ...string) {
		for _, name := range names {
			f.Var(&passed{name, to, bool}, name, "")
		}
	}
	pass(&o.test, true, "failfast", "json", "short", "v")
	pass(&o.test, false, "count", "cpu", "exec", "parallel", "shuffle", "skip", "timeout")
	pass(&o.build, true, "trimpath")
	pass(&o.build, false, "gcflags", "ldflags", "mod", "modfile", "p")
	pass(&o.cover, true, "cover")
	pass(&o.cover, false, "covermode", "coverpkg", "coverprofile")
	f.BoolFunc("race", "", func(string) error { return errors.New("data races are found without it") })
	for name, why := range map[string]string{
		"bench": "benchmarks are not explored", "fuzz": "fuzz tests are not explored; explore.Choose tries inputs",
	} {
		f.Func(name, "", func(string) error { return errors.New(why) })
	}
	f.Func("overlay", "", func(string) error { return errors.New("explore uses an overlay itself") })
	f.BoolFunc("c", "", func(string) error { return errors.New("explore runs the tests and keeps no program") })
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if o.all {
		o.again = append(o.again, "-all")
	}
	if o.with != "" {
		o.again = append(o.again, "-with="+o.with)
	}
	o.again = append(o.again, o.build...)
	all := append([]string{"explore"}, strings.Fields(strings.ReplaceAll(tags, ",", " "))...)
	o.build = append(o.build, "-tags="+strings.Join(all, ","), "-race=false")
	o.packages = f.Args()
	for _, p := range o.packages {
		if strings.HasPrefix(p, "-") {
			return nil, fmt.Errorf("%s: flags come before packages", p)
		}
	}
	if len(o.packages) == 0 {
		o.packages = []string{"."}
	}
	return o, nil
}

// goFlags notes what the environment variable GOFLAGS says of coverage, and returns the build tags
// that it has: those that are given to the go command are in place of them, as an overlay would be.
func (o *options) goFlags() (tags string, err error) {
	flags, _ := exec.Command("go", "env", "GOFLAGS").Output() // other commands say what is wrong
	for _, f := range strings.Fields(string(flags)) {
		f = strings.TrimLeft(strings.Trim(f, `'"`), "-")
		if name, value, _ := strings.Cut(f, "="); name == "tags" {
			tags = value
		} else if name == "overlay" {
			return "", errors.New("GOFLAGS has -overlay: explore uses an overlay itself")
		} else if strings.HasPrefix(name, "cover") {
			o.cover = append(o.cover, "-"+f)
		}
	}
	return tags, nil
}

// test returns the exit status, and what went wrong besides.
func test(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0, nil
	} else if err != nil {
		return 2, err
	}
	if o.page != "" {
		// Before anything can fail: an old page is not to be taken for one of this run.
		o.page, err = filepath.Abs(o.page) // tests run elsewhere
		if err := errors.Join(err, pages.Remove(o.page)); err != nil {
			return 1, err
		}
	}
	temp, err := os.MkdirTemp("", "explore")
	if err != nil {
		return 1, err
	}
	if o.work {
		fmt.Fprintf(stderr, "WORK=%s\n", temp)
	} else {
		defer os.RemoveAll(temp)
	}
	c := rewrite.Config{Flags: append([]string{"-cover=false"}, o.build...), Patterns: o.packages, Temp: temp}
	c.Go = func(args ...string) *exec.Cmd { return command(ctx, "go", args...) }
	if o.with != "" {
		c.With = strings.Split(o.with, ",")
	}
	if o.all {
		return all(ctx, o, c, stdout, stderr)
	}
	res, err := rewrite.Rewrite(c)
	if errors.Is(err, rewrite.ErrBroken) {
		// The go command says best what is wrong.
		if status := goTest(ctx, nil, o, stdout, stderr); status != 0 {
			return status, nil
		}
		return 1, err
	} else if err != nil {
		return 1, err
	}
	if !res.Explores {
		return 1, fmt.Errorf("no test of %s imports %s", strings.Join(o.packages, " "), rewrite.Module)
	}
	ran := filepath.Join(temp, "ran")
	env := append(append(res.Env, "EXPLORE_RAN="+ran, "EXPLORE_OTHERS="+strings.Join(res.Others, ", ")), o.env...)
	env = append(env, "EXPLORE_FLAGS="+words(o.again)+"\n"+words(o.args))
	if o.page != "" {
		env = append(env, "EXPLORE_HTML="+o.page)
	}
	if o.schedule != "" {
		env = append(env, "ROUSE_SCHEDULE="+o.schedule)
	}
	o.build = append(o.build, res.Flags...)
	if len(o.cover) > 0 {
		// The cover tool does not know of the overlay.
		me, err := os.Executable()
		if err != nil {
			return 1, err
		}
		quote := "'" // which the go command knows, and no escape
		if strings.Contains(me, quote) {
			quote = `"`
		}
		o.test = append(append(o.test, o.cover...), "-toolexec="+quote+me+quote+" toolexec")
		env = append(env, overlayVariable+"="+filepath.Join(temp, rewrite.Overlay))
	}
	show, end := showing(filepath.Join(temp, "progress"), stderr)
	env = append(env, show...)
	out := &watched{Writer: stdout, text: []byte("[build failed]")}
	errs := stderr
	if stderr == stdout {
		errs = out // one writer
	}
	status := goTest(ctx, env, o, out, errs)
	end()
	if status != 0 && out.seen {
		return status, errors.New("a package compiles as it is, but not when it is rewritten: " +
			"code that takes one of your mutexes, say, must be rewritten, too; name its module with -with")
	}
	tests, err := os.ReadFile(ran)
	for line := range strings.Lines(string(tests)) {
		if name, what, _ := strings.Cut(strings.TrimSpace(line), "\t"); what != "" {
			if strings.Contains(what, "MaxTime") {
				if strings.Contains(what, "more orders") {
					what += "; -bound 2 tries all with at most 2 preemptions"
				}
				what += "; -budget gives it more time"
			} else if strings.Contains(what, "rounds") {
				what += "; -rounds allows more"
			}
			fmt.Fprintf(stderr, "explore: %s: %s\n", name, what)
		}
	}
	if status == 0 && err != nil {
		return 1, errors.New("no explore.Test ran")
	}
	return status, nil
}

// words are those of a line for a shell.
func words(args []string) string {
	var line []string
	for _, a := range args {
		if strings.ContainsAny(a, " '\"$\\*?()[]{}<>|&;~#!`\n\t") {
			if runtime.GOOS == "windows" {
				a = `"` + strings.ReplaceAll(a, `"`, `\"`) + `"`
			} else {
				a = `'` + strings.ReplaceAll(a, `'`, `'\''`) + `'`
			}
		}
		line = append(line, a)
	}
	return strings.Join(line, " ")
}

// showing shows how far the tests have come, in the last line of a terminal, until end is called.
// It returns the environment by which they tell.
func showing(file string, stderr io.Writer) (env []string, end func()) {
	terminal, ok := stderr.(*os.File)
	if !ok {
		return nil, func() {}
	}
	if info, err := terminal.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil, func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second / 2)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				fmt.Fprint(terminal, "\r\x1b[K")
				return
			case <-tick.C:
			}
			if line, err := os.ReadFile(file); err == nil && len(line) > 0 {
				// The cursor stays at its begin, so that what comes next stands in its place.
				fmt.Fprintf(terminal, "\x1b[K%s\r", line)
			}
		}
	}()
	return []string{"EXPLORE_PROGRESS=" + file}, func() { close(quit); <-ended }
}

// A watched writer notes whether a line has a text.
type watched struct {
	io.Writer
	text, line []byte
	seen       bool
}

func (w *watched) Write(p []byte) (int, error) {
	w.line = append(w.line, p...)
	w.seen = w.seen || bytes.Contains(w.line, w.text)
	w.line = w.line[bytes.LastIndexByte(w.line, '\n')+1:]
	return w.Writer.Write(p)
}

// goTest runs go test and returns its exit status.
func goTest(ctx context.Context, env []string, o *options, stdout, stderr io.Writer) int {
	// Calls of vet are about the text as it was; results of other runs say nothing of
	// what is asked for here. A test beside one that explores would take part in its executions.
	args := append([]string{"test", "-vet=off", "-count=1", "-parallel=1"}, o.build...)
	args = append(append(append(args, o.test...), o.packages...), o.args...)
	cmd := command(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Start()
	if err == nil {
		end := relay(cmd)
		err = cmd.Wait()
		end()
		if ctx.Err() != nil {
			killRest(cmd)
		}
	}
	if ctx.Err() != nil {
		stderr = io.Discard // it is known why
	}
	return status(err, stderr)
}

// status returns the exit status of a command.
func status(err error, stderr io.Writer) int {
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode()
	} else if err != nil {
		fmt.Fprintf(stderr, "explore: %v\n", err)
		return 1
	}
	return 0
}

// overlayVariable is the environment variable that tells toolexec of the overlay.
const overlayVariable = "EXPLORE_OVERLAY"

// toolexec runs a tool for the go command, on rewritten files in place of those that the
// overlay replaces.
func toolexec(tool string, args []string, stdout, stderr io.Writer) int {
	if strings.TrimSuffix(filepath.Base(tool), ".exe") == "cover" {
		var overlay struct{ Replace map[string]string }
		src, err := os.ReadFile(os.Getenv(overlayVariable))
		if err == nil {
			err = json.Unmarshal(src, &overlay)
		}
		if err != nil {
			fmt.Fprintf(stderr, "explore: %v\n", err)
			return 1
		}
		for i, a := range args {
			if to, ok := overlay.Replace[a]; ok {
				args[i] = to
			}
		}
	}
	cmd := exec.Command(tool, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	return status(cmd.Run(), stderr)
}
