// Package own gives each creditor its ways out (rule Q7): those that are its own, else the installation's, where another creditor than the
// first has a folder of its number. It reads a creditor's settings by the code that reads the installation's, says by which way something
// leaves and left, and is the act that changes them. Whoever sends asks Ways.Of, and nobody else opens a creditor's way.
package own

import (
	"context"
	"errors"
	"slices"
	"sync"

	"purr/dunning/collection/reports"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/shipments/receipts"
	"purr/mailer/ways"
	"purr/models"
	"purr/store"
)

// Way is a way out of one creditor.
type Way struct {
	ID        models.WayID
	Kind      string                 // such as models.WaySMTP
	Sender    string                 // the address that e-mails come from; empty if the creditor has none of its own
	Channel   mailer.Channel         // takes the shipments one by one; nil if none does
	Shop      *letters.Shop          // takes letters in batches; nil if none does
	Collector mailer.CollectorSender // takes what the debt collector gets; nil of other methods
	Err       error                  // why it cannot be opened: nothing leaves by it until it is set right
}

// Ways are the ways out of all creditors. They are safe for concurrent use.
type Ways struct {
	all      ways.All // the installation's
	settings map[models.ShipmentMethod]ways.Setting
	outbox   *mailer.Outbox

	mu     sync.Mutex
	opened map[models.WayID]opened
	first  int64 // the creditor that has the installation's folders themselves; 0 until it is known
}

// opened is a row that was opened. A row never changes, so it is opened once.
type opened struct {
	Way
	way ways.Way
}

// New returns the ways of the creditors of an installation, which has ways of its own that were opened by settings. The outbox takes what goes to a
// folder of this machine.
func New(all ways.All, settings map[models.ShipmentMethod]ways.Setting, outbox *mailer.Outbox) *Ways {
	return &Ways{all: all, settings: settings, outbox: outbox, opened: map[models.WayID]opened{}} //nolint:exhaustive // it is filled as rows are met
}

// Installation are the ways of an installation, by method.
type Installation map[models.ShipmentMethod]Way

// Reader is a database, or a transaction on one.
type Reader interface {
	CreditorWays(ctx context.Context, creditorID int64) ([]models.CreditorWay, error)
	FirstCreditor(ctx context.Context) (int64, error)
}

// Out are the ways out of one creditor as its rows have them at one moment.
type Out struct {
	now          map[models.ShipmentMethod]Way
	rows         map[models.WayID]Way // also those that were
	installation Installation
	numbered     map[models.ShipmentMethod]Way
	common       map[models.ShipmentMethod]models.WayID // the installation's way as this creditor has it
	had          []models.ShipmentMethod
}

// Of returns a creditor's ways out. Those that it has none of its own for are the installation's. A nil Ways gives those alone.
func (w *Ways) Of(ctx context.Context, from Reader, creditorID int64, installation Installation) (Out, error) {
	out := Out{installation: installation}
	out.now, out.numbered, out.common = map[models.ShipmentMethod]Way{}, map[models.ShipmentMethod]Way{}, map[models.ShipmentMethod]models.WayID{} //nolint:exhaustive // they are filled
	out.rows = map[models.WayID]Way{}                                                                                                              //nolint:exhaustive // likewise
	for m, way := range installation {
		out.now[m] = way
	}
	if w == nil {
		return out, nil
	}
	if err := w.number(ctx, from, creditorID, &out); err != nil {
		return out, err
	}
	rows, err := from.CreditorWays(ctx, creditorID)
	if err != nil {
		return out, err
	}
	for _, row := range rows {
		way := w.open(newest(rows, row), installation[row.Method]).Way
		out.rows[row.ID] = way
		if out.had = append(out.had, row.Method); row.ReplacedAt == nil {
			out.now[row.Method] = way
		}
	}
	return out, nil
}

// number gives another creditor than the first its folders in those of the installation that are on servers.
func (w *Ways) number(ctx context.Context, from Reader, creditorID int64, out *Out) error {
	for _, m := range methods {
		if w.all[m].OnServer() == "" {
			continue
		}
		first, err := w.firstCreditor(ctx, from)
		if err != nil {
			return err
		}
		numbered := w.all[m].Numbered(creditorID)
		way := out.installation[m]
		way.ID = models.NumberedFolder
		if way.Shop = numbered.Shop; m == models.Bundles {
			way.Collector = numbered.Collector(w.outbox)
		}
		out.numbered[m] = way
		if creditorID != first {
			out.now[m], out.common[m] = way, way.ID
		}
	}
	return nil
}

// firstCreditor returns the oldest creditor, who stays the oldest.
func (w *Ways) firstCreditor(ctx context.Context, from Reader) (int64, error) {
	w.mu.Lock()
	first := w.first
	w.mu.Unlock()
	if first != 0 {
		return first, nil
	}
	first, err := from.FirstCreditor(ctx)
	if err != nil {
		return 0, err
	}
	w.mu.Lock()
	w.first = first
	w.mu.Unlock()
	return first, nil
}

// open opens a row. With a mail server that is the installation's, it is the installation's channel, unless what signs is another.
func (w *Ways) open(row models.CreditorWay, installation Way) opened {
	w.mu.Lock()
	defer w.mu.Unlock()
	if o, is := w.opened[row.ID]; is {
		return o
	}
	o := opened{Way: Way{ID: row.ID}}
	r, faults := read(row.Method, row.Settings)
	switch {
	case len(faults) > 0:
		o.Err = faults
	case row.Method == models.ByEmail && r.mail.URL == "" && r.mail.BounceAddress == "" && r.mail.Signature.Key == "":
		o.Kind, o.Channel = installation.Kind, installation.Channel
	default:
		o = w.openWith(o, row.Method, setting(row.Method, r, w.settings[row.Method]))
	}
	o.Sender = r.mail.From
	if o.Err != nil {
		o.Channel, o.Collector = broken{o.Err}, broken{o.Err}
		return o // it is tried again: a file may be there by then
	}
	w.opened[row.ID] = o
	return o
}

