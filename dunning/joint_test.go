package dunning_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// joined are invoices of one customer that are due for their reminder on 30 March, of a creditor whose policy joins letters.
type joined struct {
	*testing.T
	db       *store.DB
	creditor models.Creditor
	customer models.Customer
	invoices []models.Invoice
	damaged  bool // the books are wrong in the end
}

var remindedOn = day("2026-03-30")

// eachJoined runs the test on each database with n invoices: the first was due on 2 March, the next a day later each. Then it verifies the books.
func eachJoined(t *testing.T, n int, test func(j *joined)) {
	t.Helper()
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		j := &joined{T: t, db: db}
		j.creditor = rows.Creditor(t, db, func(c *models.Creditor) {
			c.Policy.Enabled, c.Policy.JointLetters, c.Policy.RequirePaymentFile = true, true, false
		})
		j.customer = rows.Customer(t, db, j.creditor)
		for i := range n {
			j.another(i)
		}
		test(j)
		found, err := ledger.Verify(t.Context(), db, j.creditor)
		if err != nil || len(found) > 0 != j.damaged {
			t.Errorf("the books: %v, %v", found, err)
		}
	})
}

// another issues an invoice that is due some days after 2 March.
func (j *joined) another(after int) models.Invoice {
	i := rows.Invoice(j.T, rows.On(j.db, day("2026-02-16")+models.Date(after%10)), j.creditor, rows.To(j.customer), rows.DueIn(14))
	rows.Send(j.T, j.db, j.creditor)
	j.invoices = append(j.invoices, i)
	return i
}

// run makes the run of a day, and returns what it made.
func (j *joined) run(on models.Date) dunning.Result {
	j.Helper()
	result, err := dunning.Run(j.Context(), rows.On(j.db, on), law.Default(), j.creditor, on)
	if err != nil {
		j.Fatal(err)
	}
	return result
}

// now says what stands on each invoice: the balance, the fee of its notices in force, and the letter of the last.
func (j *joined) now() string {
	j.Helper()
	var all []string
	for _, i := range j.invoices {
		kept, err := j.db.Invoice(j.Context(), j.creditor.ID, i.ID)
		if err != nil {
			j.Fatal(err)
		}
		notices, err := j.db.NoticesOf(j.Context(), i.ID)
		if err != nil {
			j.Fatal(err)
		}
		var fees models.Amount
		var letter int64
		for _, n := range notices {
			fees, letter = fees+n.Fee, n.LetterID
		}
		all = append(all, fmt.Sprintf("%d:%d fee %s letter %d", i.Number, kept.Notices, fees, letter))
	}
	return strings.Join(all, "; ")
}

func (j *joined) stands(want string) {
	j.Helper()
	if is := j.now(); is != want {
		j.Errorf("it stands as\n%s, want\n%s", is, want)
	}
}

// letterIsDue does what a worker does who is about to send a letter on a day, and returns what leaves.
func (j *joined) letterIsDue(letter int64, on models.Date) (leave []models.Document) {
	j.Helper()
	rows.Write(j.T, rows.On(j.db, on), func(tx *store.Tx) (err error) {
		leave, err = dunning.RenewLetter(j.Context(), tx, law.Default(), j.creditor.ID, letter, false)
		return err
	})
	return leave
}

func (j *joined) letters() []models.Shipment {
	j.Helper()
	all, err := j.db.NewestShipments(j.Context(), j.creditor.ID, store.ShipmentFilter{}, 1000)
	if err != nil {
		j.Fatal(err)
	}
	return slices.DeleteFunc(all, func(s models.Shipment) bool { return s.DocumentKind != models.LetterDocument })
}

func (j *joined) pay(i int, amount models.Amount, on models.Date) {
	j.Helper()
	rows.Write(j.T, rows.On(j.db, on), func(tx *store.Tx) error {
		invoice, err := tx.LockInvoice(j.Context(), j.creditor.ID, j.invoices[i].ID)
		if err != nil {
			return err
		}
		return ledger.Post(j.Context(), tx, []models.Entry{{
			CreditorID: j.creditor.ID, CustomerID: j.customer.ID, InvoiceID: invoice.ID, Type: models.EntryPayment, Amount: -amount, TransactionDate: on,
		}}, "")
	})
}

