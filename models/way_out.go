package models

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"
)

// The kinds of ways out. All but the folder and none lead out of the machine by themselves: they are real ways (rule D105).
const (
	WayFolder = "folder"
	WaySMTP   = "smtp"
	WaySFTP   = "sftp"
	WayIPP    = "ipp"
	WayREST   = "rest"
	WayAP     = "ap"   // an access point
	WayNone   = "none" // there is none: its method is not set up (rule E20)
)

// Ways are the kinds of the ways by which a part hands over, by method. A method that is missing goes to a folder, or is not set up.
type Ways map[ShipmentMethod]string

// Real reports whether what goes by the method leaves by a real way.
func (w Ways) Real(m ShipmentMethod) bool { return w[m] != "" && w[m] != WayFolder && w[m] != WayNone }

// Of returns the kind of a method's way.
func (w Ways) Of(m ShipmentMethod) string {
	switch {
	case w.Real(m):
		return w[m]
	case m.NeedsSetting():
		return WayNone
	}
	return WayFolder
}

// String returns the ways as "EMAIL=smtp PAPER=folder …", always in the same order.
func (w Ways) String() string {
	var parts []string
	for _, m := range WayMethods {
		if of := w.Of(m); of != WayNone {
			parts = append(parts, string(m)+"="+of)
		}
	}
	return strings.Join(parts, " ")
}

// ParseWays reads what String returns. What it cannot read is a folder.
func ParseWays(s string) Ways {
	w := Ways{} //nolint:exhaustive // it is filled with what stands in the text
	for part := range strings.FieldsSeq(s) {
		if method, kind, is := strings.Cut(part, "="); is {
			w[ShipmentMethod(method)] = kind
		}
	}
	return w
}

// RealMethods returns the methods with a real way, sorted.
func (w Ways) RealMethods() []ShipmentMethod {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w)), func(m ShipmentMethod) bool { return !w.Real(m) })
}

// Why a shipment that is owed is kept back. It is the shipment's reason too, but for a refused one, which has the channel's words.
const (
	KeptRefused  = "refused"            // its channel refused it for a fault of the settings, or nobody knows yet whose fault it is (rule D107)
	KeptPaused   = "way_paused"         // its way is paused, since it refuses one after the other (rule D107)
	KeptMissing  = "way_missing"        // such ones have left by a real way, and the part that would hand it over has none (rule D105)
	KeptAudit    = "audit"              // the audit disagrees with what it says (rule U8)
	KeptNotReady = "creditor_not_ready" // the creditor lacks what a document that leaves must have (rule D108)
)

// WayOut is what is remembered of a way out: of a creditor's, by one method, how it refuses; of creditor 0, whether it was ever
// a real one in this installation.
type WayOut struct {
	CreditorID  int64          `gorm:"primaryKey;autoIncrement:false"`
	Method      ShipmentMethod `gorm:"primaryKey"`
	LeftBy      string         // of creditor 0: the kind of real way by which something has left, or empty (rule D105)
	Refusal     string         // what was answered last, time after time, without what differs from one recipient to the next
	Refused     string         // to whom: up to refusedInARow fingerprints, with blanks between them
	AcceptedAt  *time.Time     // when something was accepted after a refusal
	PausedSince *time.Time     // nil while the way is open
	NextTrial   *time.Time     // of a paused way: when one may leave on trial, in common time
	Trials      int            // since the way was paused
	Told        string         // the refusal of which a person was told last
	ToldAt      *time.Time     // when that was
	Lacks       string         // what the creditor lacked when a person was told last that its documents wait (rule D108)
}

// TableName is the table's name.
func (WayOut) TableName() string { return "ways_out" }

// refusedInARow is after how many different recipients in a row that got the same refusal a way is paused (rule D107).
const refusedInARow = 3

// tellAgain is how long a person is not told of the same refusal again.
const tellAgain = 24 * time.Hour

// Paused reports whether nothing leaves but on trial.
func (w *WayOut) Paused() bool { return w.PausedSince != nil }

// Accept notes that the way has accepted a shipment. It reports whether that ends a pause.
func (w *WayOut) Accept(now time.Time) (resumed bool) {
	resumed = w.Paused()
	w.Refusal, w.Refused, w.AcceptedAt, w.PausedSince, w.NextTrial, w.Trials = "", "", &now, nil, nil, 0
	return resumed
}

