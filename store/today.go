package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// ForToday is what the page Today tells of a creditor besides Waiting.
type ForToday struct {
	Open         models.Amount    // of the open unmatched payments; money out counts below zero
	KeptBack     map[string]int64 // owed shipments, by why they are kept back (rules D105, D107, D108)
	Repayments   int64            // open invoices on which a repayment is owed (rule D96)
	Repayment    models.Amount    // of all of them
	FirstRepaid  int64            // the number of the oldest of them; zero if there is none
	Credits      int64            // customers with free credit of three days ago that nobody has disposed of (rule N12)
	Credit       models.Amount    // of all of them
	OnlyCharges  int64            // open invoices on which only fees and interest are left (rule N9)
	Charges      models.Amount    // of all of them
	Broken       int64            // payment plans that were broken since BrokenShown days ago, as BrokenPlans returns them (rule L15)
	BrokenOwed   models.Amount    // on all of them
	Lapses       int64            // open invoices whose claims lapse within LapseNoticeDays, or have lapsed (rule L26)
	Lapsing      models.Amount    // on all of them
	Rejected     int64            // open claims that the debt collector does not take (rule C1)
	RejectedOwed models.Amount    // on all of them
	Unanswered   int64            // files of claims that the bank has not answered a day after their delivery (rule G3a)
	Refused      int64            // files of claims that the bank refused, or that did not reach it, since refusedShown days ago
	PayBack      int64            // claims that were drawn although they were to be taken back, since payBackShown days ago
	Unlawful     int64            // invoices on which nights found that the law was not kept, and nobody has settled that (rule U7)
	Unwarned     []int64          // the numbers of invoices with the debt collector without a warning (rules L2, D94, D98), in order
}

// BrokenShown is for how many days Today tells of a payment plan that was broken (rule L15).
const BrokenShown = 90

// creditWaits is for how many days free credit waits before Today tells of it (rule N12).
const creditWaits = 3

// For how many days Today tells of files of claims that failed, and of what was drawn too much.
const (
	refusedShown = 7
	payBackShown = 30
)

// answersWithin is how long the bank takes to answer a file of claims at most (rule G3a).
const answersWithin = 24 * time.Hour

// ForToday reads what Today tells of a creditor at a moment. It asks one question, and reads all open unmatched payments.
func (r reads) ForToday(ctx context.Context, creditorID int64, today models.Date, now time.Time) (ForToday, error) {
	open := r.with(ctx).Model(&models.UnmatchedPayment{}).Select("1 AS topic, '' AS why, 0 AS number, COUNT(*) AS things, COALESCE(SUM(amount), 0) AS amount").
		Where("creditor_id = ? AND status = ?", creditorID, models.PaymentOpen)
	kept := r.with(ctx).Model(&models.Shipment{}).Select("2, kept_back, 0, COUNT(*), 0").
		Where("state = ? AND creditor_id = ? AND kept_back <> ''", models.ShipmentOwed, creditorID).Group("kept_back")
	repaid := r.repaying(ctx, creditorID).Select("3, '', COALESCE(MIN(number), 0), COUNT(*), COALESCE(SUM(repayment_owed), 0)")
	withdrawn := r.with(ctx).Model(&models.Notice{}).Select("invoice_id").Where("creditor_id = ? AND withdrawn IS NOT NULL AND warning", creditorID).
		Where("withdrawn >= invoices.handed_over AND issue_date <= invoices.handed_over")
	unwarned := r.with(ctx).Model(&models.Invoice{}).Select("4, '', number, 1, 0").
		Where("creditor_id = ? AND stage = ? AND NOT warned AND balance > repayment_owed", creditorID, models.StageCollection).Where("id IN (?)", withdrawn)
	credit := r.credits(ctx, creditorID).Where("amount > reserved AND since <= ?", today-creditWaits).Select("5, '', 0, COUNT(*), COALESCE(SUM(amount - reserved), 0)")
	charges := r.onlyCharges(ctx, creditorID).Select("6, '', 0, COUNT(*), COALESCE(SUM(i.balance - i.repayment_owed), 0)")
	broken := r.broken(ctx, creditorID, today-BrokenShown).Select("7, '', 0, COUNT(*), COALESCE(SUM(i.balance - i.repayment_owed), 0)")
	lapse := r.lapsing(ctx, creditorID, today+models.LapseNoticeDays).Select("8, '', 0, COUNT(*), COALESCE(SUM(balance - repayment_owed), 0)")
	rejected := CollectionFilter{Reported: []models.CollectionState{models.CollectionRejected}, Open: true}.of(r.with(ctx), creditorID).
		Select("9, '', 0, COUNT(*), COALESCE(SUM(i.balance - i.repayment_owed), 0)")
	files := func(topic int) *gorm.DB {
		return r.with(ctx).Model(&models.ClaimFile{}).Select(fmt.Sprintf("%d, '', 0, COUNT(*), 0", topic)).Where("creditor_id = ?", creditorID)
	}
	unanswered := files(10).Where("state = ? AND answered_at IS NULL AND delivered_at < ?", models.ClaimFileDelivered, now.Add(-answersWithin).UTC())
	refused := files(11).Where("state IN ? AND day >= ?", []models.ClaimFileState{models.ClaimFileRejected, models.ClaimFileGivenUp}, today-refusedShown)
	payBack := r.with(ctx).Model(&models.BankClaim{}).Select("12, '', 0, COUNT(*), 0").
		Where("creditor_id = ? AND too_late = ? AND due_date BETWEEN ? AND ?", creditorID, true, today-payBackShown, today)
	unlawful := r.openFindings(ctx, today).Where("f.creditor_id = ?", creditorID).Select("13, '', 0, COUNT(DISTINCT f.invoice_id), 0")
	type row struct {
		Topic  int
		Why    string
		Number int64
		Things int64
		Amount models.Amount
	}
	rows, err := scan[[]row](r.with(ctx).Raw("SELECT * FROM (? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ?) AS told ORDER BY topic, number",
		open, kept, repaid, unwarned, credit, charges, broken, lapse, rejected, unanswered, refused, payBack, unlawful))
	if err != nil {
		return ForToday{}, err
	}
	t := ForToday{KeptBack: map[string]int64{}}
	for _, w := range rows {
		switch w.Topic {
		case 1:
			t.Open = w.Amount
		case 2:
			t.KeptBack[w.Why] = w.Things
		case 3:
			t.Repayments, t.Repayment, t.FirstRepaid = w.Things, w.Amount, w.Number
		case 4:
			t.Unwarned = append(t.Unwarned, w.Number)
		case 5:
			t.Credits, t.Credit = w.Things, w.Amount
		case 6:
			t.OnlyCharges, t.Charges = w.Things, w.Amount
		case 7:
			t.Broken, t.BrokenOwed = w.Things, w.Amount
		case 8:
			t.Lapses, t.Lapsing = w.Things, w.Amount
		case 9:
			t.Rejected, t.RejectedOwed = w.Things, w.Amount
		case 10:
			t.Unanswered = w.Things
		case 11:
			t.Refused = w.Things
		case 12:
			t.PayBack = w.Things
		case 13:
			t.Unlawful = w.Things
		}
	}
	return t, nil
}
