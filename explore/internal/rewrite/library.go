package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The standard library is not rewritten. What its functions read and write of what they are given
// is told where they are called.

// unguarded are types of which threads share no value without a lock, and those of their methods
// that only read.
var unguarded = map[string]string{
	"bufio.Reader":          "Buffered Size",
	"bufio.Scanner":         "Bytes Err Text",
	"bufio.Writer":          "Available AvailableBuffer Buffered Size",
	"bytes.Buffer":          "Available AvailableBuffer Bytes Cap Len Peek String",
	"bytes.Reader":          "Len ReadAt Size",
	"container/list.List":   "Back Front Len",
	"encoding/csv.Reader":   "FieldPos InputOffset",
	"encoding/csv.Writer":   "",
	"encoding/json.Decoder": "Buffered InputOffset",
	"encoding/json.Encoder": "",
	"hash/maphash.Hash":     "Seed",
	"net/http.Header":       "Clone Get Values Write WriteSubset",
	"net/url.Values":        "Encode Get Has",
	"strings.Builder":       "Cap Len String",
	"strings.Reader":        "Len ReadAt Size",
	"text/tabwriter.Writer": "",
}

// arguments says what functions do with the elements of the slices and maps that they are given,
// and with what is unguarded: r, they read, w, they write, o, they change the order. The last letter is
// of all that follow.
var arguments = map[string]string{
	"bytes.Clone": "r", "bytes.Compare": "r", "bytes.Contains": "r", "bytes.Equal": "r", "bytes.Index": "r",
	"encoding/json.Marshal": "r", "encoding/json.MarshalIndent": "r-",
	"fmt.Fprint": "wr", "fmt.Fprintf": "w-r", "fmt.Fprintln": "wr",
	"fmt.Print": "r", "fmt.Printf": "-r", "fmt.Println": "r",
	"fmt.Sprint": "r", "fmt.Sprintf": "-r", "fmt.Sprintln": "r", "fmt.Errorf": "-r",
	"io.Copy": "w", "io.CopyN": "ww-", "io.ReadAll": "w", "io.ReadFull": "w", "io.WriteString": "w-",
	"maps.All": "r", "maps.Clone": "r", "maps.Copy": "wr", "maps.Equal": "r", "maps.Keys": "r", "maps.Values": "r",
	"slices.Clone": "r", "slices.Concat": "r", "slices.Contains": "r", "slices.ContainsFunc": "r-", "slices.Equal": "r",
	"slices.Index": "r", "slices.IndexFunc": "r-", "slices.Max": "r", "slices.Min": "r",
	"slices.Reverse": "o", "slices.Sort": "o", "slices.SortFunc": "o-", "slices.SortStableFunc": "o-",
	"sort.Float64s": "o", "sort.Ints": "o", "sort.Slice": "o-", "sort.SliceStable": "o-", "sort.Strings": "o",
	"strings.Join": "r-",
}

// library tells of what the call of a function or a method of the standard library reads and
// writes. If it is called later, or begins to look later, that is not known.
func (r *rewriter) library(n *ast.CallExpr) {
	s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch r.parents[n].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return
	}
	full := r.fullName(s.Sel)
	if sel := r.info.Selections[s]; sel != nil {
		dot := strings.LastIndexByte(full, '.')
		if reads, ok := unguarded[full[:max(dot, 0)]]; ok && sel.Kind() == types.MethodVal {
			r.unguardedCall(n, s, sel, !slices.Contains(strings.Fields(reads), full[dot+1:]))
		}
		return
	}
	modes := arguments[full]
	if modes == "" || r.isLazy(n, full) {
		return
	}
	for i, a := range n.Args {
		if m := modes[min(i, len(modes)-1)]; m != '-' && !r.info.Types[a].IsNil() {
			r.argument(n, i, full, m)
		}
	}
}

// verbless finds verbs that look at no elements.
var verbless = regexp.MustCompile("%[^a-zA-Z%]*[pT]")

