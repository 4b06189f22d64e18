//go:build explore

package explore

import (
	"fmt"
	"path"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rouse-go/rouse/explore/drive"
)

// longest is how long a value is shown, at most.
const longest = 40

func cutShort(s string) string {
	if utf8.RuneCountInString(s) <= longest {
		return s
	}
	return string([]rune(s)[:longest-1]) + "…"
}

// show makes a text of a value: of pointers, which differ from run to run, by
// numbers. It calls no method of the program's: there is no execution any more.
func (n *namer) show(x any) string {
	switch x := x.(type) {
	case nil:
		return "nil"
	case drive.Text:
		return string(x)
	case func() any: // a write of which nothing came
		return "?"
	case time.Time: // virtual: an execution begins at midnight
		return x.UTC().Format("15:04:05.999999999")
	case time.Duration:
		return x.String()
	case error:
		if p := path.Base(packageOf(reflect.TypeOf(x))); p == "errors" || p == "context" {
			return cutShort(fmt.Sprintf("%q", x.Error()))
		}
	}
	return cutShort(n.value(reflect.ValueOf(x)))
}

func packageOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath()
}

func (n *namer) value(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.Bool:
		return fmt.Sprint(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprint(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if u := v.Uint(); u >= 1<<16 {
			return fmt.Sprintf("%#x", u)
		}
		return fmt.Sprint(v.Uint())
	case reflect.Float32, reflect.Float64:
		return fmt.Sprint(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(v.Complex())
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Interface:
		return n.value(v.Elem())
	case reflect.Pointer, reflect.Chan, reflect.Map, reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			return "nil"
		}
		if v.Kind() == reflect.Func {
			return "func"
		}
		p := v.Pointer()
		if n.pointers[p] == 0 {
			n.pointers[p] = len(n.pointers) + 1
		}
		return fmt.Sprintf("p%d", n.pointers[p])
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		return fmt.Sprintf("%s of %d", v.Type(), v.Len()) // the elements may have changed since
	case reflect.Array:
		var all []string
		for i := range min(v.Len(), longest) {
			all = append(all, n.value(v.Index(i)))
		}
		return "[" + strings.Join(all, " ") + "]"
	case reflect.Struct:
		var all []string
		for i := range v.NumField() {
			all = append(all, n.value(v.Field(i)))
		}
		return "{" + strings.Join(all, " ") + "}"
	}
	return v.Type().String()
}
