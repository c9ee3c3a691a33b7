package models

import (
	"slices"
	"strconv"
	"strings"
)

// The bounds of a policy's friendly reminders (rule L14): so many numbers of days after the due date, negative before it.
const (
	MaxFriendlyReminders = 3
	FirstFriendlyDay     = -14
	LastFriendlyDay      = 13
)

// DayList is some numbers of days in ascending order, each once, with a blank between two: "-7 3 10". The empty list has none.
type DayList string

// ParseDayList reads numbers between blanks, in any order. It reports false if one is no number, or stands twice.
func ParseDayList(text string) (DayList, bool) {
	fields := strings.Fields(text)
	days := make([]int, len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return DayList(text), false
		}
		days[i] = n
	}
	slices.Sort(days)
	if len(slices.Compact(slices.Clone(days))) < len(days) {
		return DayList(text), false
	}
	for i, n := range days {
		fields[i] = strconv.Itoa(n)
	}
	return DayList(strings.Join(fields, " ")), true
}

// Days returns the numbers. What is no number is left out.
func (l DayList) Days() (days []int) {
	for f := range strings.FieldsSeq(string(l)) {
		if n, err := strconv.Atoi(f); err == nil {
			days = append(days, n)
		}
	}
	return days
}

// FriendlyFaults returns what is wrong with the days of a policy's friendly reminders (rule L14).
func (p Policy) FriendlyFaults() (faults Errors) {
	const field = "friendly_reminder_days"
	list, right := ParseDayList(string(p.FriendlyReminderDays))
	days := list.Days()
	switch {
	case !right:
		return Errors{illegalPolicy(field, "must be whole numbers between blanks, each once")}
	case len(days) > MaxFriendlyReminders:
		return Errors{illegalPolicy(field, "must be at most %d numbers", MaxFriendlyReminders)}
	}
	for _, n := range days {
		switch {
		case n < FirstFriendlyDay || n > LastFriendlyDay:
			return Errors{illegalPolicy(field, "must be numbers from %d to %d", FirstFriendlyDay, LastFriendlyDay)}
		case n >= p.FirstNoticeDays:
			return Errors{Invalid("after_first_notice", field, "day %d is not before the first notice, which is due %d days after the due date", n, p.FirstNoticeDays).
				Under(At("dunning_policy"))}
		}
	}
	return nil
}