// isLazy reports whether the function begins to look later.
func (r *rewriter) isLazy(n *ast.CallExpr, full string) bool {
	switch full {
	case "maps.All", "maps.Keys", "maps.Values":
		switch p := r.parents[n].(type) {
		case *ast.RangeStmt:
			return n != p.X
		case *ast.CallExpr:
			return n == p.Fun
		}
		return true
	case "fmt.Errorf", "fmt.Fprintf", "fmt.Printf", "fmt.Sprintf": // or looks at the address alone
		i := 0
		if full == "fmt.Fprintf" {
			i = 1
		}
		if len(n.Args) <= i {
			return true
		}
		v := r.info.Types[n.Args[i]].Value
		if v == nil || v.Kind() != constant.String {
			return true
		}
		format := constant.StringVal(v)
		return verbless.MatchString(format)
	}
	return false
}

// unguardedCall tells of the call of a method.
func (r *rewriter) unguardedCall(n *ast.CallExpr, s *ast.SelectorExpr, sel *types.Selection, write bool) {
	path, name, pointer := r.pathOf(sel)
	text := ", " + strconv.Quote(name)
	switch {
	case len(sel.Index()) == 1:
		text, pointer = r.namedWhole(s.X), isPointer(sel.Recv())
	case path == "":
		return
	case r.embedded(s, sel) != nil: // implicit has put it there
		path = ""
	}
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	if _, ok := recv.Underlying().(*types.Map); ok {
		if !pointer && path == "" {
			r.tell(s.X, n.Args, "Map(", text, write)
		}
		return
	}
	begin := "Whole("
	if !pointer {
		begin += "&"
	}
	r.tell(s.X, n.Args, begin, path+text, write)
}

// argument tells of the i-th argument of a call.
func (r *rewriter) argument(n *ast.CallExpr, i int, full string, mode byte) {
	a, write := n.Args[i], mode != 'r'
	t := r.info.TypeOf(a)
	for _, m := range []string{"String", "Error", "Format", "GoString", "MarshalJSON", "MarshalText"} {
		if f, _, _ := types.LookupFieldOrMethod(t, true, r.pkg, m); f != nil && !write {
			return
		}
	}
	if p, ok := r.parameter(n, i).Underlying().(*types.Interface); ok && write && p.NumMethods() > 0 && !isPointer(t) {
		return // a Writer or a Reader, which has methods of the user's own
	}
	switch u := under(t).(type) {
	case *types.Slice:
		if _, ok := u.Elem().Underlying().(*types.Basic); ok || !strings.HasPrefix(full, "encoding/json.") {
			begin := "Slice("
			if mode == 'o' {
				begin = "Order("
			}
			r.tell(a, n.Args[i+1:], begin, r.elements(a), write)
		}
	case *types.Map:
		r.tell(a, n.Args[i+1:], "Map(", r.named(a), write)
	case *types.Pointer:
		if _, ok := unguarded[types.TypeString(u.Elem(), nil)]; ok && write {
			r.tell(a, n.Args[i+1:], "Whole(", r.namedWhole(a), true)
		}
	}
}

// parameter returns the type of the one that the i-th argument is for.
func (r *rewriter) parameter(n *ast.CallExpr, i int) types.Type {
	all := r.info.TypeOf(n.Fun).(*types.Signature).Params()
	return all.At(min(i, all.Len()-1)).Type()
}

// namedWhole is the argument that gives the name of what e is, or points to.
func (r *rewriter) namedWhole(e ast.Expr) string {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); !isPointer(r.info.TypeOf(e)) || ok && u.Op == token.AND {
		return r.named(e)
	}
	return r.named(&ast.StarExpr{X: e})
}

// tell tells of what a call does with what e is, when all that follows in it has been computed.
// What makes a place of it are begin and end.
func (r *rewriter) tell(e ast.Expr, rest []ast.Expr, begin, end string, write bool) {
	does, then := "Read", "ThenRead"
	if write {
		does, then = "Write", "Then"
	}
	var last ast.Expr
	for _, x := range rest {
		if r.busy(x) {
			last = x
		}
	}
	if last == nil {
		r.around(e, lang+"."+does+begin, end+")")
		return
	}
	if _, tuple := r.info.TypeOf(last).(*types.Tuple); tuple || r.busy(e) {
		return
	}
	r.aroundValue(last, then, lang+".At"+begin+r.now(e)+end+")")
}
