package jobs

import (
	"context"
	"sync"
	"time"

	"purr/documents"
	"purr/internal/clock"
	"purr/mailer"
	"purr/mailer/shipments"
	"purr/models"
)

// load is shipments of one creditor that a lane has taken together. They are read, drawn, kept and recorded together, and
// handed over one after the other, or together where the channel can. What comes of one leaves the others alone.
type load struct {
	w       *Worker
	holding *tenancy
	contents

	mu   sync.Mutex
	left []taken      // to be handed over, in order
	over []handedOver // not recorded yet
	back bool         // some were put back
}

// taken is a shipment that a lane has in hand.
type taken struct {
	models.Shipment
	leaves time.Time // not before this moment: an e-mail that waits for its turn
}

// handedOver is what came of a shipment.
type handedOver struct {
	shipments.Outcome
	unmark func() // to be called when it is recorded
}

// contents are what the parcels of a load are made of.
type contents struct {
	pdfs         map[models.Document]documents.PDF
	creditor     models.Creditor
	installation string
	customers    map[int64]models.Customer // of the e-mails
}

// dispatch hands the load over. At the end of the turn, also while a slow channel has one in hand, it records what came
// of the others and puts back what is left. What leaves together, and the first of the rest, is tried in any case.
func (l *load) dispatch(ctx, turn context.Context) {
	if err := l.read(ctx); err != nil {
		l.fail(err)
		l.record(ctx)
		return
	}
	together := l.together()
	s, more := l.next()
	ended := make(chan struct{})
	stop := context.AfterFunc(turn, func() {
		defer close(ended)
		l.record(ctx)
	})
	for channel, ss := range together {
		l.dispatchAll(ctx, channel, ss)
	}
	var refused streak
	for ; more; s, more = l.next() {
		over := l.dispatchOne(ctx, s)
		l.add(over)
		if turn.Err() != nil || l.w.turns.over() || refused.goesOn(over.Outcome) {
			break
		}
	}
	if !stop() {
		<-ended
	}
	l.record(ctx)
}

// streak counts refusals of a load that are alike, one after the other.
type streak struct {
	words string
	n     int
}

// goesOn reports whether so many shipments were refused alike that the rest of the load goes back: what they tell of their way is
// to be noted first (rule D107).
func (s *streak) goesOn(o shipments.Outcome) bool {
	const most = 3
	if o.Unsent || o.Failure == nil || !models.IsRefused(o.Failure) {
		*s = streak{}
		return false
	}
	if words := models.RefusalWords(o.Failure.Error()); words != s.words {
		*s = streak{words: words}
	}
	s.n++
	return s.n >= most
}

// together takes those out whose channels take several at once, by channel.
func (l *load) together() map[mailer.Bulk][]taken {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, left := map[mailer.Bulk][]taken{}, []taken(nil)
	for _, s := range l.left {
		if bulk, is := l.w.Channels[s.Method].(mailer.Bulk); is && s.leaves.IsZero() && !s.Accepted() {
			found[bulk] = append(found[bulk], s)
		} else {
			left = append(left, s)
		}
	}
	l.left = left
	return found
}

// dispatchAll gives shipments to their channel at once.
func (l *load) dispatchAll(ctx context.Context, channel mailer.Bulk, ss []taken) {
	var ready []models.Shipment
	var parcels []mailer.Parcel
	for _, s := range ss {
		parcel, over := l.pack(ctx, s)
		if over != nil {
			l.add(*over)
			continue
		}
		ready, parcels = append(ready, s.Shipment), append(parcels, parcel)
	}
	began := l.w.Runs.Clock.Now()
	for i, r := range channel.HandOverAll(ctx, parcels) {
		l.add(l.answered(ready[i], began, r.Answer, r.Err))
	}
}

// dispatchOne gives a shipment to its channel.
func (l *load) dispatchOne(ctx context.Context, s taken) handedOver {
	parcel, over := l.pack(ctx, s)
	if over != nil {
		return *over
	}
	began := l.w.Runs.Clock.Now()
	answer, err := handOver(ctx, l.w.Channels[s.Method], &s.Shipment, parcel)
	if err != nil {
		return l.answered(s.Shipment, began, answer, err)
	}
	if l.w.Wall != nil { // channels do not live in simulated time
		answer.Ago = 0
	}
	if parcel.DayOver {
		answer, err = l.afterItsDay(ctx, s, parcel, answer)
	}
	return l.answered(s.Shipment, began, answer, err)
}

// asItEnds is how long after the end of a day what a channel has sent by then counts as sent on that day, if the channel does
// not tell when it was.
const asItEnds = time.Minute

