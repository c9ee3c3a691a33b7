package dunning

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"purr/models"
)

// Origin says where a figure of the rules comes from.
type Origin string

// The origins. Of figures of one kind and date a later origin takes the place of an earlier one, but for a
// creditor's own, which only go on where the others end.
const (
	FromProgram      Origin = "program"      // built in
	FromFile         Origin = "file"         // of the operator's folder
	FromInstallation Origin = "installation" // set for all creditors
	FromCreditor     Origin = "creditor"     // set for this one
)

// Figure is one figure of the law, as it was given.
type Figure struct {
	Kind   models.RuleKind
	From   models.Date // the first day on which it holds
	Value  string
	Source string
	Origin Origin

	place string // where it stands, for faults
}

// figures are the figures of each kind by date, one for each.
type figures map[models.RuleKind][]Figure

// put returns the figures with another in its place.
func (f figures) put(one Figure) figures {
	kind := slices.Clone(f[one.Kind])
	at, taken := slices.BinarySearchFunc(kind, one, func(a, b Figure) int { return cmp.Compare(a.From, b.From) })
	if taken {
		kind[at] = one
	} else {
		kind = slices.Insert(kind, at, one)
	}
	more := maps.Clone(f)
	more[one.Kind] = kind
	return more
}

// lastFrom returns the day of the last figure of a kind, zero where there is none.
func (f figures) lastFrom(kind models.RuleKind) models.Date {
	if len(f[kind]) == 0 {
		return 0
	}
	return f[kind][len(f[kind])-1].From
}

// compile reads the figures. It fails with every one that cannot be read.
func compile(f figures) (*Rules, error) {
	c := compiler{figures: f}
	rules := &Rules{
		figures:      f,
		interest:     series(&c, models.RuleLateInterest, parseRate),
		inkassosats:  series(&c, models.RuleInkassosats, atLeast(0, models.ParseAmount)),
		feeFraction:  series(&c, models.RuleFeeFraction, atLeast(1, parseInteger)),
		feeRounding:  series(&c, models.RuleFeeRounding, atLeast(1, models.ParseAmount)),
		fee2026:      series(&c, models.RuleFee2026, atLeast(0, models.ParseAmount)),
		compensation: series(&c, models.RuleCompensation, atLeast(0, models.ParseAmount)),
		acts:         series(&c, models.RuleAct, parseAct),
	}
	return rules, errors.Join(c.faults...)
}

type compiler struct {
	figures figures
	faults  []error
}

func series[V any](c *compiler, kind models.RuleKind, parse func(string) (V, error)) timeline[V] {
	var line timeline[V]
	for _, f := range c.figures[kind] {
		value, err := parse(f.Value)
		if err != nil {
			c.faults = append(c.faults, fmt.Errorf("%s: %w", f.place, err))
		}
		line = append(line, point[V]{f.From, value})
	}
	return line
}

// atLeast returns parse, refusing values below the least.
func atLeast[V ~int64](least V, parse func(string) (V, error)) func(string) (V, error) {
	return func(s string) (V, error) {
		v, err := parse(s)
		if err == nil && v < least {
			err = fmt.Errorf("%q is too small", s)
		}
		return v, err
	}
}

// maxRate is far above any rate of late interest: 1225 is 12.25 without its point.
const maxRate models.Percent = 100_00

func parseRate(s string) (models.Percent, error) {
	rate, err := atLeast(0, models.ParsePercent)(s)
	if err == nil && rate > maxRate {
		err = fmt.Errorf("%q is too large for percent a year", s)
	}
	return rate, err
}

func parseInteger(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }

func parseAct(s string) (Act, error) {
	switch a := Act(s); a {
	case Act1988, Act2026:
		return a, nil
	}
	return "", fmt.Errorf("%q is no act on debt collection", s)
}
