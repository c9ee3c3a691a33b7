package api

import (
	"context"
	"encoding/xml"

	"purr/audit"
	"purr/models"
	"purr/store"
)

// noticeProofXML is the proof of one letter, question by question (rule U5).
type noticeProofXML struct {
	XMLName xml.Name      `xml:"overdue_notice_audit"`
	URI     string        `xml:"uri,attr"`
	Notice  link          `xml:"overdue_notice"`
	Invoice linkedNumber  `xml:"invoice"` // its number
	Checks  int64         `xml:"checks"`  // questions that were answered
	Unknown int64         `xml:"unknown"` // questions that the rows do not answer
	Back    models.Amount `xml:"back"`
	Answers answersXML    `xml:"answers"`
}

type answersXML struct {
	Answers []answerXML `xml:"answer"`
}

// answerXML is a question with what it was answered from.
type answerXML struct {
	Code     string              `xml:"code"`
	Class    models.FindingClass `xml:"class"` // how grave a no is
	Question string              `xml:"question"`
	Rows     rowNames            `xml:"rows"`
	Expected string              `xml:"expected"`
	Found    string              `xml:"found"`
	Holds    auditHolds          `xml:"holds"`
	Law      string              `xml:"law"`
}

// auditHolds is the answer to a question.
type auditHolds string

// holds returns the answer in a word.
func holds(a audit.Answer) auditHolds {
	switch {
	case a.Unknown:
		return "unknown"
	case a.Holds:
		return "yes"
	}
	return "no"
}

// showNoticeAudit proves an overdue notice from its rows, as they are now. Questions are in the creditor's language.
func (s *Server) showNoticeAudit(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	n, err := v.Notice(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	i, err := v.Invoice(ctx, rq.creditor.ID, n.InvoiceID)
	if err != nil {
		return nil, err
	}
	auditor, err := audit.New(ctx, v, s.cfg.Rules, rq.creditor)
	if err != nil {
		return nil, err
	}
	verdict, err := auditor.Explain(ctx, n.InvoiceID, audit.Options{Notice: id})
	if err != nil {
		return nil, err
	}
	x := noticeProofXML{
		URI: rq.uri("overdue_notice", id) + "/audit", Notice: link{rq.uri("overdue_notice", id)}, Invoice: linkedNumber{rq.uri("invoice", i.ID), i.Number},
		Checks: verdict.Checks, Unknown: verdict.Unknown, Back: verdict.Back(),
	}
	for _, a := range verdict.Answers {
		x.Answers.Answers = append(x.Answers.Answers, answerXML{
			Code: a.Code.String(), Class: models.FindingClass(a.Code.Class()), Question: a.Question(rq.creditor.Language), Rows: rowNames{a.Rows}, Expected: a.Expected, Found: a.Found,
			Holds: holds(a), Law: a.Source(),
		})
	}
	return x, nil
}
