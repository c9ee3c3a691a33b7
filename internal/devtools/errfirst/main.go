// Command errfirst reports values that are used before the error that came with them was looked at. "make lint" runs it.
package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/singlechecker"
)

func main() { singlechecker.Main(analyzer) }

var analyzer = &analysis.Analyzer{
	Name: "errfirst",
	Doc: `report values that are used before the error that came with them was looked at

After "x, err := f()" the next thing to be looked at is err: until it has been read, x must not be used. What is
allowed is to pass both on, the value as it is or converted: "return x, err", or "g(int64(x), err)". What the standard library returns beside an
error on purpose, such as the number of bytes that were read before it, is left alone.`,
	Run: run,
}

func run(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			if assign, ok := n.(*ast.AssignStmt); ok {
				check(pass, assign, stack)
			}
			return true
		})
	}
	return nil, nil //nolint:nilnil // the analyzer has no result
}

// check reports the values of the assignment that are used before its error is read.
func check(pass *analysis.Pass, assign *ast.AssignStmt, stack []ast.Node) {
	last := len(assign.Lhs) - 1
	if last < 1 || len(assign.Rhs) != 1 || partial(pass, assign.Rhs[0]) {
		return
	}
	err := variable(pass, assign.Lhs[last])
	if err == nil || !types.Identical(err.Type(), types.Universe.Lookup("error").Type()) {
		return
	}
	for _, value := range assign.Lhs[:last] {
		if v := variable(pass, value); v != nil {
			s := search{pass: pass, value: v, err: err}
			s.after(assign, stack)
			if s.found != nil {
				pass.Reportf(s.found.Pos(), "%s is used before the error that came with it was looked at", v.Name())
			}
		}
	}
}

// partial reports whether the expression is a call into the standard library that returns something of use beside
// its error: how much was read or written, or what was read before the end.
func partial(pass *analysis.Pass, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return true // no call: nothing fails
	}
	var name *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return false
	}
	f, ok := pass.TypesInfo.Uses[name].(*types.Func)
	if !ok {
		return false
	}
	switch f.Name() {
	case "Read", "ReadAt", "ReadFrom", "Write", "WriteAt", "WriteString", "WriteTo":
		return f.Signature().Recv() != nil
	}
	return f.Pkg() != nil && (f.Pkg().Path() == "io" || f.Pkg().Path() == "bufio")
}

// variable returns the variable that the expression names, nil where it names none.
func variable(pass *analysis.Pass, e ast.Expr) *types.Var {
	name, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || name.Name == "_" {
		return nil
	}
	v, _ := pass.TypesInfo.ObjectOf(name).(*types.Var)
	return v
}

// search walks in the order of execution from an assignment to what comes first: a use of the value or a look at the
// error.
type search struct {
	pass       *analysis.Pass
	value, err *types.Var
	found      ast.Node // the use of the value
	done       bool     // there is nothing more to find
}

// after walks through what runs after the assignment: the rest of each block around it, from the inside out.
func (s *search) after(assign ast.Node, stack []ast.Node) {
	inner := assign
	for i := len(stack) - 1; i >= 0 && !s.done; i-- {
		switch outer := stack[i].(type) {
		case *ast.BlockStmt:
			s.rest(outer.List, inner)
		case *ast.CaseClause:
			s.rest(outer.Body, inner)
		case *ast.CommClause:
			s.rest(outer.Body, inner)
		case *ast.IfStmt:
			if outer.Init == inner {
				s.walk(outer.Cond)
				s.walk(outer.Body)
				s.walk(outer.Else)
			}
		case *ast.SwitchStmt:
			if outer.Init == inner {
				s.walk(outer.Tag)
				s.walk(outer.Body)
			}
		case *ast.ForStmt:
			if outer.Init == inner || outer.Post == inner {
				s.walk(outer.Cond)
				s.walk(outer.Body)
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return
		}
		inner = stack[i]
	}
}

// rest walks through the statements of the list that come after one of them.
func (s *search) rest(list []ast.Stmt, one ast.Node) {
	reached := false
	for _, stmt := range list {
		if reached {
			s.walk(stmt)
			switch stmt.(type) {
			case *ast.ReturnStmt, *ast.BranchStmt:
				s.done = true
			}
		}
		if s.done {
			return
		}
		reached = reached || stmt == one
	}
}

// walk walks through a node, which may be nil.
func (s *search) walk(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if s.done {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			s.assign(n)
			return false
		case *ast.ReturnStmt:
			s.together(n.Results)
		case *ast.CallExpr:
			s.together(n.Args)
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				s.together(terms(n))
			}
		case *ast.Ident:
			switch s.pass.TypesInfo.Uses[n] {
			case s.value:
				s.found, s.done = n, true
			case s.err:
				s.done = true
			}
		}
		return !s.done
	})
}

// assign walks through an assignment: what is assigned comes first. A new value ends the search.
func (s *search) assign(a *ast.AssignStmt) {
	for _, e := range a.Rhs {
		s.walk(e)
	}
	for _, e := range a.Lhs {
		if s.done {
			return
		}
		if v := variable(s.pass, e); v != nil && (v == s.value || v == s.err) {
			s.done = true
			return
		}
		s.walk(e)
	}
}

// together walks through expressions of which one passes on the error. The value itself may be passed on with it.
func (s *search) together(list []ast.Expr) {
	if !slices.ContainsFunc(list, s.readsError) {
		return
	}
	for _, e := range list {
		if variable(s.pass, s.unconverted(e)) != s.value {
			s.walk(e)
		}
	}
}

// unconverted returns what the expression converts to another type, or the expression.
func (s *search) unconverted(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && s.pass.TypesInfo.Types[call.Fun].IsType() {
		return call.Args[0]
	}
	return e
}

// terms returns what a condition compares and combines.
func terms(condition ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(condition).(*ast.BinaryExpr); ok {
		return append(terms(b.X), terms(b.Y)...)
	}
	return []ast.Expr{condition}
}

// readsError reports whether the expression reads the error.
func (s *search) readsError(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		found = found || ok && s.pass.TypesInfo.Uses[name] == s.err
		return !found
	})
	return found
}