func (w *Ways) openWith(o opened, m models.ShipmentMethod, s ways.Setting) opened {
	if o.way, o.Err = ways.Open(m, s); o.Err != nil {
		return o
	}
	o.Kind, o.Shop = o.way.Kind, o.way.Shop
	if o.Channel, o.Err = o.way.Channel(w.outbox); m == models.Bundles {
		o.Collector = o.way.Collector(w.outbox)
	}
	return o
}

// Now returns the way by which something leaves that is begun now.
func (o Out) Now(m models.ShipmentMethod) Way { return o.now[m] }

// By returns the way by which something has begun to leave. It reports false if nobody knows it any more.
func (o Out) By(m models.ShipmentMethod, id models.WayID) (Way, bool) {
	switch id {
	case o.now[m].ID:
		return o.now[m], true
	case models.InstallationsWay:
		return o.installation[m], true
	case models.NumberedFolder:
		way, is := o.numbered[m]
		return way, is
	}
	way, is := o.rows[id]
	return way, is
}

// Reached returns the way by which the other side of a way is reached now: it is the same side if only what one signs in with has changed,
// or the folder of an installation's way. Two ways with one other side have one answer.
func (o Out) Reached(m models.ShipmentMethod, id models.WayID) models.WayID {
	if !id.Own() {
		return o.common[m]
	}
	if way, is := o.rows[id]; is {
		return way.ID
	}
	return id
}

// Had reports whether the creditor has or had a way of its own for the method.
func (o Out) Had(m models.ShipmentMethod) bool { return slices.Contains(o.had, m) }

// Kinds returns the kinds of the creditor's ways, in the place of the installation's.
func (o Out) Kinds(installation models.Ways) models.Ways {
	kinds := models.Ways{} //nolint:exhaustive // it is filled
	for m, kind := range installation {
		kinds[m] = kind
	}
	for m, way := range o.now {
		if way.ID.Own() {
			kinds[m] = way.Kind
		}
	}
	return kinds
}

// broken is the channel of a way that cannot be opened. What goes by it waits until a person has set it right (rule D107).
type broken struct{ err error }

// HandOver refuses all.
func (b broken) HandOver(context.Context, mailer.Parcel) (mailer.Answer, error) {
	return mailer.Answer{}, models.Refuse(models.BlameSettings, b.err, "the creditor's own way cannot be used")
}

// SendToCollector refuses all.
func (b broken) SendToCollector(context.Context, string, []byte) error {
	return models.Refuse(models.BlameSettings, b.err, "the creditor's own way cannot be used")
}

// Receipts returns the folders in which print shops tell of letters that went to folders of single creditors. Each tells of its creditor's alone.
func (w *Ways) Receipts(ctx context.Context, db *store.DB) (found []*receipts.Way, err error) {
	went, err := db.WaysOfBatches(ctx)
	if err != nil {
		return nil, err
	}
	err = w.eachPlace(ctx, db, models.ByPaper, went, func(creditorID int64, way ways.Way) {
		if way.Receipts != nil {
			of := *way.Receipts
			of.Of = creditorID
			found = append(found, &of)
		}
	})
	return found, err
}

// Reports returns the folders in which debt collectors tell of claims whose bundles went to folders of single creditors, likewise.
func (w *Ways) Reports(ctx context.Context, db *store.DB) (found []*reports.Folder, err error) {
	went, err := db.WaysOfHandOvers(ctx)
	if err != nil {
		return nil, err
	}
	err = w.eachPlace(ctx, db, models.Bundles, went, func(creditorID int64, way ways.Way) {
		of := reports.New(way.CollectorReports(nil), 0)
		of.Of = creditorID
		found = append(found, of)
	})
	return found, err
}

// eachPlace calls do with each way that leads to a folder on a server.
func (w *Ways) eachPlace(ctx context.Context, db *store.DB, m models.ShipmentMethod, went []store.CreditorsWay, do func(creditorID int64, way ways.Way)) error {
	done := map[models.WayID]bool{} //nolint:exhaustive // it is filled
	for _, one := range went {
		if one.Way == models.NumberedFolder {
			if w.all[m].OnServer() != "" {
				do(one.CreditorID, w.all[m].Numbered(one.CreditorID))
			}
			continue
		}
		rows, err := db.CreditorWays(ctx, one.CreditorID)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(rows, func(row models.CreditorWay) bool { return row.ID == one.Way })
		if i < 0 {
			continue
		}
		row := newest(rows, rows[i])
		if o := w.open(row, Way{}); !done[row.ID] && o.Err == nil && o.way.OnServer() != "" {
			do(one.CreditorID, o.way)
		}
		done[row.ID] = true
	}
	return nil
}

// errNoSuchWay is why something cannot leave by the way that it has begun by.
var errNoSuchWay = errors.New("the way by which this began to leave is not known any more")

// Gone returns a way that nobody knows any more: what began by it waits for a person.
func Gone(id models.WayID) Way {
	return Way{ID: id, Err: errNoSuchWay, Channel: broken{errNoSuchWay}, Collector: broken{errNoSuchWay}}
}
