package shipments

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/documents"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// Again says how a shipment is sent again. The zero value sends it as before.
type Again struct {
	Method models.ShipmentMethod
	Email  string      // the address of an e-mail; it implies models.ByEmail
	Seen   models.Seen // the shipment, as the person saw it (LookAt); may be empty (rule D115)

	moved models.Recipient // of a letter that came back: the customer, who has another address since; or zero
}

// LookAt returns what a person sees of a shipment that failed or came back: that nobody has sent it again, and what was told of
// it since.
func LookAt(s models.Shipment) models.Seen {
	look := string(s.State)
	for _, at := range []*time.Time{s.RetriedAt, s.ReportedAt} {
		if at == nil {
			look += " -"
			continue
		}
		look += " " + strconv.FormatInt(at.Unix(), 10)
	}
	return models.Seen(look)
}

// RetryFailed makes all of a creditor's shipments that failed due again, and returns their number.
func RetryFailed(ctx context.Context, db *store.DB, creditorID int64, actor string) (n int, err error) {
	failed, err := db.FailedShipments(ctx, creditorID)
	if err != nil {
		return 0, err
	}
	return retryEach(ctx, db, failed, actor)
}

// retryEach makes the shipments due again, each in a transaction of its own, and returns their number. It leaves out those
// that somebody else was faster with, and those that may not be sent again.
func retryEach(ctx context.Context, db *store.DB, ids []int64, actor string) (n int, err error) {
	for _, id := range ids {
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			_, err := Retry(ctx, tx, id, Again{}, actor)
			return err
		})
		if models.KindOf(err) == models.KindConflict {
			continue
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// RetryGivenUp makes the letters of a creditor's notices due again that were given up because the channel was away, once
// works says that it works again (rule L2). Take issues their notices anew.
func RetryGivenUp(ctx context.Context, db *store.DB, creditorID int64, works func(ctx context.Context) error) error {
	letters, err := db.FailedLetters(ctx, creditorID)
	if err != nil {
		return err
	}
	var ids []int64
	for _, s := range letters {
		if s.GivenUp {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) > 0 && works(ctx) == nil {
		_, err = retryEach(ctx, db, ids, models.ActorProgram)
	}
	return err
}

// Retry makes a shipment that failed or came back due at once, with all its attempts again, and returns it (rules R5c,
// S1a). One that waits because it was refused for a fault of the settings (rule D107), or that a clock which was ahead has put off (rule
// D117), is due at once too. If the letter of a notice is sent again that was withdrawn because the letter failed, the notice is issued anew (rule
// L2). If the shipment goes by another method, Retry returns a new one that takes its place, and leaves the old one as it is. So it does
// with a letter that came back: it goes to the address that the customer has by now (rule N8), and is refused with the conflict same_address
// while that is the old one.
// It fails with the conflict not_failed unless the shipment failed or came back and nothing else was done about that, and
// with the conflicts of dunning.CanSendAgain, and with changed_meanwhile if it is not as it was seen (rule D115). What is withdrawn
// is never sent again.
func Retry(ctx context.Context, tx *store.Tx, id int64, how Again, actor string) (models.Shipment, error) {
	s, err := tx.Shipment(ctx, id)
	if err != nil {
		return models.Shipment{}, err
	}
	locked, customer, err := lockFailed(ctx, tx, s.CreditorID, []Failed{{ID: id}})
	if err != nil {
		return models.Shipment{}, err
	}
	return retryLocked(ctx, tx, locked[id], customer, how, actor)
}

// retryLocked does what Retry does with a locked shipment, whose customer is locked too, and the invoice if it is a notice's.
func retryLocked(ctx context.Context, tx *store.Tx, s models.Shipment, c models.Customer, how Again, actor string) (models.Shipment, error) {
	others, err := tx.ShipmentsOf(ctx, s.Document())
	if err != nil {
		return models.Shipment{}, err
	}
	if err := tx.Same(ctx, s.CreditorID, models.Thing{Kind: models.ThingShipment, ID: s.ID}, how.Seen, LookAt(s)); err != nil {
		return models.Shipment{}, err
	}
	if s.WaitsForPerson(tx.Common) && how == (Again{Seen: how.Seen}) {
		text := "is tried at once, by " + actor
		if s.PutOff(tx.Common) {
			text += ": a clock that was ahead had put it off"
			s.Forget()
		}
		if s.KeptBack == models.KeptAudit {
			s.KeptBack = "" // it is issued anew if its day is over, by what stands now
		}
		s.NextAttempt = tx.Common
		return s, update(ctx, tx, s, models.EventShipmentRetried, actor, text)
	}
	if err := retriable(s, others); err != nil {
		return models.Shipment{}, err
	}
	if err := stands(ctx, tx, s); err != nil {
		return models.Shipment{}, err
	}
	if how, err = how.elsewhere(s, c); err != nil {
		return models.Shipment{}, err
	}
	before := s.Method
	if s, err = how.apply(ctx, tx, s, others); err != nil {
		return models.Shipment{}, err
	}
	moved := how.moved != models.Recipient{}
	if s.Method == before && !moved {
		retried := tx.Now.Truncate(time.Second) // a bounce may tell of the same second
		s.Forget()
		s.State, s.NextAttempt = models.ShipmentOwed, tx.Common
		s.SentAt, s.DeliveredAt, s.Receipt, s.Reason, s.RetriedAt, s.ReportedAt = nil, nil, "", "", &retried, nil
		return s, update(ctx, tx, s, models.EventShipmentRetried, actor, "is tried again, by "+actor)
	}
	text := "is sent in the place of one " + before.InWords()
	if moved {
		s.Recipient = how.moved
		text = "is sent to another address, in the place of one that came back"
	}
	fresh, err := inPlace(ctx, tx, s)
	if err != nil {
		return models.Shipment{}, err
	}
	return fresh, update(ctx, tx, fresh, models.EventShipmentRetried, actor, text+", by "+actor)
}

// elsewhere returns how a shipment is sent again: a letter that came back and is to go as a letter again goes to the address that the
// customer has by now (rule N8). It fails with the conflict same_address if that is the one it came back from.
func (how Again) elsewhere(s models.Shipment, c models.Customer) (Again, error) {
	method := cmp.Or(how.Method, s.Method)
	if how.Method == "" && how.Email != "" {
		method = models.ByEmail
	}
	if !method.IsLetter() || !s.Method.IsLetter() || s.State != models.ShipmentReturned {
		return how, nil
	}
	if !HasMoved(s, c) {
		return how, models.Conflict("same_address", "shipment %d came back from the address that the customer still has: the customer needs another one first", s.ID)
	}
	if lacks := method.LacksAddress(c.Recipient, "email"); lacks != nil {
		return how, lacks
	}
	how.moved = c.Recipient
	return how, nil
}

// inPlace writes a new shipment in the place of one, by the method and to the recipient that the caller has put into it.
func inPlace(ctx context.Context, tx *store.Tx, s models.Shipment) (models.Shipment, error) {
	fresh := []models.Shipment{models.NewShipment(s.CreditorID, s.Document(), s.Role(), s.Method, s.Recipient)}
	fresh[0].FallbackOf, fresh[0].MoreTime, fresh[0].Correction, fresh[0].Friendly, fresh[0].Ordinary = s.ID, s.MoreTime, s.Correction, s.Friendly, s.Ordinary
	if err := tx.CreateShipments(ctx, fresh); err != nil {
		return models.Shipment{}, err
	}
	return fresh[0], nil
}

// RetryOf does what Retry does with a shipment of the creditor.
func RetryOf(ctx context.Context, tx *store.Tx, creditorID, id int64, how Again, actor string) (models.Shipment, error) {
	s, err := tx.CreditorShipment(ctx, creditorID, id)
	if err != nil {
		return models.Shipment{}, err
	}
	return Retry(ctx, tx, s.ID, how, actor)
}

// retriable fails with a conflict if a person cannot have the shipment sent again. others are all of its document.
func retriable(s models.Shipment, others []models.Shipment) error {
	switch {
	case s.State == models.ShipmentWithdrawn:
		return models.Conflict("not_failed", "shipment %d is withdrawn, and so is what it says", s.ID)
	case s.State != models.ShipmentFailed && s.State != models.ShipmentReturned:
		return models.Conflict("not_failed", "shipment %d is %s; only one that failed or came back is sent again", s.ID, s.State)
	case s.IsNoticeMail():
		return models.Conflict("not_failed", "shipment %d is a reminder by e-mail: it is issued anew on paper on the next sending day", s.ID)
	case s.InHand():
		return models.Conflict("not_failed", "shipment %d is just being handed over", s.ID)
	}
	if i := slices.IndexFunc(others, func(o models.Shipment) bool { return o.FallbackOf == s.ID }); i >= 0 {
		return models.Conflict("not_failed", "shipment %d has taken the place of shipment %d", others[i].ID, s.ID)
	}
	return nil
}

// stands fails if what a shipment says is no longer so: for a notice with a conflict of dunning.CanSendAgain, for its copy with those of
// SendCopy, and for a letter of more time and a friendly reminder with not_failed. Other shipments pass.
func stands(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	if saysMore(s) {
		so, err := saysWhatIs(ctx, tx, s.CreditorID, []models.Shipment{s})
		if err == nil && !so[s.ID] {
			over := "the time that shipment %d tells of is over, or was ended"
			switch {
			case isPlanLetter(s):
				over = "the payment plan that shipment %d confirms is over"
			case s.Ordinary != 0:
				over = "what shipment %d asks for is paid, closed or handed over"
			case s.Role() == models.Friendly:
				over = "what shipment %d reminds of is paid, closed, or reminded of by a notice"
			}
			err = models.Conflict("not_failed", over, s.ID)
		}
		return err
	}
	if s.DocumentKind != models.NoticeDocument && !s.DocumentKind.Joint() {
		return nil
	}
	if s.Role() == models.Duplicate {
		return copyable(ctx, tx, s.CreditorID, s.Document())
	}
	r, err := documents.Read(ctx, tx, s.CreditorID, s.Document())
	if err != nil {
		return err
	}
	if s.DocumentKind.Joint() {
		return dunning.CanSendLetterAgain(r.Invoices(), r.Notices())
	}
	return dunning.CanSendAgain(r.Invoice, r.Notice)
}

// apply returns the shipment with the method and the address by which it is sent again.
func (how Again) apply(ctx context.Context, tx *store.Tx, s models.Shipment, others []models.Shipment) (models.Shipment, error) {
	before := s.Method
	s.Method = cmp.Or(how.Method, s.Method)
	if how.Method == "" && how.Email != "" {
		s.Method = models.ByEmail
	}
	if s.Method == before && how.Email == "" {
		return s, nil
	}
	if fault := s.Method.Carries(s.DocumentKind, s.Role()); fault != nil {
		return s, fault
	}
	switch {
	case s.Method != models.ByEmail && how.Email != "":
		return s, models.Invalid("invalid_shipment_method", "shipment_method", "only EMAIL goes to an e-mail address")
	case s.Method == models.ByEHF:
		return s, expressible(ctx, tx, s)
	case s.Method == models.ByEFaktura:
		return s, payable(ctx, tx, s)
	case s.Method != models.ByEmail:
		return s, nil
	}
	if s.Recipient.Email = cmp.Or(how.Email, s.Recipient.Email); s.Recipient.Email == "" {
		c, err := tx.CustomerOf(ctx, s.Document())
		if err != nil {
			return s, err
		}
		s.Recipient.Email = c.Recipient.Email
	}
	switch taken := func(o models.Shipment) bool {
		once := !o.Role().Besides() && !s.Role().Besides() // one that goes besides may go where others went
		return once && o.ID != s.ID && o.Method == models.ByEmail && strings.EqualFold(o.Recipient.Email, s.Recipient.Email)
	}; {
	case s.Recipient.Email == "":
		return s, models.Invalid("email_required", "shipment_method", "delivery by EMAIL needs an e-mail address")
	case !models.ValidEmail(s.Recipient.Email):
		return s, models.Invalid("invalid_email", "email", "is not a valid e-mail address")
	case slices.ContainsFunc(others, taken):
		return s, models.Invalid("repeated_address", "email", "the document goes to this address already")
	}
	return s, nil
}

// payable fails if the invoice of a shipment cannot go by eFaktura: that is not set up, or the invoice names no account (rule E20).
func payable(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	if there, err := tx.SetUp(ctx, s.Method); err != nil || !there {
		return cmp.Or[error](err, s.Method.NotSetUp())
	}
	r, err := documents.Read(ctx, tx, s.CreditorID, s.Document())
	if err != nil {
		return err
	}
	creditor, err := tx.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	creditor.BankAccount = cmp.Or(r.Invoice.BankAccount, creditor.BankAccount)
	for _, l := range s.Method.Lacks(creditor, s.Recipient, r.Invoice.Order) {
		return models.Invalid(l.Code, "shipment_method", "%s", l.Msg)
	}
	return nil
}

// expressible fails if the document of a shipment cannot go by EHF (rule H1).
func expressible(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	creditor, err := tx.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	r, err := documents.Read(ctx, tx, s.CreditorID, s.Document())
	if err != nil {
		return err
	}
	if lacks := models.LacksForEHF(creditor, s.Recipient, r.Invoice.Order); lacks != nil {
		return lacks
	}
	return nil
}