// afterItsDay takes a notice's letter back that its channel has not sent by the end of its day, if the channel can (rule D94). It
// returns what the channel then says of it.
func (l *load) afterItsDay(ctx context.Context, s taken, p mailer.Parcel, answer mailer.Answer) (mailer.Answer, error) {
	if canceler, can := l.w.Channels[s.Method].(mailer.Canceler); can && answer.Pending {
		p.Receipt = answer.Receipt
		answer, err := canceler.Cancel(ctx, p)
		if err != nil || l.w.Wall == nil {
			return answer, err
		}
		answer.Ago = 0
		return answer, nil
	}
	if answer.Pending || answer.Ago != 0 {
		return answer, nil
	}
	zone, err := l.creditor.Location()
	if err != nil {
		return answer, err
	}
	now := l.w.Runs.Clock.Now().In(zone)
	year, month, day := now.Date()
	if since := now.Sub(time.Date(year, month, day, 0, 0, 0, 0, zone)); since < asItEnds {
		answer.Ago = since + time.Microsecond
	}
	return answer, nil
}

// pack returns what the channel of a shipment gets, or else what came of the shipment without it: it is not tried if others may
// have taken it.
func (l *load) pack(ctx context.Context, s taken) (mailer.Parcel, *handedOver) {
	over := &handedOver{shipments.Outcome{Taken: s.Shipment, Unsent: true, Rows: l.pdfs[s.Document()].Rows}, func() {}}
	mayLeave := func() error { return l.w.Holder.stillOurs(l.holding) }
	if mayLeave() != nil {
		over.Untried = true
		return mailer.Parcel{}, over
	}
	if s.Method == models.Auto {
		over.Way, over.Failure = l.w.wayOf(ctx, s.Shipment)
		over.Decided = over.Failure == nil
		return mailer.Parcel{}, over
	}
	parcel, err := l.w.parcel(ctx, s.Shipment, l.contents)
	if err == nil {
		err = pauseUntil(ctx, s.leaves)
	}
	if err != nil {
		over.Failure = err
		return mailer.Parcel{}, over
	}
	parcel.MayLeave = mayLeave
	return parcel, nil
}

// answered returns what came of a shipment that was handed over, and marks what the channel has accepted. It left when the
// hand-over began, or before, as the channel tells.
func (l *load) answered(s models.Shipment, began time.Time, answer mailer.Answer, err error) handedOver {
	over := handedOver{shipments.Outcome{Taken: s, Failure: err, Rows: l.pdfs[s.Document()].Rows}, func() {}}
	if err != nil {
		return over
	}
	over.Receipt, over.Pending, over.Canceled, over.At = answer.Receipt, answer.Pending, answer.Canceled, began.Add(-answer.Ago)
	if answer.Canceled {
		return over
	}
	if l.w.Ways.Real(s.Method) {
		over.By = l.w.Ways.Of(s.Method)
	}
	over.unmark = l.w.mark(l.holding.marks, func() (mark, bool) {
		receipt := models.Foreign(answer.Receipt, models.MaxReceipt)
		return mark{
			Kind: kindShip, CreditorID: s.CreditorID, ID: s.ID, Attempt: s.Attempts, Receipt: receipt, Pending: answer.Pending, At: over.At,
		}, !answer.Repeatable
	})
	return over
}

// read reads what the parcels are made of. It makes the PDFs that are not made yet.
func (l *load) read(ctx context.Context) (err error) {
	ss := make([]models.Shipment, len(l.left))
	for i, t := range l.left {
		ss[i] = t.Shipment
	}
	l.contents, err = l.w.contentsOf(ctx, ss)
	return err
}

// contentsOf reads what the parcels of shipments of one creditor are made of. It makes the PDFs that are not made yet.
func (w *Worker) contentsOf(ctx context.Context, ss []models.Shipment) (of contents, err error) {
	creditorID := ss[0].CreditorID
	if of.creditor, err = w.DB.Creditor(ctx, creditorID); err != nil {
		return contents{}, err
	}
	if of.installation, err = w.DB.InstallationID(ctx); err != nil {
		return contents{}, err
	}
	var ds, ehf []models.Document
	seen := map[models.Document]bool{}
	for _, s := range ss {
		if d := s.Document(); !seen[d] {
			ds, seen[d] = append(ds, d), true
		}
		if s.Method == models.ByEHF {
			ehf = append(ehf, s.Document())
		}
	}
	of.pdfs = w.Documents.PDFs(ctx, creditorID, ds, ehf...)
	var mailed []int64
	for _, s := range ss {
		if s.Method == models.ByEmail {
			mailed = append(mailed, of.pdfs[s.Document()].Head.CustomerID)
		}
	}
	if len(mailed) > 0 {
		of.customers, err = w.DB.CustomersByID(ctx, creditorID, mailed)
	}
	return of, err
}

// next takes the next shipment out of those that are left, and returns false if there is none.
func (l *load) next() (taken, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.left) == 0 {
		return taken{}, false
	}
	s := l.left[0]
	l.left = l.left[1:]
	return s, true
}

func (l *load) add(o handedOver) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = append(l.over, o)
}

// fail fails those that are left.
func (l *load) fail(failure error) {
	for s, more := l.next(); more; s, more = l.next() {
		l.add(handedOver{shipments.Outcome{Taken: s.Shipment, Failure: failure, Unsent: true}, func() {}})
	}
}

// pauseUntil waits until a moment, and fails if the context ends before.
func pauseUntil(ctx context.Context, moment time.Time) error {
	d := moment.Sub(clock.System{}.Now())
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return models.Unavailable("the channel", ctx.Err())
	}
}