// Refusal is a refusal of a shipment, as its channel gave it.
type Refusal struct {
	Blame     Blame
	Words     string     // see RefusalWords
	Recipient string     // who; what stands after an @ is the domain
	Since     *time.Time // when the shipment was first tried, or nil if that is not known
	Overdue   bool       // it was tried for GiveUpAfter
	Waited    bool       // it has waited for as long as one does of which nobody knows whose fault it is (see Shipment.WaitedUnclear)
}

// Heard is what a way makes of a refusal.
type Heard struct {
	Owed   bool  // the shipment stays owed
	Paused bool  // the way is paused from now on
	Blame  Blame // whose fault it is, as far as the way knows by now
}

// Refuse notes a refusal.
//
// A fault of the settings leaves the shipment owed without end. So does a refusal that may be either's once the way has refused
// several domains alike, or is paused: that is the settings' fault. Before, it leaves the shipment owed until the way has accepted
// another one since, or the shipment has waited. Three different recipients in a row with the same refusal pause the way,
// whosesoever it seems to be. A paused way leaves all owed: one that is the recipient's own for a day.
func (w *WayOut) Refuse(r Refusal, now, common time.Time) Heard {
	if w.Refusal != r.Words {
		w.Refusal, w.Refused = r.Words, ""
	}
	who := strings.Fields(w.Refused)
	if mark := fingerprint(r.Recipient); !slices.Contains(who, mark) && len(who) < refusedInARow {
		who = append(who, mark)
		w.Refused = strings.Join(who, " ")
	}
	h := Heard{Paused: len(who) == refusedInARow && !w.Paused(), Blame: r.Blame}
	if h.Paused {
		next := common.Add(RetryPause(1))
		w.PausedSince, w.NextTrial, w.Trials = &now, &next, 0
	}
	if h.Blame == BlameUnclear && (w.Paused() || severalDomains(who)) {
		h.Blame = BlameSettings
	}
	switch h.Blame {
	case BlameSettings:
		h.Owed = true
	case BlameUnclear:
		h.Owed = !r.Waited && !w.acceptedSince(r.Since, now)
	case BlameUnknown: // the way works: see shipments.hearMethod
	case BlameRecipient:
		h.Owed = w.Paused() && !r.Overdue
	}
	return h
}

// acceptedSince reports whether the way has accepted something since a moment; false if that is not known. What a clock noted that was
// ahead says nothing (rule D117).
func (w *WayOut) acceptedSince(since *time.Time, now time.Time) bool {
	return w.AcceptedAt != nil && since != nil && !w.AcceptedAt.Before(*since) && !w.AcceptedAt.After(now)
}

// longestTrialPause is the longest pause between two trials of a paused way.
const longestTrialPause = 15 * time.Minute

// LongestTrialWait is the longest wait for a trial of a paused way. What is put off further was put off by a clock that was ahead
// (rule D117).
const LongestTrialWait = longestTrialPause + ClockSlack

// Try counts a trial of a paused way, and puts the next one off.
func (w *WayOut) Try(common time.Time) {
	w.Trials++
	next := common.Add(min(RetryPause(w.Trials+1), longestTrialPause))
	w.NextTrial = &next
}

// Tell reports whether a person is to be told of a refusal, and notes that. The same one is told once a day; that it was told at a
// moment that is still to come, by a clock that was ahead, does not count.
func (w *WayOut) Tell(words string, now time.Time) bool {
	if w.Told == words && w.ToldAt != nil && !w.ToldAt.After(now) && now.Sub(*w.ToldAt) < tellAgain {
		return false
	}
	w.Told, w.ToldAt = words, &now
	return true
}

// fingerprint returns what tells recipients apart, and their domains, without showing them.
func fingerprint(recipient string) string {
	_, domain, _ := strings.Cut(recipient, "@")
	short := func(s string) string {
		const bytes = 6
		sum := sha256.Sum256([]byte(strings.ToLower(s)))
		return hex.EncodeToString(sum[:bytes])
	}
	return short(recipient) + "@" + short(domain)
}

func severalDomains(fingerprints []string) bool {
	domains := map[string]bool{}
	for _, f := range fingerprints {
		_, domain, _ := strings.Cut(f, "@")
		domains[domain] = true
	}
	return len(domains) > 1
}
