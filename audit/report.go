package audit

import (
	"purr/audit/report"
)

// Report returns the verdict as people and programs read it, with its sentences in a language: nb, nn or en (rule U12).
func (v *Verdict) Report(language string) report.Report {
	counts := report.Counts{Letters: int(v.Letters), Checks: int(v.Checks), Kinds: v.Kinds(), Unknown: int(v.Unknown)}
	return report.New(counts, func(yield func(report.Finding) bool) {
		for _, f := range v.Findings {
			if !yield(f.Printed(language, nil)) {
				return
			}
		}
	})
}

// Clean reports whether nothing was found of law or rule.
func (v *Verdict) Clean() bool {
	for _, f := range v.Findings {
		if f.Class() != Doubt {
			return false
		}
	}
	return true
}
