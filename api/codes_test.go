package api_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// elsewhere are folders whose errors the interface does not answer: what runs it, the console, what works in the background,
// and tests.
var elsewhere = []string{
	"app", "app/demo", "audit", "audit/foreign", "audit/kept", "audit/reckoning", "audit/report", "cmd/...", "console/...", "internal/...", "mailer", "mailer/bounce", "mailer/letters/...", "mailer/peppol", "mailer/rest",
	"mailer/sender", "ocr/bankfile", "test/...",
}

func isElsewhere(folder string) bool {
	return slices.ContainsFunc(elsewhere, func(name string) bool {
		room, whole := strings.CutSuffix(name, "/...")
		return folder == room || whole && strings.HasPrefix(folder, room+"/")
	})
}

// commandsAlone are codes of what only commands and the console ask for, and of what a channel tells purr alone.
var commandsAlone = []string{
	"balance_changed", "fetching", "future_date", "not_a_bank_day", "invalid_shipment", "changed_meanwhile", "no_real_way", "nothing_chosen", "refused", "several_customers",
	// Of files of claims.
	"account_check", "assignment_twice", "bad_specification", "bad_text", "date_range_mismatch", "filler_not_zero", "kid_check", "mixed_assignment", "no_amount", "no_claim",
	"number_not_above", "several_files", "wrong_party",
	// Of claims, and of the bank's receipts.
	"ambiguous_claim", "claim_not_sent", "no_column", "no_kid", "other_amount", "unknown_claim", "no_titles", "numbers_exhausted", "unknown_answer", "unknown_receipt", "unknown_transmission",
}

// codePattern is the form of a code (rule D5).
var codePattern = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// TestD5EveryCodeIsShown requires each error code in the source to be in an answer of a script, and each code in an
// answer to be in the source.
func TestD5EveryCodeIsShown(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, s := range readScripts(t) {
		for _, x := range s.exchanges {
			for _, m := range shownCode.FindAllStringSubmatch(x.answer, -1) {
				shown[m[1]] = true
			}
		}
	}
	source := sourceCodes(t)
	for _, code := range slices.Sorted(maps.Keys(source)) {
		if !shown[code] {
			t.Errorf("%s can be answered (%s), but no script in testdata shows it", code, source[code])
		}
	}
	for _, code := range slices.Sorted(maps.Keys(shown)) {
		if source[code] == "" {
			t.Errorf("%s stands in an answer, but not in the source", code)
		}
	}
}

var shownCode = regexp.MustCompile(`(?:<error |\{")code"?[=:]"([a-z_]+)"`)

// sourceCodes returns the error codes in the source, and where each is made. A code is the argument for a parameter
// named code, or the field Code of an error.
func sourceCodes(t *testing.T) map[string]string {
	t.Helper()
	r := codeReader{t: t, files: token.NewFileSet(), takes: map[string][]signature{}, constants: map[string]string{}, found: map[string]string{}}
	var files []*ast.File
	must(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || isElsewhere(folder) {
			return nil
		}
		file, err := parser.ParseFile(r.files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
		r.declarations(file)
		return nil
	}))
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool { return r.visit(file, n) })
	}
	for _, code := range commandsAlone {
		if _, found := r.found[code]; !found {
			t.Errorf("%s, a code of commands, is not in the source", code)
		}
		delete(r.found, code)
	}
	return r.found
}

// codeReader finds the codes of a source.
type codeReader struct {
	t         *testing.T
	files     *token.FileSet
	takes     map[string][]signature // by function
	constants map[string]string      // by name
	found     map[string]string      // by code, where it is made
}

// signature tells a function that takes a code from other functions of the same name.
type signature struct {
	code        int // which parameter is the code
	least, most int // how many arguments there may be
}

// warnings are functions whose codes are those of warnings, which are no errors.
var warnings = []string{"warn", "warnAt"}

// declarations notes the functions of a file that take a code, and its constants.
func (r *codeReader) declarations(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if sig, takes := signatureOf(d.Type); takes && !slices.Contains(warnings, d.Name.Name) {
				name := inPackage(file, d.Name.Name)
				r.takes[name] = append(r.takes[name], sig)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, is := spec.(*ast.ValueSpec); is && d.Tok == token.CONST && len(v.Values) == len(v.Names) {
					for i, name := range v.Names {
						if text, is := literal(v.Values[i]); is {
							r.constants[name.Name] = text
						}
					}
				}
			}
		}
	}
}

// signatureOf returns the signature of a function, and reports whether it takes a code.
func signatureOf(f *ast.FuncType) (sig signature, takesCode bool) {
	for _, field := range f.Params.List {
		for _, name := range field.Names {
			if name.Name == "code" {
				sig.code, takesCode = sig.least, true
			}
			sig.least++
		}
		sig.most = sig.least
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			sig.least, sig.most = sig.least-1, math.MaxInt
		}
	}
	return sig, takesCode
}

// inPackage returns the name of a function, with its package's where it can be called there only.
func inPackage(file *ast.File, function string) string {
	if ast.IsExported(function) {
		return function
	}
	return file.Name.Name + "." + function
}

func (r *codeReader) visit(file *ast.File, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		for _, sig := range r.takes[inPackage(file, lastName(n.Fun))] {
			if len(n.Args) >= sig.least && len(n.Args) <= sig.most {
				r.note(n.Args[sig.code])
				break
			}
		}
	case *ast.CompositeLit:
		r.literal(n, n.Type)
	}
	return true
}

// literal notes the code of an error that is written out, or those of several.
func (r *codeReader) literal(l *ast.CompositeLit, of ast.Expr) {
	list, several := of.(*ast.ArrayType)
	for _, e := range l.Elts {
		switch e := e.(type) {
		case *ast.CompositeLit:
			if several && e.Type == nil {
				r.literal(e, list.Elt)
			}
		case *ast.KeyValueExpr:
			if strings.HasSuffix(strings.ToLower(lastName(of)), "error") && lastName(e.Key) == "Code" {
				r.note(e.Value)
			}
		}
	}
}

// note takes an expression that is a code. A code that is passed on, a parameter or a field of that name, is found
// where it is made.
func (r *codeReader) note(e ast.Expr) {
	code, is := literal(e)
	if !is {
		name := lastName(e)
		if strings.EqualFold(name, "code") {
			return
		}
		code = r.constants[name]
	}
	at := r.files.Position(e.Pos())
	where := fmt.Sprintf("%s:%d", strings.TrimPrefix(filepath.ToSlash(at.Filename), "../"), at.Line)
	if !codePattern.MatchString(code) {
		r.t.Errorf("%s: this is to be a code, but it is neither a constant nor a parameter of that name", where)
		return
	}
	if r.found[code] == "" {
		r.found[code] = where
	}
}

func literal(e ast.Expr) (string, bool) {
	l, is := e.(*ast.BasicLit)
	if !is || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

// lastName returns the name of a function, a type or a field, without what it belongs to.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return lastName(e.X)
	case *ast.StarExpr:
		return lastName(e.X)
	}
	return ""
}
