package openapi

import (
	"regexp"
	"strings"
)

// escapes are what XML Schema and ECMA-262 mean by different signs, or by the same in different ways.
var escapes = map[byte]string{'d': `\p{Nd}`, 'D': `\P{Nd}`, 's': `[ \t\n\r]`, 'S': `[^ \t\n\r]`}

// inClass are the same inside of a class.
var inClass = map[byte]string{'d': `\p{Nd}`, 'D': `\P{Nd}`, 's': ` \t\n\r`, 'S': `\S`}

// ecma returns a pattern of XML Schema as one of ECMA-262 with the flag u, without anchors. It reports false for what that cannot say: the
// names of XML, and classes that are taken from others.
func ecma(pattern string) (string, bool) {
	var b strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\':
			i++
			said, other := escapes[pattern[i]], strings.IndexByte("icICwW", pattern[i]) >= 0
			if class {
				said = inClass[pattern[i]]
			}
			if other {
				return "", false
			}
			if said == "" {
				said = pattern[i-1 : i+1]
			}
			if pattern[i] == '-' && !class {
				said = "-"
			}
			b.WriteString(said)
		case class && c == '[':
			return "", false
		case !class && (c == '^' || c == '$'):
			b.WriteString(`\` + string(c))
		default:
			class = (class || c == '[') && c != ']'
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// anyOf returns the pattern of texts that one of the alternatives matches as a whole, "" if one of them cannot be said or there is none.
func anyOf(alternatives []string) string {
	if len(alternatives) == 0 {
		return ""
	}
	whole := "^(?:" + strings.Join(alternatives, "|") + ")$"
	if _, err := regexp.Compile(whole); err != nil {
		return ""
	}
	return whole
}
