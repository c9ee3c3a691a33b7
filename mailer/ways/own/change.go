package own

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"purr/internal/address"
	"purr/internal/config"
	"purr/internal/remote"
	"purr/mailer/shipments"
	"purr/mailer/ways"
	"purr/models"
	"purr/store"
)

// Value is a setting as a creditor has it.
type Value struct {
	Setting
	Shown string // without secrets; empty if it is the installation's
}

// Show returns all settings as the rows of a creditor have them, in the order in which they are shown.
func Show(rows []models.CreditorWay) (all []Value) {
	given := present(rows)
	for _, s := range Settings() {
		all = append(all, Value{s, s.Shown(given[s.Method][s.Key])})
	}
	return all
}

// SeenOf says which of a creditor's ways a person saw, for Change (rule D115).
func SeenOf(rows []models.CreditorWay) models.Seen {
	words := []string{"ways"} // one word together: a form of before a first row is not the beginning of one with it
	for _, row := range rows {
		if row.ReplacedAt == nil {
			words = append(words, strconv.FormatInt(int64(row.ID), 10))
		}
	}
	return models.Seen(strings.Join(words, "-"))
}

// present returns the settings that count now, by method.
func present(rows []models.CreditorWay) map[models.ShipmentMethod]models.WaySettings {
	given := map[models.ShipmentMethod]models.WaySettings{} //nolint:exhaustive // it is filled
	for _, row := range rows {
		if row.ReplacedAt == nil {
			given[row.Method] = row.Settings
		}
	}
	return given
}

// Who changes a creditor's ways.
type Who struct {
	Actor     string
	OnMachine bool // at the command line, where files of the machine may be named
	Public    bool // only servers with public addresses may be named, and are connected to
	Seen      models.Seen
}

// Changer changes the ways of creditors.
type Changer struct {
	Settings map[models.ShipmentMethod]ways.Setting // the installation's
}

// schema is the first schema whose programs let creditors have their own ways.
const schema = 83

