package reckoning

import (
	"purr/law"
	"purr/models"
)

// Compensation is the standard compensation for the costs of collection, between traders (forsinkelsesrenteloven § 3a).
type Compensation struct {
	Safe    models.Amount // the lower of the two figures that may be meant; purr charges this
	Most    models.Amount // the higher one: more is unlawful by any reading
	Figures []law.Figure
	Known   bool // the half-years of both days have a figure
}

// Compensation returns the standard compensation of a claim that arose on a day, the day after the due date, and was charged by a letter that
// left on another. The act does not say which day's figure is meant. A figure is set for each half-year; where one was not found, or
// before 2013, it is not known.
func (l *Law) Compensation(arose, left models.Date) Compensation {
	first, isFirst := l.at(models.RuleCompensation, arose)
	second, isSecond := l.at(models.RuleCompensation, left)
	c := Compensation{
		Safe:  models.Amount(min(first.value, second.value)),
		Most:  models.Amount(max(first.value, second.value)),
		Known: isFirst && isSecond && arose < HalfYearAfter(first.From) && left < HalfYearAfter(second.From),
	}
	if isFirst {
		c.Figures = append(c.Figures, first.Figure)
	}
	if isSecond && second.From != first.From {
		c.Figures = append(c.Figures, second.Figure)
	}
	return c
}

// SetOff returns what is left of a standard compensation beside fees that are charged on the same claim: each is deducted from the other, so that all in
// all the larger is paid (inkassoforskriften § 1-5). A claim bears one compensation.
func SetOff(compensation, fees models.Amount) models.Amount { return max(0, compensation-fees) }
