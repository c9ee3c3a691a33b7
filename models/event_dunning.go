package models

// The events of the automatic runs and of the figures that they reckon with.
const (
	EventRunWaiting   EventType = "dunning.run_waiting"  // it would take more steps than the ceiling allows
	EventRunApproved  EventType = "dunning.run_approved" // a person lets it go on
	EventRulesEnding  EventType = "dunning_rules.ending" // a figure is known for a few weeks more, or no longer (rule E6h)
	EventRulesChanged EventType = "dunning_rules.changed"
)
