package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"purr/app"
	"purr/internal/config"
	"purr/test/testkit"
)

// TestD122EveryCommandInTheDocsIsOne parses each command line of purr that the README, the docs, deploy/ and the help show, by the
// real commands and flags: the name, each flag, the value of each flag, and in a line that can be run as it stands the arguments too.
func TestD122EveryCommandInTheDocsIsOne(t *testing.T) {
	lines := 0
	for name, text := range shownTexts(t) {
		for _, l := range commandLines(text, strings.HasSuffix(name, ".md")) {
			lines++
			if fault := parseLine(l); fault != "" {
				t.Errorf("%s: purr %s: %s", name, strings.Join(l.words, " "), fault)
			}
		}
	}
	const least = 300
	if lines < least {
		t.Errorf("only %d command lines were found", lines)
	}
}

// TestD122EveryFlagAndVariableInTheDocsIsOne looks up what the docs and deploy/ name by itself.
func TestD122EveryFlagAndVariableInTheDocsIsOne(t *testing.T) {
	flags, variables, alone := map[string]bool{"help": true, "version": true}, map[string]bool{}, map[string]bool{}
	eachCommand(rootCommand(), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true; alone[f.Name] = alone[f.Name] || f.NoOptDefVal != "" })
	})
	for name := range settingNames() {
		variables[config.Variable(name)], variables[config.Variable(name)+"_FILE"] = true, true
	}
	flag, variable := regexp.MustCompile("`--([a-z][a-z0-9-]*)( (?:on|off))?"), regexp.MustCompile(`\bPURR_[A-Z_]*[A-Z]\b`)
	for name, text := range shownTexts(t) {
		for _, found := range flag.FindAllStringSubmatch(text, -1) {
			if !flags[found[1]] {
				t.Errorf("%s: no command has --%s", name, found[1])
			}
			if alone[found[1]] && found[2] != "" {
				t.Errorf("%s: the value of --%s stands after a sign =, not after a blank", name, found[1])
			}
		}
		for _, found := range variable.FindAllString(text, -1) {
			if !variables[found] && !strings.HasPrefix(found, "PURR_TEST_") && !slices.Contains([]string{"PURR_PART", "PURR_VARIABLE", "PURR_FILE"}, found) {
				t.Errorf("%s: there is no variable %s", name, found)
			}
		}
	}
}

// shownTexts are the pages of the docs, the files of deploy/, and the examples of all commands.
func shownTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, below := range []string{"README.md", "SECURITY.md", "docs", "deploy"} {
		testkit.Must(t, filepath.WalkDir(filepath.Join("..", "..", below), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || slices.Contains([]string{".png", ".json", ".svg"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			texts[path] = listed.ReplaceAllStringFunc(strings.ReplaceAll(string(text), "purr %i ", "purr worker "), func(command string) string {
				return "purr " + strings.NewReplacer(",", "", `"`, "").Replace(listed.FindStringSubmatch(command)[1])
			})
			return err
		}))
	}
	eachCommand(rootCommand(), func(c *cobra.Command) { texts["the help of "+c.CommandPath()] = "\n" + c.Example })
	return texts
}

// shownLine is a command line as a text shows it, without the program's name.
type shownLine struct {
	words []string
	whole bool // it can be run as it stands; else it may name a command alone
}

var (
	inlineCode  = regexp.MustCompile("`([^`]+)`")
	listed      = regexp.MustCompile(`(?m)^ *(?:command: |CMD )\[(.*)\]$`) // of a compose file or a Dockerfile
	continued   = regexp.MustCompile(`\\\n\s*`)
	placeholder = regexp.MustCompile(`^[A-Z][A-Z_-]*$|…|\.\.\.|^\$|%|^\[`)
	// A comment of a file has command lines indented, and mail servers have lines of their own about a pipe to purr.
	proseInComment = regexp.MustCompile(`^\s*# ?\S`)
	mailServers    = regexp.MustCompile(`^purr +unix `)
	// begins matches what may stand before the program's name in a line: a prompt, variables, another program.
	begins = regexp.MustCompile(`(?:^|[|;&(]\s*|'|exec |run --rm |ExecStart=|sudo (?:-u \S+ )?|"\$0" )((?:/usr/(?:local/)?)?(?:bin/)?purr )`)
)

