package law

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

// The origins. Of two figures of one kind and date, the one with the later origin in this list is used. A
// creditor's own figures are used only after the last of the others.
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

	position string // where it stands, for faults
}

// Figures returns the figures that hold on a day and those that begin later, by kind and date.
func (r *Rules) Figures(on models.Date) []Figure {
	var shown []Figure
	for _, kind := range models.RuleKinds {
		all := r.figures[kind]
		first := len(all) - 1
		for first > 0 && (all[first].From > on || all[first].Value == string(ActUnknown)) { // the act before goes on
			first--
		}
		shown = append(shown, all[max(first, 0):]...)
	}
	return shown
}

// All returns every figure, by kind and date: what package audit reads for itself (rule U1). Figures that another of the same kind and
// date has replaced are not among them.
func (r *Rules) All() []Figure {
	var all []Figure
	for _, kind := range models.RuleKinds {
		all = append(all, r.figures[kind]...)
	}
	return all
}

// With returns the rules with figures that persons set (rule E6h). A figure for all creditors replaces another of
// its kind and date. A creditor's own figures are used only after all of these end, so that the same law holds for
// every creditor.
func (r *Rules) With(set []models.DunningRule) (*Rules, error) {
	if len(set) == 0 {
		return r, nil
	}
	all := r.figures
	for _, row := range set {
		if row.CreditorID == 0 {
			all = all.put(figureOf(row, FromInstallation))
		}
	}
	common := all
	for _, row := range set {
		if last, _ := common.last(row.Kind); row.CreditorID != 0 && row.FromDate > last.From {
			all = all.put(figureOf(row, FromCreditor))
		}
	}
	return compile(all)
}

func figureOf(row models.DunningRule, origin Origin) Figure {
	position := fmt.Sprintf("the %s that was set from %s on", row.Kind, row.FromDate)
	return Figure{row.Kind, row.FromDate, row.Value, row.Source, origin, position}
}

// figures are the figures of each kind, in order of their dates, one for each date.
type figures map[models.RuleKind][]Figure

// put returns the figures with one more, which replaces a figure of the same kind and date.
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

// last returns the latest figure of a kind, and false if the kind has none.
func (f figures) last(kind models.RuleKind) (Figure, bool) {
	if len(f[kind]) == 0 {
		return Figure{}, false
	}
	return f[kind][len(f[kind])-1], true
}

// compile reads the figures. Its error names every figure that cannot be read.
func compile(f figures) (*Rules, error) {
	var faults []error
	rules := &Rules{
		figures:      f,
		interest:     series(f[models.RuleLateInterest], parseRate, &faults),
		inkassosats:  series(f[models.RuleInkassosats], atLeast(0, models.ParseAmount), &faults),
		feeFraction:  series(f[models.RuleFeeFraction], atLeast(1, parseInteger), &faults),
		feeRounding:  series(f[models.RuleFeeRounding], atLeast(1, models.ParseAmount), &faults),
		fee2026:      series(f[models.RuleFee2026], atLeast(0, models.ParseAmount), &faults),
		compensation: series(f[models.RuleCompensation], atLeast(0, models.ParseAmount), &faults),
	}
	acts := series(f[models.RuleAct], parseAct, &faults)
	rules.acts = slices.DeleteFunc(acts, func(p point[Act]) bool { return p.value == ActUnknown })
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return rules, nil
}

// series reads the figures of one kind, and adds what cannot be read to the faults.
func series[V any](kind []Figure, parse func(string) (V, error), faults *[]error) timeline[V] {
	var line timeline[V]
	for _, f := range kind {
		value, err := parse(f.Value)
		if err != nil {
			*faults = append(*faults, fmt.Errorf("%s: %w", f.position, err))
			continue
		}
		line = append(line, point[V]{f.From, value})
	}
	return line
}

// atLeast returns parse, refusing values below the least.
func atLeast[V ~int64](least V, parse func(string) (V, error)) func(string) (V, error) {
	return func(s string) (V, error) {
		v, err := parse(s)
		if err != nil {
			return 0, err
		}
		if v < least {
			return 0, fmt.Errorf("%q is too small", s)
		}
		return v, nil
	}
}

// maxRate is far above any rate of late-payment interest: 1225 is 12.25 without its point.
const maxRate models.Percent = 100_00

func parseRate(s string) (models.Percent, error) {
	rate, err := atLeast(0, models.ParsePercent)(s)
	if err != nil {
		return 0, err
	}
	if rate > maxRate {
		return 0, fmt.Errorf("%q is too large for percent a year", s)
	}
	return rate, nil
}

func parseInteger(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }

func parseAct(s string) (Act, error) {
	switch a := Act(s); a {
	case Act1988, Act2026, ActUnknown:
		return a, nil
	}
	return "", fmt.Errorf("%q is no act on debt collection", s)
}
