package law

import (
	"slices"

	"purr/models"
)

// point is a value and the first day on which it holds.
type point[V any] struct {
	from  models.Date
	value V
}

// timeline is a value that changes with the date: each point holds until the next. The days ascend.
type timeline[V any] []point[V]

// at returns the point that holds on the day. It reports false for a day before the first.
func (t timeline[V]) at(on models.Date) (point[V], bool) {
	i := t.after(on)
	if i == 0 {
		return point[V]{}, false
	}
	return t[i-1], true
}

// next returns the first day after the given one on which the value changes. It reports false after the
// last change.
func (t timeline[V]) next(day models.Date) (models.Date, bool) {
	i := t.after(day)
	if i == len(t) {
		return 0, false
	}
	return t[i].from, true
}

// lastFrom returns the day of the last change. The timeline must not be empty.
func (t timeline[V]) lastFrom() models.Date { return t[len(t)-1].from }

// after returns the index of the first point that begins after the day.
func (t timeline[V]) after(day models.Date) int {
	i, _ := slices.BinarySearchFunc(t, day+1, func(p point[V], d models.Date) int { return int(p.from - d) })
	return i
}