func TestL23InvoicesOfACustomerShareOneLetterAndOneFee(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		other := rows.Invoice(j.T, rows.On(j.db, day("2026-02-16")), j.creditor, rows.DueIn(14))
		rows.Send(j.T, j.db, j.creditor)
		result := j.run(remindedOn)
		if result.Steps() != 4 || len(result.Documents) != 2 {
			j.Errorf("the run took %d steps with the documents %v", result.Steps(), result.Documents)
		}
		j.stands("1:1 fee 38.00 letter 1; 2:1 fee 0.00 letter 1; 3:1 fee 0.00 letter 1")
		notices, err := j.db.NoticesOf(j.Context(), other.ID)
		if err != nil || len(notices) != 1 || notices[0].LetterID != 0 || notices[0].Fee != 38_00 {
			j.Errorf("who has one invoice gets %+v, %v", notices, err)
		}
		l, err := j.db.Letter(j.Context(), j.creditor.ID, 1)
		if err != nil || l.KID != models.NewKID("900000001", j.creditor.KIDModulus) || l.DaysToPay != 14 || l.Warning {
			j.Errorf("the letter is %+v, %v", l, err)
		}
		if all := j.letters(); len(all) != 1 || all[0].Method != models.ByPaper || all[0].State != models.ShipmentOwed {
			j.Errorf("it is sent as %+v", all)
		}
		if again := j.run(remindedOn); again.Steps() != 0 {
			j.Errorf("the run that is made again takes %d steps", again.Steps())
		}
	})
}

func TestL23WithoutThePolicyNothingIsJoined(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		j.creditor.Policy.JointLetters = false
		if result := j.run(remindedOn); result.Steps() != 3 || len(result.Documents) != 3 {
			j.Errorf("the run took %d steps with the documents %v", result.Steps(), result.Documents)
		}
		j.stands("1:1 fee 38.00 letter 0; 2:1 fee 38.00 letter 0; 3:1 fee 38.00 letter 0")
	})
}

func TestL23ALetterHasFortyInvoicesAtMost(t *testing.T) {
	eachJoined(t, 41, func(j *joined) {
		if result := j.run(remindedOn); result.Steps() != 41 || len(result.Documents) != 2 {
			j.Errorf("the run took %d steps with the documents %v", result.Steps(), result.Documents)
		}
		var single, inLetter, fees int
		for _, i := range j.invoices {
			notices, err := j.db.NoticesOf(j.Context(), i.ID)
			if err != nil || len(notices) != 1 {
				j.Fatal(notices, err)
			}
			if notices[0].LetterID == 0 {
				single++
			} else {
				inLetter++
			}
			if notices[0].Fee > 0 {
				fees++
			}
		}
		if single != 1 || inLetter != 40 || fees != 2 {
			j.Errorf("%d are single, %d in a letter, with %d fees", single, inLetter, fees)
		}
	})
}

func TestL23PaidBeforeTheLetterLeavesItIsMadeAnewAndTheFeeMoves(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		j.run(remindedOn)
		j.pay(0, 1000_00, remindedOn-5)
		if leave := j.letterIsDue(1, remindedOn); len(leave) != 1 || leave[0] != (models.Document{Kind: models.LetterDocument, ID: 2}) {
			j.Errorf("there leaves %v", leave)
		}
		j.stands("1:0 fee 0.00 letter 0; 2:1 fee 38.00 letter 2; 3:1 fee 0.00 letter 2")
		if l, err := j.db.Letter(j.Context(), j.creditor.ID, 1); err != nil || l.Withdrawn != remindedOn || l.ReplacedBy != 2 {
			j.Errorf("the first letter is %+v, %v", l, err)
		}
		j.pay(1, 1000_00, remindedOn)
		if leave := j.letterIsDue(2, remindedOn); len(leave) != 1 || leave[0].ID != 3 {
			j.Errorf("there leaves %v", leave)
		}
		j.stands("1:0 fee 0.00 letter 0; 2:0 fee 0.00 letter 0; 3:1 fee 38.00 letter 3") // one alone is a letter still
		j.pay(2, 1000_00, remindedOn)
		if leave := j.letterIsDue(3, remindedOn); len(leave) != 0 {
			j.Errorf("there leaves %v", leave)
		}
		j.stands("1:0 fee 0.00 letter 0; 2:0 fee 0.00 letter 0; 3:0 fee 0.00 letter 0")
	})
}

