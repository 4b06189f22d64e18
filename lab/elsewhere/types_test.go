package elsewhere

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

func TestTypes(t *testing.T) {
	for name, c := range map[string]struct{ platform, file, content, want string }{
		"sound":               {"darwin/arm64", "x.go", "const Max = 1 << 40; var Int int = Max", ""},
		"too wide":            {"linux/386", "x.go", "const Max = 1 << 40; var Int int = Max", "linux/386: "},
		"of another platform": {"darwin/arm64", "x_windows.go", `var Int int = "1"`, "no Go files"},
		"in a function":       {"darwin/arm64", "x.go", `func Int() int { return "1" }`, "x.go:3:25: "},
		"of that platform":    {"windows/amd64", "x_windows.go", `var Int int = "1"`, "x_windows.go:3:15: "},
		"without its tag":     {"linux/amd64", "x_tag.go", `var Int int = "1"`, "no Go files"},
		"with its tag":        {"linux/amd64,other,tag", "x_tag.go", `var Int int = "1"`, "x_tag.go:5:15: "},
		"a test":              {"windows/amd64", "x_test.go", `import "syscall"; var _ = syscall.SYS_READ`, "x_test.go:3:35: undefined: syscall.SYS_READ"},
		"an import":           {"darwin/arm64", "x.go", `import _ "no/such/package"`, "no/such/package"},
		"no platform":         {"darwin", "x.go", "var Int int", `unknown platform "darwin"`},
		"no such platform":    {"vax/vms", "x.go", "var Int int", "vax/vms"},
	} {
		t.Run(name, func(t *testing.T) {
			content := "package x\n\n" + c.content + "\n"
			if c.file == "x_tag.go" {
				content = "//go:build tag\n\n" + content
			}
			dir := planted.Tree(t, map[string]string{"go.mod": "module example.org/x\n\ngo 1.25.0\n", c.file: content})
			err := Types(t.Context(), dir, []string{"GOWORK=off"}, c.platform, "./...")
			if c.want == "" && err != nil {
				t.Errorf("types: %v", err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("types: error %v, want one with %q", err, c.want)
			}
		})
	}
}
