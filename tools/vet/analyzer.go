package vet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Analyzer reports workers that are used outside their job, and forks that are not joined once. It has
// no flags.
var Analyzer = analyzer(poolPath, checkWorkers, "rouseworker", `report uses of a *pool.Worker outside its job, and forks that are not joined once

A worker belongs to one job and to the goroutine that runs it. A fork may run on
another worker, which it gets as a parameter. This is wrong, although it works
until another worker takes the fork:

	pool.Both(w,
		func(*pool.Worker) int { return sum(w, left) }, // w of the job around
		func(*pool.Worker) int { return sum(w, right) })

The analyzer reports

  - a worker from outside a function literal that is given one of its own;
  - a worker from outside the function of a loop or a stream of package par, which
    may be called on another worker;
  - a worker that is used on another goroutine: in a go statement, or in a function
    given to iter.Pull, time.AfterFunc, context.AfterFunc, WaitGroup.Go, RunParallel
    of a benchmark, errgroup's Go and TryGo, or singleflight's DoChan;
  - a worker that is used in the function of Worker.Block or pool.BlockHere;
  - a fork that is joined in another job than the one that forked it;
  - a fork that is never joined, or that every path to a join has joined before;
  - a worker or a fork that is sent over a channel or stored in a package variable.

A function may come by way of variables, slices and functions of the same package.
Calling Pool and comparing workers are allowed anywhere. In Block, another Block and
pool.NewContext are allowed, too.

The comment

	//lint:ignore rouseworker REASON

suppresses a report on the next line, or, after code, on its own line.`)

func checkWorkers(p *program) {
	c := &checker{away: readAway(p), roles: make(map[*types.Var]int), found: make(map[key]*capture)}
	for cur := range p.root.Preorder() {
		switch n := cur.Node().(type) {
		case *ast.Ident:
			c.ident(cur, n)
		case *ast.SendStmt:
			c.send(n)
		case *ast.AssignStmt:
			c.store(n)
		case *ast.GoStmt:
			c.start(n)
		case *ast.CallExpr:
			c.thrownAway(cur, n)
		case *ast.FuncDecl:
			c.forks(cur)
			c.unread(cur)
		case *ast.FuncLit:
			c.forks(cur)
		}
	}
	c.captures()
	slices.SortStableFunc(c.wrong, func(a, b analysis.Diagnostic) int { return cmp.Compare(a.Pos, b.Pos) })
	for _, d := range c.wrong {
		c.Report(d)
	}
}

// A checker checks one package.
type checker struct {
	*away
	roles map[*types.Var]int // of parameters
	found map[key]*capture
	wrong []analysis.Diagnostic
}

func (c *checker) add(where ast.Node, message string, fixes ...analysis.SuggestedFix) {
	c.wrong = append(c.wrong, analysis.Diagnostic{Pos: where.Pos(), End: where.End(), Message: message, SuggestedFixes: fixes})
}

// send reports a worker or a fork that is sent over a channel.
func (c *checker) send(s *ast.SendStmt) {
	if kind := stray(c.TypesInfo.TypeOf(s.Value)); kind != "" {
		c.add(s.Value, fmt.Sprintf("a %s is sent over a channel, but belongs to the job that it comes from: send data, and fork or call pool.Run where that is received", kind))
	}
}

// store reports a worker or a fork that is stored in a package variable.
func (c *checker) store(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		return
	}
	for i, left := range s.Lhs {
		v := c.variable(left)
		if v == nil || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
			continue
		}
		if len(s.Rhs) == len(s.Lhs) && c.TypesInfo.Types[s.Rhs[i]].IsNil() {
			continue
		}
		if kind := stray(v.Type()); kind != "" {
			c.add(left, fmt.Sprintf("a %s is stored in the package variable %s, but belongs to one job, and other jobs run at the same time: pass it on as a parameter, or by pool.NewContext", kind, v.Name()))
		}
	}
}

// start reports a worker that a go statement hands to a new goroutine.
func (c *checker) start(s *ast.GoStmt) {
	handed := s.Call.Args
	if method, ok := ast.Unparen(s.Call.Fun).(*ast.SelectorExpr); ok {
		handed = append([]ast.Expr{method.X}, handed...)
	}
	for _, e := range handed {
		if isWorker(c.TypesInfo.TypeOf(e)) {
			c.add(e, onGoroutine(types.ExprString(e)))
		}
	}
}

func onGoroutine(name string) string {
	return "the worker " + name + " is used on another goroutine than that of its job: fork instead, or call pool.Run on that goroutine"
}