func TestL23PaidAfterTheLetterLeftTheFeeIsReversedAndNotMoved(t *testing.T) {
	eachJoined(t, 2, func(j *joined) {
		j.run(remindedOn)
		rows.Send(j.T, j.db, j.creditor)
		j.pay(0, 1000_00, remindedOn-5)
		j.stands("1:1 fee 38.00 letter 1; 2:1 fee 0.00 letter 1")
		if kept, err := j.db.Invoice(j.Context(), j.creditor.ID, j.invoices[0].ID); err != nil || kept.Balance > 0 {
			j.Errorf("on the paid invoice %s is owed, %v", kept.Balance, err)
		}
		if entries, err := j.db.EntriesOfInvoice(j.Context(), j.invoices[1].ID); err != nil || ledger.TotalsOf(entries).Fees != 0 {
			j.Errorf("the other bears %+v, %v", entries, err)
		}
	})
}

func TestL23ALetterThatDoesNotLeaveOnItsDayIsIssuedAnew(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		j.run(remindedOn)
		if leave := j.letterIsDue(1, remindedOn); len(leave) != 1 || leave[0].ID != 1 {
			j.Errorf("on its day there leaves %v", leave)
		}
		if leave := j.letterIsDue(1, remindedOn+1); len(leave) != 1 || leave[0].ID != 2 {
			j.Errorf("the day after there leaves %v", leave)
		}
		j.stands("1:1 fee 38.00 letter 2; 2:1 fee 0.00 letter 2; 3:1 fee 0.00 letter 2")
	})
}

func TestL23AFailedLetterWithdrawsAllItsNotices(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		j.run(remindedOn)
		rows.Write(j.T, rows.On(j.db, remindedOn), func(tx *store.Tx) error {
			return dunning.WithdrawFailedLetter(j.Context(), tx, j.creditor.ID, 1, "no printer")
		})
		j.stands("1:0 fee 0.00 letter 0; 2:0 fee 0.00 letter 0; 3:0 fee 0.00 letter 0")
		if leave := j.letterIsDue(1, remindedOn+1); len(leave) != 1 || leave[0].ID != 2 {
			j.Errorf("sent again there leaves %v", leave)
		}
		j.stands("1:1 fee 38.00 letter 2; 2:1 fee 0.00 letter 2; 3:1 fee 0.00 letter 2")
	})
}

func TestL23AnEMailForSeveralInvoicesThatBouncesBecomesOneLetterOnPaper(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		j.creditor.Policy.ReminderMethod = models.ByEmail
		rows.Write(j.T, j.db, func(tx *store.Tx) error { return tx.UpdateCreditor(j.Context(), &j.creditor) })
		j.run(remindedOn)
		mails := j.letters()
		if len(mails) != 1 || mails[0].Method != models.ByEmail {
			j.Fatalf("there left %+v, want one e-mail", mails)
		}
		rows.Write(j.T, rows.On(j.db, remindedOn), func(tx *store.Tx) error {
			mails[0].State, mails[0].Reason = models.ShipmentReturned, "no such mailbox"
			if err := tx.UpdateShipment(j.Context(), mails[0]); err != nil {
				return err
			}
			return dunning.WithdrawBouncedLetter(j.Context(), tx, j.creditor.ID, mails[0].DocumentID, mails[0].Reason)
		})
		j.stands("1:0 fee 0.00 letter 0; 2:0 fee 0.00 letter 0; 3:0 fee 0.00 letter 0")
		if again := j.run(remindedOn); again.Steps() != 0 {
			j.Errorf("on the day of the bounce there are %d steps", again.Steps())
		}
		j.run(remindedOn + 1)
		j.stands("1:1 fee 38.00 letter 2; 2:1 fee 0.00 letter 2; 3:1 fee 0.00 letter 2")
		if sent := j.letters(); len(sent) != 2 || sent[1].Method != models.ByPaper || sent[1].DocumentID != 2 {
			j.Errorf("then there leave %+v, want a letter on paper", sent)
		}
	})
}

