package forms

import (
	"io"
	"log"
	"os"
)

type server struct{ *log.Logger }

type outer struct{ server }

// Fatals returns functions that end the process, by a logger that writes nothing or without one.
func Fatals() map[string]func() {
	l := log.New(io.Discard, "", 0)
	s := &server{l}
	var v struct{ log.Logger }
	v.SetOutput(io.Discard)
	exit := os.Exit
	return map[string]func(){
		"exit":            func() { os.Exit(0) },
		"a value":         func() { exit(3) },
		"deferred":        func() { defer os.Exit(3) },
		"function":        func() { log.Fatal("function") },
		"formatted":       func() { log.Fatalf("%s", "function") },
		"a line":          func() { log.Fatalln("function") },
		"method":          func() { l.Fatal("method") },
		"goroutine":       func() { go l.Fatalf("%s", "method") },
		"method value":    func() { f := l.Fatalln; f("method") },
		"by a pointer":    func() { s.Fatal("embedded") },
		"by two":          func() { outer{*s}.Fatalf("%s", "embedded") },
		"by a value":      func() { v.Fatalln("embedded") },
		"of a field":      func() { v.Logger.Fatal("field") },
		"what is called":  func() { log.Default().Fatal("result") },
		"in an interface": func() { any(l).(*log.Logger).Fatal("asserted") },
	}
}
