package lang

import (
	"fmt"
	"log"
	"os"

	"github.com/rouse-go/rouse/explore/drive"
)

// What ends the process would end all executions, and nobody would see which one did.

// Exit is os.Exit. In an execution it fails.
func Exit(code int) {
	if drive.Driven() {
		drive.Fail(fmt.Sprintf("os.Exit(%d)", code))
	}
	os.Exit(code)
}

// fatal logs s to l for the caller's caller, and ends the process or, in an execution, fails.
func fatal(l *log.Logger, function, s string) {
	l.Output(3, s)
	if drive.Driven() {
		drive.Fail(function + ": " + s)
	}
	os.Exit(1)
}

// Fatal, Fatalf and Fatalln are those of package log.
func Fatal(v ...any) { fatal(log.Default(), "log.Fatal", fmt.Sprint(v...)) }

func Fatalf(format string, v ...any) {
	fatal(log.Default(), "log.Fatalf", fmt.Sprintf(format, v...))
}

func Fatalln(v ...any) { fatal(log.Default(), "log.Fatalln", fmt.Sprintln(v...)) }

// A Logger is a log.Logger for what ends the process.
type Logger struct{ l *log.Logger }

// Logs returns what stands for l.
func Logs(l *log.Logger) Logger { return Logger{l} }

func (l Logger) Fatal(v ...any) { fatal(l.l, "Logger.Fatal", fmt.Sprint(v...)) }

func (l Logger) Fatalf(format string, v ...any) {
	fatal(l.l, "Logger.Fatalf", fmt.Sprintf(format, v...))
}

func (l Logger) Fatalln(v ...any) { fatal(l.l, "Logger.Fatalln", fmt.Sprintln(v...)) }