func TestL23ALetterThatLeftTooLateIsIssuedAnewWithoutThePaidInvoice(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		j.run(remindedOn)
		j.pay(1, 1100_00, remindedOn)
		rows.Write(j.T, rows.On(j.db, remindedOn+1), func(tx *store.Tx) error {
			again, err := dunning.JointLetterLeft(j.Context(), tx, j.creditor.ID, 1, remindedOn+1)
			if !again {
				j.Error("the letter that left too late is enough")
			}
			return err
		})
		if leave := j.letterIsDue(1, remindedOn+1); len(leave) != 1 || leave[0].ID != 2 {
			j.Errorf("in its place there leaves %v", leave)
		}
		j.stands("1:1 fee 38.00 letter 2; 2:1 fee 0.00 letter 1; 3:1 fee 0.00 letter 2")
	})
}

// TestL23TheSameKIDIsNeverGivenTwice has an invoice take the KID that the first letter would have.
func TestL23TheSameKIDIsNeverGivenTwice(t *testing.T) {
	eachJoined(t, 2, func(j *joined) {
		taken, _ := models.LetterKID(1, j.creditor.KIDLength, j.creditor.KIDModulus)
		rows.Write(j.T, j.db, func(tx *store.Tx) error {
			return tx.CreateReferences(j.Context(), []store.Reference{{CreditorID: j.creditor.ID, KID: taken, InvoiceID: j.invoices[0].ID}})
		})
		j.run(remindedOn)
		want, _ := models.LetterKID(2, j.creditor.KIDLength, j.creditor.KIDModulus)
		if l, err := j.db.Letter(context.Background(), j.creditor.ID, 1); err != nil || l.KID != want || l.Number != 2 {
			j.Errorf("the letter has the KID %s, want %s: %v", l.KID, want, err)
		}
	})
}

func TestL23VerifyFindsASecondFeeOfALetter(t *testing.T) {
	eachJoined(t, 2, func(j *joined) {
		j.run(remindedOn)
		rows.Write(j.T, j.db, func(tx *store.Tx) error {
			return tx.CreateNotices(j.Context(), []models.Notice{{
				CreditorID: j.creditor.ID, CustomerID: j.customer.ID, InvoiceID: j.invoices[1].ID, LetterID: 1, Sequence: 2, Fee: 1, IssueDate: remindedOn, DueDate: remindedOn + 14,
			}}, [][]models.NoticeLine{{{Position: 1}}})
		})
		found, err := ledger.Verify(j.Context(), j.db, j.creditor)
		if err != nil || !slices.Contains(found, ledger.Difference("the notices of the letter with id 1 charge more than one fee")) {
			j.Errorf("the books say %v, %v", found, err)
		}
		j.damaged = true
	})
}

// TestL23PlanAndForecastCountLetters asks the plan a page at a time: each knows the letter, and the fee stands where the run puts it.
func TestL23PlanAndForecastCountLetters(t *testing.T) {
	eachJoined(t, 3, func(j *joined) {
		on := rows.On(j.db, remindedOn)
		s, err := dunning.TakeSnapshot(j.Context(), on, law.Default(), j.creditor, remindedOn)
		if err != nil {
			j.Fatal(err)
		}
		for n, fee := range []models.Amount{38_00, 0, 0} {
			steps, total, err := s.Plan(j.Context(), remindedOn, store.Page{Number: n + 1, Size: 1})
			if err != nil || total != 3 || len(steps) != 1 || steps[0].Notice.Fee != fee || steps[0].Letter != 1 || steps[0].Rides != (n > 0) {
				j.Errorf("page %d of the plan has %+v of %d, %v", n+1, steps, total, err)
			}
		}
		sums, err := s.Sums(j.Context(), remindedOn)
		if err != nil || sums.Notices() != 3 || sums.Letters() != 1 || sums.Fees != 38_00 {
			j.Errorf("the plan in short is %+v, %v", sums.Totals, err)
		}
		forecasts, err := s.Forecast(j.Context(), 1)
		if err != nil || forecasts[0].Total().Letters() != 1 || forecasts[0].Total().Fees != 38_00 {
			j.Errorf("the forecast is %+v, %v", forecasts, err)
		}
		if result := j.run(remindedOn); result.Steps() != 3 || len(result.Documents) != 1 {
			j.Errorf("the run made %+v", result)
		}
	})
}
