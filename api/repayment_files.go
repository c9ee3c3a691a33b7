package api

import (
	"context"
	"encoding/xml"
	"fmt"

	"purr/api/form"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// repaymentFileXML is a file of repayments for the bank (rule N12). It is empty but for what was stopped where there was nothing to put
// into a file.
type repaymentFileXML struct {
	XMLName      xml.Name                  `xml:"repayment_file"`
	URI          string                    `xml:"uri,attr,omitempty"`
	Status       models.RepaymentFileState `xml:"status,attr,omitempty"`
	Number       int64                     `xml:"number,omitempty"`
	Account      string                    `xml:"account,omitempty"`
	Transactions int                       `xml:"transactions,omitempty"`
	Amount       *models.Amount            `xml:"amount"`
	PaidOn       models.Date               `xml:"paid_on,omitempty"`
	MadeBy       string                    `xml:"made_by,omitempty"`
	CreatedAt    string                    `xml:"created_at,omitempty"`
	Repayments   []repaymentXML            `xml:"repayment"`
	Stopped      []link                    `xml:"stopped"`
}

func (rq *request) repaymentFile(f models.RepaymentFile) repaymentFileXML {
	return repaymentFileXML{
		URI: rq.uri("repayment_file", f.ID), Status: f.State, Number: f.Number, Account: f.Account, Transactions: f.Transactions, Amount: &f.Amount,
		PaidOn: f.PaidOn, MadeBy: f.MadeBy, CreatedAt: rq.stamp(f.CreatedAt),
	}
}

// repaymentFileDetail shows a file of repayments with the repayments in it.
func (rq *request) repaymentFileDetail(ctx context.Context, v store.View, f models.RepaymentFile) (repaymentFileXML, error) {
	shown := rq.repaymentFile(f)
	rs, err := v.RepaymentsOfFile(ctx, rq.creditor.ID, f.ID)
	if err != nil {
		return repaymentFileXML{}, err
	}
	for _, r := range rs {
		shown.Repayments = append(shown.Repayments, rq.repayment(r))
	}
	return shown, nil
}

// listRepaymentFiles lists the files of repayments.
func (s *Server) listRepaymentFiles(ctx context.Context, rq *request) (answer, error) {
	return listed("repayment_files", rq.query(), rq.repaymentFile, func(p store.Page) ([]models.RepaymentFile, int64, error) {
		return s.db.RepaymentFiles(ctx, rq.creditor.ID, p)
	})
}

// makeRepaymentFile puts the repayments that wait into one file for the bank (rule N12). Where none waits the answer is 200 without a file.
func makeRepaymentFile(_ context.Context, rq *request, _ int64, body form.Body) (effect, error) {
	if err := form.ParseEmpty(body, "repayment_file"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		made, err := ledger.MakeRepaymentFile(ctx, tx, rq.creditor.ID, rq.today(), rq.actor())
		if err != nil {
			return answer{}, err
		}
		var stopped []link
		for _, r := range made.Stopped {
			stopped = append(stopped, link{rq.uri("repayment", r.ID)})
		}
		if made.File.ID == 0 {
			return rq.ok(repaymentFileXML{Stopped: stopped})
		}
		shown, err := rq.repaymentFileDetail(ctx, tx.View(), made.File)
		if err != nil {
			return answer{}, err
		}
		shown.Stopped = stopped
		return rq.created(shown.URI, shown)
	}, nil
}

// payRepaymentFile posts that the bank has paid the file in the path, today unless the body says another day.
func payRepaymentFile(rq *request, id int64, body form.Body) (act, error) {
	paidOn := rq.today()
	if !body.Empty() {
		f, err := form.Parse(body, "paid")
		if err != nil {
			return nil, err
		}
		if day, sent := f.Date("paid_on"); sent {
			paidOn = day
		}
		if err := f.Done(nil); err != nil {
			return nil, err
		}
	}
	return rq.onRepaymentFile(func(ctx context.Context, tx *store.Tx) (models.RepaymentFile, error) {
		return ledger.PayRepaymentFile(ctx, tx, rq.creditor.ID, id, paidOn, rq.today(), rq.actor())
	}), nil
}

// unpayRepaymentFile takes back that the bank has paid the file in the path.
func unpayRepaymentFile(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	_, err := ledger.UnpayRepaymentFile(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor())
	return err
}

// withdrawRepaymentFile withdraws the file in the path, which the bank did not take.
func withdrawRepaymentFile(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	_, err := ledger.WithdrawRepaymentFile(ctx, tx, rq.creditor.ID, id, rq.actor())
	return err
}

// onRepaymentFile does an act on a file of repayments and answers with its detail.
func (rq *request) onRepaymentFile(do func(ctx context.Context, tx *store.Tx) (models.RepaymentFile, error)) act {
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		f, err := do(ctx, tx)
		if err != nil {
			return nil, err
		}
		return rq.repaymentFileDetail(ctx, tx.View(), f)
	}
}

// repaymentFilePain answers with the bytes of the file in the path for the bank.
func (s *Server) repaymentFilePain(ctx context.Context, rq *request) (answer, error) {
	return s.repaymentFileBytes(ctx, rq, "application/xml", "xml", func(b models.RepaymentFileBytes) []byte { return b.Pain })
}

// repaymentFileCSV answers with the list of the repayments in the file in the path.
func (s *Server) repaymentFileCSV(ctx context.Context, rq *request) (answer, error) {
	return s.repaymentFileBytes(ctx, rq, csvType, "csv", func(b models.RepaymentFileBytes) []byte { return b.CSV })
}

func (s *Server) repaymentFileBytes(
	ctx context.Context, rq *request, media, suffix string, of func(models.RepaymentFileBytes) []byte,
) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	f, err := s.db.RepaymentFile(ctx, rq.creditor.ID, id)
	if err != nil {
		return answer{}, err
	}
	kept, err := s.db.RepaymentFileBytes(ctx, rq.creditor.ID, id)
	if err != nil {
		return answer{}, err
	}
	return file(media, "attachment", fmt.Sprintf("repayments-%d.%s", f.Number, suffix), of(kept)), nil
}