// commandLines returns the command lines of purr in a text: in Markdown the lines of blocks, and code within the text.
func commandLines(text string, markdown bool) (lines []shownLine) {
	text = continued.ReplaceAllString(text, " ")
	for _, line := range strings.Split(text, "\n") {
		block := markdown && strings.HasPrefix(line, "    ") || !markdown && !proseInComment.MatchString(line)
		line = strings.TrimLeft(strings.TrimSpace(line), "#$ ")
		if block && !mailServers.MatchString(line) {
			for _, at := range begins.FindAllStringSubmatchIndex(line, -1) {
				lines = append(lines, shownLine{split(line[at[3]:]), true})
			}
			continue
		}
		for _, code := range inlineCode.FindAllStringSubmatch(line, -1) {
			if rest, is := strings.CutPrefix(strings.TrimPrefix(code[1], "bin/"), "purr "); is {
				lines = append(lines, shownLine{split(rest), false})
			}
		}
	}
	return slices.DeleteFunc(lines, func(l shownLine) bool { return len(l.words) == 0 })
}

// split takes a command line apart as a shell does, up to what ends the command.
func split(line string) (words []string) {
	word, quote, in := "", rune(0), false
	end := func() {
		if in {
			words = append(words, word)
		}
		word, in = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ':
			end()
		case strings.ContainsRune("|;&<>)#", r) && (!in || r != '#'):
			end()
			return words
		default:
			word, in = word+string(r), true
		}
	}
	end()
	return words
}

// parseLine returns what is wrong with a command line, nothing if it is one.
func parseLine(l shownLine) string {
	root := rootCommand()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	if slices.ContainsFunc(l.words[:1], placeholder.MatchString) {
		return "" // purr COMMAND --help
	}
	c, rest, err := root.Find(l.words)
	if err != nil {
		return err.Error()
	}
	c.InitDefaultHelpFlag()
	var arguments []string
	for i := 0; i < len(rest); i++ {
		name, value, given := strings.Cut(rest[i], "=")
		if !strings.HasPrefix(name, "-") || name == "-" {
			arguments = append(arguments, rest[i])
			continue
		}
		flag := lookUp(c, name)
		if flag == nil {
			return "there is no flag " + name
		}
		if !given && flag.NoOptDefVal == "" && flag.Value.Type() != "bool" {
			if i++; i == len(rest) {
				if l.whole {
					return name + " has no value"
				}
				break
			}
			value, given = rest[i], true
		}
		if given && !placeholder.MatchString(value) {
			if err := c.Flags().Set(flag.Name, value); err != nil {
				return err.Error()
			}
		}
	}
	if _, err := app.ReadSettings(c.Flags(), func(string) (string, bool) { return "", false }); err != nil {
		return err.Error()
	}
	return faultOfArguments(c, arguments, l.whole)
}

// lookUp returns the flag of a name with its dashes, nil if there is none.
func lookUp(c *cobra.Command, name string) *pflag.Flag {
	if long, is := strings.CutPrefix(name, "--"); is {
		return c.Flags().Lookup(long)
	}
	if len(name) != len("-x") {
		return nil
	}
	return c.Flags().ShorthandLookup(name[1:])
}

// faultOfArguments returns what is wrong with the arguments of a command line. A name alone may lack them; a group has none.
func faultOfArguments(c *cobra.Command, arguments []string, whole bool) string {
	if len(arguments) == 0 && !whole {
		return ""
	}
	if err := c.ValidateArgs(arguments); err != nil && !slices.ContainsFunc(arguments, placeholder.MatchString) {
		return err.Error()
	}
	return ""
}
