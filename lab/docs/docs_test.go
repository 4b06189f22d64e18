package docs_test

import (
	"go/scanner"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/docs"
	"github.com/rouse-go/rouse/lab/internal/planted"
)

// sound is a tree in which everything that is pointed at exists.
var sound = map[string]string{
	"README.md": "# Top\n\n[api](api/README.md#the-word-of-it) [here](#top) [dir](/api) [web](https://example.com/no#x)\n\n" +
		"![image](pic.png) <https://example.com> [mail](mailto:a@example.com) [again](#the_word-1)\n\n" +
		"## The_Word 1!\n\n" +
		"`api.Deque` `api.New[int]()` `api.Deque.Push` `Deque.Push(x)` `*Deque.size` `api.Max` `d.Push` `fmt.Nothing`\n" +
		"`Embeds.Anything` `Alias.Load` `deque.go` `Thread.yield` `api.Var.field` `sync.Pool` `a b.C`\n\n" +
		"```go\napi.Gone()\n```\n",
	"pic.png":    "",
	"api/go.mod": "module example.com/api\n",
	"api/README.md": "# api\n\n## The *word* of `it`\n\n- **A1** Push.\n- B2: announce.\n\n| who | step |\n|---|---|\n| x | `Z9`, announce |\n\n" +
		"T3 Begins a paragraph.\nS4 Begins a sentence.\nIt, **O5**, is bold.\n\n### R4: a heading\n",
	"api/api.go": `// Package api is small. See [Deque], [Deque.Push], [New], [Max], [*Deque],
// [fmt.Nothing] and [api.Var].
//
//   - C1. A rule.
//   - D12. Another.
package api

import "sync/atomic"

// A1, B2, T3, S4, O5, R4, C1, D12. No
// labels are xA7, A7x, A0 and utf8.
type Deque[T any] struct{ size int }

// Push is [Deque.size].
func (d *Deque[T]) Push(x T) {}

func New[T any]() *Deque[T] { return nil }

const Max, secret = 1, 2

var Var struct{ field int }

type Embeds struct{ atomic.Bool }

type Alias = atomic.Bool
`,
	"other/go.mod":   "module example.com/other\n",
	"user/go.mod":    "module example.com/user\n",
	"user/README.md": "## Elsewhere\n\nAs [api](../api/README.md) has it.\nIt keeps Z8.\nBy Z8 it does.\nZ8 is met.\n\n- as Z8 says\n\n| A1 | It pushes |\n|---|---|\n| C1 | It holds |\n",
	"user/u.go": `package user

import "example.com/api"

// C1 is in api, B2 on its page. See [api.Deque.Push]. The module has a rule:
//
//   - D11. A rule of its own.
var _ api.Deque[int]
`,
	"user/testdata/x.go": "package x // C99\n",
	"api/api_test.go": `package api

func TestRule(t T)     { t.Error("C1: it is broken") }
func TestName(t T)     { t.Errorf("Deque.Push: %d", 1) }
func TestPackage(t T)  { t.Errorf("package api: it is broken") }
func TestHeading(t T)  { t.Fatal("The word of it: it is not kept") }
func TestByHelper(t T) { help(t, 1) }
func TestByTable(t T)  { for _, c := range table { t.Run(c, nil) } }
func TestOfHelp(t T)   { t.Fatalf("help: it does not") }
func TestMain(m M)     {}

func help(t T, n int) { t.Fatalf("D12: %d", n) }

var table = []string{"Max: 3"}
`,
	"examples/new/go.mod":    "module example.com/examples/new\n",
	"examples/new/x_test.go": test("TestX", `t.Error("it is broken")`),
}

// check returns what is found in the sound tree with some files replaced.
func check(t *testing.T, changes map[string]string) string {
	t.Helper()
	dir := planted.Tree(t, sound)
	planted.Into(t, dir, changes)
	var lines strings.Builder
	scanner.PrintError(&lines, docs.Check(dir))
	return lines.String()
}

// test is a file of package api with one test.
func test(name, body string) string {
	return "package api\n\nfunc " + name + "(t T) { " + body + " }\n"
}

func uncited(name string) string {
	return "api/x_test.go:3: no message of " + name + " begins with a rule's label, or with a name or heading of the module and a colon"
}

// A false alarm is as bad as a miss: a check that raises them is turned off.
func TestSound(t *testing.T) {
	if got := check(t, nil); got != "" {
		t.Errorf("found in a sound tree:\n%s", got)
	}
}