// Change sets settings of a creditor's ways, by their names: an empty value clears one, so that it is the installation's again, and a value that is
// as Show shows it stays. It checks them as the installation's are checked, and returns the creditor's rows. It fails with models.Errors, each
// of which names its setting, and then changes nothing; with the conflict changed_meanwhile if they are not as they were seen; and with the
// kind unavailable while a part of a release lives that knows nothing of them. What is begun ends by the way that it began by.
func (c Changer) Change(ctx context.Context, tx *store.Tx, creditorID int64, change map[string]string, who Who) ([]models.CreditorWay, error) {
	if err := c.noOlderPart(ctx, tx); err != nil {
		return nil, err
	}
	for _, m := range methods { // the installation's too: two that set one folder wait for each other
		for _, owner := range []int64{0, creditorID} {
			if _, err := tx.LockWayOut(ctx, owner, m); err != nil {
				return nil, err
			}
		}
	}
	every, err := tx.LockCreditorWays(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := tx.LockCreditor(ctx, creditorID); err != nil {
		return nil, err
	}
	rows := slices.DeleteFunc(slices.Clone(every), func(w models.CreditorWay) bool { return w.CreditorID != creditorID })
	if err := tx.Same(ctx, creditorID, models.Thing{Kind: models.ThingWays, ID: creditorID}, who.Seen, SeenOf(rows)); err != nil {
		return nil, err
	}
	given, changed, faults := apply(present(rows), change, who)
	for _, m := range methods {
		if len(changed[m]) > 0 {
			faults = append(faults, check(m, given[m], c.Settings[m], changed[m])...)
			faults = append(faults, c.folder(creditorID, m, given[m], every)...)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	reached, err := reachedBy(ctx, tx, creditorID)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range methods {
		if len(changed[m]) == 0 {
			continue
		}
		names = append(names, changed[m]...)
		if err := tx.SetCreditorWay(ctx, &models.CreditorWay{CreditorID: creditorID, Method: m, Settings: given[m]}, reached); err != nil {
			return nil, err
		}
		if err := shipments.WayChanged(ctx, tx, creditorID, m); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return rows, nil
	}
	if err := tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventWayChanged, Actor: who.Actor, SubjectID: creditorID,
		Text: fmt.Sprintf("By which ways documents leave was changed by %s: %s", who.Actor, strings.Join(names, ", ")), Facts: models.Facts{"changed": names},
	}); err != nil {
		return nil, err
	}
	return tx.CreditorWays(ctx, creditorID)
}

// reachedBy returns by which of a creditor's rows the other side of each of them is reached now.
func reachedBy(ctx context.Context, tx *store.Tx, creditorID int64) (map[models.WayID]models.WayID, error) {
	rows, err := tx.CreditorWays(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	reached := map[models.WayID]models.WayID{} //nolint:exhaustive // it is filled
	for _, row := range rows {
		reached[row.ID] = newest(rows, row).ID
	}
	return reached, nil
}

// noOlderPart fails while a part lives that would send by the installation's way what has one of its own (rule K3a).
func (c Changer) noOlderPart(ctx context.Context, tx *store.Tx) error {
	present, err := tx.Present(ctx, tx.Common)
	if err != nil {
		return err
	}
	for _, p := range present.Parts {
		if p.SchemaMin < schema {
			return &models.Error{
				Kind: models.KindUnavailable, Code: "unavailable",
				Msg: fmt.Sprintf("a part of an earlier release runs still (%s on %s), which knows no ways of a creditor's own: finish the upgrade first", p.Kind, p.Host),
			}
		}
	}
	return nil
}

// apply returns the settings with a change, by method, and the names of those that are changed by it.
func apply(given map[models.ShipmentMethod]models.WaySettings, change map[string]string, who Who) (
	after map[models.ShipmentMethod]models.WaySettings, changed map[models.ShipmentMethod][]string, faults models.Errors,
) {
	after, changed = map[models.ShipmentMethod]models.WaySettings{}, map[models.ShipmentMethod][]string{} //nolint:exhaustive // they are filled
	for m, settings := range given {
		after[m] = maps.Clone(settings)
	}
	known := Settings()
	for _, key := range slices.Sorted(maps.Keys(change)) {
		if !slices.ContainsFunc(known, func(s Setting) bool { return s.Key == key }) {
			faults.Add("invalid_setting", elementOf(key), "%s: no creditor has such a setting of its own", key)
		}
	}
	for _, s := range known {
		value, sent := change[s.Key]
		before := given[s.Method][s.Key]
		if !sent || value == before || value != "" && value == s.Shown(before) {
			continue
		}
		switch {
		case strings.Contains(value, config.Masked):
			faults.Add("masked_value", s.Element(), "%s: has asterisks where its secret was: write it whole", s.Key)
			continue
		case s.OnMachine && !who.OnMachine:
			faults.Add("only_on_machine", s.Element(), "%s: names a file of the machine, so only its operator sets it: purr creditor way", s.Key)
			continue
		case who.Public && address.NamesPrivate(value):
			faults.Add("private_address", s.Element(), "%s: must name a server with a public address; only the operator may set another one", s.Key)
			continue
		}
		if after[s.Method] == nil {
			after[s.Method] = models.WaySettings{}
		}
		if after[s.Method][s.Key] = value; value == "" {
			delete(after[s.Method], s.Key)
		}
		if slices.Contains(urls, s.Key) {
			delete(after[s.Method], onlyPublic)
			if value != "" && who.Public {
				after[s.Method][onlyPublic] = "on"
			}
		}
		changed[s.Method] = append(changed[s.Method], s.Key)
	}
	return after, changed, faults
}

// folder refuses a folder on a server that another creditor has, or the installation (rule Q7).
func (c Changer) folder(creditorID int64, m models.ShipmentMethod, given models.WaySettings, every []models.CreditorWay) models.Errors {
	key := map[models.ShipmentMethod]string{models.ByPaper: "letters-url", models.Bundles: "collection-sftp-url"}[m] //nolint:exhaustive // e-mails go to no folder
	folder := remote.Access{URL: given[key]}.Folder()
	if folder == "" {
		return nil
	}
	taken := func(by string) models.Errors {
		return models.Errors{models.Invalid("folder_taken", elementOf(key), "%s: %s is the folder of %s already: two creditors never write into one", key, folder, by)}
	}
	for _, s := range c.Settings {
		installations := s.Access.Folder()
		switch number, below := strings.CutPrefix(folder, installations+"/"); {
		case installations == "":
		case folder == installations:
			return taken("the installation (" + s.Prefix + "-url)")
		case below && models.IsNumber(number) && number != strconv.FormatInt(creditorID, 10):
			return taken("creditor " + path.Base(number))
		}
	}
	for _, row := range every {
		if row.CreditorID == creditorID {
			continue
		}
		for _, url := range []string{row.Settings["letters-url"], row.Settings["collection-sftp-url"]} {
			if (remote.Access{URL: url}).Folder() == folder {
				return taken(fmt.Sprintf("creditor %d", row.CreditorID))
			}
		}
	}
	return nil
}
