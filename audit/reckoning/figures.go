package reckoning

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/law"
	"purr/models"
)

// Law is the law's dated figures as the audit reads them. It never changes once read.
type Law struct {
	kinds map[models.RuleKind][]figure // by date
}

// figure is one figure with its value in the units of its kind: hundredths of a percent, øre, or a plain number.
type figure struct {
	law.Figure

	value int64
}

// The years of the acts on debt collection, as the figures of kind act have them.
const (
	Act1988 = 1988 // LOV-1988-05-13-26
	Act2026 = 2026 // LOV-2026-05-22-19

	actNotSettled = "unknown" // from this day on nobody can say which act is in force (rule L11)
)

// New reads figures. Its error names each figure that cannot be read, and each kind of which there is none: but for the fee under the act
// of 2026, which nobody has set.
func New(figures []law.Figure) (*Law, error) {
	l := &Law{kinds: make(map[models.RuleKind][]figure)}
	var faults []error
	for _, f := range figures {
		value, err := valueOf(f)
		if err != nil {
			faults = append(faults, fmt.Errorf("the %s from %s on: %w", f.Kind, f.From, err))
			continue
		}
		l.kinds[f.Kind] = append(l.kinds[f.Kind], figure{f, value})
	}
	for _, kind := range models.RuleKinds {
		rows := l.kinds[kind]
		slices.SortStableFunc(rows, func(a, b figure) int { return int(a.From - b.From) })
		if len(rows) == 0 && kind != models.RuleFee2026 {
			faults = append(faults, fmt.Errorf("there is no figure of kind %s", kind))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return l, nil
}

// valueOf reads a figure's value by its kind.
func valueOf(f law.Figure) (int64, error) {
	switch f.Kind {
	case models.RuleAct:
		if f.Value == actNotSettled {
			return 0, nil
		}
		if f.Value != strconv.Itoa(Act1988) && f.Value != strconv.Itoa(Act2026) {
			return 0, fmt.Errorf("%q is no act that the audit knows", f.Value)
		}
		return decimal(f.Value, 0)
	case models.RuleFeeFraction:
		return divisor(f.Value, 0)
	case models.RuleFeeRounding:
		return divisor(f.Value, 2)
	case models.RuleLateInterest, models.RuleInkassosats, models.RuleFee2026, models.RuleCompensation:
		return decimal(f.Value, 2)
	}
	return 0, errors.New("the audit does not know the kind")
}

// divisor reads a number that something is divided by.
func divisor(text string, places int) (int64, error) {
	n, err := decimal(text, places)
	if err == nil && n < 1 {
		return 0, fmt.Errorf("nothing is divided by %q", text)
	}
	return n, err
}

// decimal reads a number that is not negative, with at most so many places behind the point, in units of the last place.
func decimal(text string, places int) (int64, error) {
	whole, rest, _ := strings.Cut(text, ".")
	if len(rest) > places || whole == "" || strings.HasSuffix(text, ".") {
		return 0, fmt.Errorf("%q is not a number with %d decimals", text, places)
	}
	n, err := strconv.ParseUint(whole+rest+strings.Repeat("0", places-len(rest)), 10, 62)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number with %d decimals", text, places)
	}
	return int64(n), nil
}

// Figures returns every figure of a kind, oldest first: the law's table as it was used.
func (l *Law) Figures(kind models.RuleKind) []law.Figure {
	rows := l.kinds[kind]
	table := make([]law.Figure, len(rows))
	for i, f := range rows {
		table[i] = f.Figure
	}
	return table
}

// at returns the figure of a kind that holds on a day, and false where none does yet.
func (l *Law) at(kind models.RuleKind, on models.Date) (figure, bool) {
	rows := l.kinds[kind]
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].From <= on {
			return rows[i], true
		}
	}
	return figure{}, false
}

// Rate is the legal rate of late-payment interest on a day.
type Rate struct {
	Percent models.Percent // per year
	Figure  law.Figure
	Known   bool // the half-year of the day has a figure of its own; otherwise the last one goes on (rule E6h)
}

// Rate returns the legal rate on a day (forsinkelsesrenteloven § 3: it is set for each half-year, and holds for old claims too). Before
// the first figure it is zero, and not known.
func (l *Law) Rate(on models.Date) Rate {
	f, is := l.at(models.RuleLateInterest, on)
	return Rate{models.Percent(f.value), f.Figure, is && on < HalfYearAfter(f.From)}
}

// Act returns the year of the act on debt collection that is in force on a day. From a day on which nobody can say so, the act before goes
// on, and known is false (rules E6h, L11).
func (l *Law) Act(on models.Date) (year int, f law.Figure, known bool) {
	known = true
	for _, row := range slices.Backward(l.kinds[models.RuleAct]) {
		switch {
		case row.From > on:
		case row.Value == actNotSettled:
			known = false
		default:
			return int(row.value), row.Figure, known
		}
	}
	return Act1988, law.Figure{}, false
}

// HalfYearAfter returns the first day of the half-year after a day's: the next 1 January or 1 July.
func HalfYearAfter(on models.Date) models.Date {
	year := on.Year()
	if july := models.NewDate(year, time.July, 1); on < july {
		return july
	}
	return models.NewDate(year+1, time.January, 1)
}