func TestFindings(t *testing.T) {
	for name, test := range map[string]struct{ file, content, want string }{
		"file":            {"x.md", "\n[a](gone.md)\n", "x.md:2: link gone.md: there is no gone.md"},
		"image":           {"user/x.md", "![a](../gone.png)\n", "user/x.md:1: link ../gone.png: there is no gone.png"},
		"anchor":          {"x.md", "[a](api/README.md#the-words)\n", "x.md:1: link api/README.md#the-words: api/README.md has no heading with this anchor"},
		"own anchor":      {"x.md", "# A\n\n[a](#b)\n", "x.md:3: link #b: x.md has no heading with this anchor"},
		"reference":       {"x.md", "[a][r]\n\n[r]: gone\n", "x.md:1: link gone: there is no gone"},
		"out of the tree": {"x.md", "[a](../x)\n", "x.md:1: link ../x: it leads out of the repository"},

		"broken line":   {"x.md", "\n* It ends\n  later.\n", "x.md:2: the line ends in the middle of a sentence"},
		"two sentences": {"x.md", "First:\nIt ends. It begins.\n", "x.md:2: the line has two sentences"},

		"package level":    {"x.md", "A:\n`api.Gone()`\n", "x.md:2: `api.Gone()`: package api has no such name"},
		"member":           {"x.md", "`api.Deque.Gone`\n", "x.md:1: `api.Deque.Gone`: package api has no such name"},
		"method":           {"x.md", "`Deque.Pop`\n", "x.md:1: `Deque.Pop`: type Deque has no such field or method"},
		"type":             {"x.md", "`Stack.Pop`\n", "x.md:1: `Stack.Pop`: there is no type Stack"},
		"label":            {"user/x.go", "package user\n\n// See C2.\n", "user/x.go:3: no page of user says what C2 means, nor does api"},
		"step not linked":  {"other/x.go", "package other // A1\n", "other/x.go:1: no page of other says what A1 means, nor does api"},
		"step elsewhere":   {"user/x.go", "package user\n\n\n// A7\n", "user/x.go:4: no page of user says what A7 means, nor does api"},
		"rule elsewhere":   {"api/x.go", "package api\n\n// D11\n", "api/x.go:3: no page of api says what D11 means, nor does api"},
		"two steps":        {"user/x.md", "- **A1** Pop.\n", "user/x.md:1: A1 has another meaning in api/README.md"},
		"step and rule":    {"user/x.md", "\n- C1: it pops.\n", "user/x.md:2: C1 has another meaning in api/api.go"},
		"a sentence":       {"user/x.md", "First.\nS4 Pop.\n", "user/x.md:1: S4 has another meaning in api/README.md"},
		"two rules":        {"user/x.go", "package user\n\n// Rules:\n//\n//   - C1. It pops.\n", "user/x.go:3: C1 has another meaning in api/api.go"},
		"label in a test":  {"user/x_test.go", "package user // D13\n", "user/x_test.go:1: no page of user says what D13 means, nor does api"},
		"only mentioned":   {"user/x.go", "package user // Z8\n", "user/x.go:1: no page of user says what Z8 means, nor does api"},
		"only in a table":  {"api/x.go", "package api // Z9\n", "api/x.go:1: no page of api says what Z9 means, nor does api"},
		"unparsable":       {"x.go", "no Go", "x.go:1:1: expected 'package', found no"},
		"doc link":         {"api/x.go", "package api\n\n// F is [G].\nfunc F() {}\n", "api/x.go:3: doc link to api.G: package api has no such name"},
		"doc link, method": {"api/x.go", "package api\n\n// F is [Push].\nfunc F() {}\n", "api/x.go:3: doc link to api.Push: package api has no such name"},
		"doc link, field":  {"api/x.go", "package api\n\ntype S struct {\n\t// A is [Deque.Gone].\n\tA int\n}\n", "api/x.go:4: doc link to api.Deque.Gone: package api has no such name"},
		"doc link, module": {"user/x.go", "package user\n\nimport \"example.com/api\"\n\n// V is in a list:\n//   - [api.Gone]\nvar V int\n", "user/x.go:5: doc link to api.Gone: package api has no such name"},

		"test without promise":   {"api/x_test.go", test("TestX", `t.Error("it is broken")`), uncited("TestX")},
		"test of another name":   {"api/x_test.go", test("TestX", `t.Error("Gone: it is broken")`), uncited("TestX")},
		"test of what is inside": {"api/x_test.go", test("TestX", `t.Error("secret: it is broken")`), uncited("TestX")},
		"test of another page":   {"api/x_test.go", test("TestX", `t.Error("Elsewhere: it is broken")`), uncited("TestX")},
		"test of another member": {"api/x_test.go", test("TestX", `t.Error("Deque.Gone: it is broken")`), uncited("TestX")},
		"test of no rule":        {"api/x_test.go", test("TestX", `t.Error("C2: it is broken")`), uncited("TestX")},
		"test with a panic":      {"api/x_test.go", test("TestX", `t.Error("panicked with", "api: it is broken")`), uncited("TestX")},
		"test beside its helper": {"api/x_test.go", test("TestX", `help(t, 1); t.Error("it is broken")`), uncited("TestX")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := check(t, map[string]string{test.file: test.content}); got != test.want+"\n" {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}
