package console

import (
	"context"
	"slices"
	"strings"

	"purr/audit"
	"purr/models"
	"purr/store"
)

// unlawfulShown is on how many invoices Today tells what nights found.
const unlawfulShown = 5

// unlawful returns the invoices on which the audit of a night found that the law was not kept, while nobody has settled that (rule U7).
func (s *Server) unlawful(ctx context.Context, rq *request, told store.ForToday) (all []waits, err error) {
	if told.Unlawful == 0 {
		return nil, nil
	}
	found, err := s.db.OpenFindings(ctx, rq.creditor.ID, rq.today(), 10*unlawfulShown)
	if err != nil {
		return nil, err
	}
	say := rq.words.Say
	var numbers []int64
	for _, f := range found {
		if !slices.Contains(numbers, f.Invoice) && len(numbers) < unlawfulShown {
			numbers = append(numbers, f.Invoice)
		}
	}
	for _, number := range numbers {
		of := slices.DeleteFunc(slices.Clone(found), func(f models.AuditFinding) bool { return f.Invoice != number })
		all = append(all, waits{
			"triangle-alert", say("today.unlawful", "number", toPath(number)), rq.hintOf(of), say("today.see_invoice"), rq.base + "/invoices/" + toPath(number), true,
		})
	}
	if more := told.Unlawful - int64(len(numbers)); more > 0 {
		all = append(all, waits{"triangle-alert", say("today.unlawful_more", "n", more), say("today.unlawful_more_hint"), say("today.see_log"), rq.base + "/log", false})
	}
	return all, nil
}

// hintOf says what was found on one invoice, and what becomes of it.
func (rq *request) hintOf(found []models.AuditFinding) string {
	var said []string
	var back models.Amount
	held := false
	for _, f := range found {
		for _, code := range audit.Kinds() {
			if code.String() == f.Code {
				said = append(said, audit.Finding{Code: code, Expected: f.Expected, Found: f.Found}.Text(rq.words.Language))
			}
		}
		back, held = back+f.Back(), held || f.HeldFor != ""
	}
	said = slices.Compact(said)
	if back > 0 {
		said = append(said, rq.words.Say("today.unlawful_back", "back", back))
	}
	if held {
		said = append(said, rq.words.Say("today.unlawful_held"))
	}
	return strings.Join(said, " ")
}
