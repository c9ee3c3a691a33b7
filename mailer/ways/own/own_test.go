package own_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer/ways"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// at is an installation with a print shop, where creditors change their ways.
type at struct {
	*testing.T
	db *store.DB
	by own.Changer
}

func eachInstallation(t *testing.T, test func(a at)) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		test(at{t, db, own.Changer{Settings: map[models.ShipmentMethod]ways.Setting{
			models.ByEHF:   {Folder: storage.Folder(t.TempDir())},
			models.ByPaper: {Access: remote.Access{URL: "sftp://purr@Shop.example/in", Password: "secret", Prefix: "letters"}},
		}}})
	})
}

// set changes a creditor's ways by words such as smtp-url=V, and returns what they are then, or else what is wrong.
func (a at) set(c models.Creditor, who own.Who, words string) string {
	a.Helper()
	change := map[string]string{}
	for word := range strings.FieldsSeq(words) {
		key, value, _ := strings.Cut(word, "=")
		change[key] = value
	}
	var said []string
	err := a.db.InTx(a.Context(), func(ctx context.Context, tx *store.Tx) error {
		now, err := a.by.Change(ctx, tx, c.ID, change, who)
		said = nil
		for _, v := range own.Show(now) {
			if v.Shown != "" {
				said = append(said, v.Key+"="+v.Shown)
			}
		}
		return err
	})
	if faults, are := errors.AsType[models.Errors](err); are {
		said = nil
		for _, f := range faults {
			said = append(said, f.Code+" "+f.Place.String())
		}
	} else if err != nil {
		return err.Error()
	}
	return strings.Join(said, ", ")
}

var operator = own.Who{Actor: "anna", OnMachine: true}

// TestQ7WhatCanBeSetForOneCreditor: each row is done after the one before.
func TestQ7WhatCanBeSetForOneCreditor(t *testing.T) {
	eachInstallation(t, func(a at) {
		c, other := rows.Creditor(a, a.db), rows.Creditor(a, a.db)
		for _, tt := range []struct {
			of        models.Creditor
			who       own.Who
			set, want string
			silent    bool // nothing is told
		}{
			{c, operator, "sender=faktura@c.example smtp-url=smtp://u:hemmelig@mail.example", "smtp-url=smtp://u:***@mail.example, sender=faktura@c.example", false},
			{c, operator, "smtp-url=smtp://u:***@mail.example", "smtp-url=smtp://u:***@mail.example, sender=faktura@c.example", true},
			{c, operator, "smtp-url=smtp://u:***@other.example", "masked_value smtp_url", true},
			{c, operator, "smtp-url=smtp://u:p@mail.example?tls=none", "invalid_setting smtp_url", true},
			{c, operator, "smtp-url=smtp://u:p@mail.example?tls=none smtp-plain=on", "smtp-url=smtp://u:***@mail.example?tls=none, smtp-plain=on, sender=faktura@c.example", false},
			{c, operator, "smtp-url=", "invalid_setting smtp_plain", true},
			{c, operator, "smtp-url= smtp-plain= sender=", "", false},
			{c, operator, "sender=nobody", "invalid_setting sender", true},
			{c, operator, "mail-rate=3", "invalid_setting mail_rate", true},
			{c, operator, "dkim-domain=c.example", "invalid_setting dkim_key", true},
			{c, operator, "dkim-key=/none.pem dkim-domain=c.example dkim-selector=s", "invalid_setting dkim_key", true},
			{c, own.Who{Actor: "key"}, "dkim-key=/none.pem", "only_on_machine dkim_key", true},
			{c, own.Who{Actor: "key", Public: true}, "smtp-url=smtp://127.0.0.1", "private_address smtp_url", true},
			{c, operator, "letters-url=sftp://purr@shop.example/c", "invalid_setting letters_url", true},
			{c, operator, "letters-password=hemmelig", "invalid_setting letters_password", true},
			{c, operator, "letters-url=sftp://purr@shop.example:22/in/ letters-password=hemmelig", "folder_taken letters_url", true},
			{c, operator, "letters-url=sftp://purr@shop.example/in/2 letters-password=hemmelig", "folder_taken letters_url", true},
			{c, operator, "letters-url=sftp://purr@shop.example/c letters-password=hemmelig", "letters-url=sftp://purr@shop.example/c, letters-password=***", false},
			{other, operator, "letters-url=sftp://purr@shop.example/c letters-password=x", "folder_taken letters_url", true},
			{other, operator, "collection-sftp-url=sftp://purr@shop.example/c collection-sftp-password=x", "folder_taken collection_sftp_url", true},
			{other, operator, "letters-url=sftp://purr@shop.example/in/2 letters-password=x", "letters-url=sftp://purr@shop.example/in/2, letters-password=***", false},
		} {
			before := a.events()
			if got := a.set(tt.of, tt.who, tt.set); got != tt.want {
				a.Errorf("%s: it is %q, want %q", tt.set, got, tt.want)
			}
			if silent := a.events() == before; silent != tt.silent {
				a.Errorf("%s: told is nothing: %v", tt.set, silent)
			}
		}
		if told := a.events(); strings.Contains(told, "hemmelig") || strings.Contains(told, "mail.example") {
			a.Errorf("the events tell %s", told)
		}
	})
}

// TestQ7WhatAKeyNamesIsLookedAtWithEachConnection: a name may lead elsewhere once it was set. What the operator names may lead anywhere.
func TestQ7WhatAKeyNamesIsLookedAtWithEachConnection(t *testing.T) {
	eachInstallation(t, func(a at) {
		c, key := rows.Creditor(a, a.db), own.Who{Actor: "key", Public: true}
		for _, tt := range []struct {
			who    own.Who
			set    string
			m      models.ShipmentMethod
			public bool
		}{
			{operator, "smtp-url=smtp://mail.example", models.ByEmail, false},
			{key, "sender=a@c.example", models.ByEmail, false},
			{key, "smtp-url=smtp://mail2.example", models.ByEmail, true},
			{operator, "sender=b@c.example", models.ByEmail, true},
			{operator, "smtp-url=smtp://mail.example", models.ByEmail, false},
			{key, "smtp-url=", models.ByEmail, false},
			{key, "letters-url=sftp://purr@shop.example/c letters-password=x", models.ByPaper, true},
			{key, "collection-sftp-url=sftp://purr@collector.example/c collection-sftp-password=x", models.Bundles, true},
		} {
			a.set(c, tt.who, tt.set)
			now, err := a.db.CreditorWays(a.Context(), c.ID)
			testkit.Must(a, err)
			if s, _, _, err := own.SettingOf(now, tt.m, ways.Setting{}); err != nil || s.Public != tt.public {
				a.Errorf("%s: only public is %t, %v", tt.set, s.Public, err)
			}
		}
	})
}

// TestQ7WhatWentToAServerIsReachedWithTheNewPassword: the rows of one folder, or of one mail server, have one other side. Where the collector
// changes, each keeps its own, also when another change has come between and the rows that nothing needs are gone.
func TestQ7WhatWentToAServerIsReachedWithTheNewPassword(t *testing.T) {
	eachInstallation(t, func(a at) {
		c := rows.Creditor(a, a.db)
		known := own.New(nil, a.by.Settings, nil)
		now := func(m models.ShipmentMethod) models.WayID {
			out, err := known.Of(a.Context(), a.db, c.ID, nil)
			testkit.Must(a, err)
			return out.Now(m).ID
		}
		reached := func(m models.ShipmentMethod, id models.WayID) models.WayID {
			out, err := known.Of(a.Context(), a.db, c.ID, nil)
			testkit.Must(a, err)
			if way, is := out.By(m, id); is && way.ID != out.Reached(m, id) {
				a.Errorf("way %d goes by %d, and is reached by %d", id, way.ID, out.Reached(m, id))
			}
			return out.Reached(m, id)
		}
		a.set(c, operator, "collection-sftp-url=sftp://purr@one.example/in collection-sftp-password=x")
		first := now(models.Bundles)
		rows.Write(a, a.db, func(tx *store.Tx) error { // something has gone there
			h := models.HandOver{CreditorID: c.ID, InvoiceID: 1, HandedOver: rows.Today}
			if err := tx.CreateHandOver(a.Context(), &h); err != nil {
				return err
			}
			h.State, h.Way = models.BundleDelivered, first
			return tx.UpdateHandOver(a.Context(), h)
		})
		a.set(c, operator, "collection-sftp-url=sftp://purr@ONE.example:22/in/ collection-sftp-password=y")
		second := now(models.Bundles)
		a.set(c, operator, "collection-sftp-url=sftp://purr@two.example/in collection-sftp-password=z")
		third := now(models.Bundles)
		a.set(c, operator, "collection-sftp-password=zz")
		fourth := now(models.Bundles)
		a.set(c, operator, "collection-sftp-url= collection-sftp-password=")
		got := []models.WayID{reached(models.Bundles, first), reached(models.Bundles, second), reached(models.Bundles, third), reached(models.Bundles, fourth), now(models.Bundles)}
		if want := []models.WayID{second, second, third, fourth, models.InstallationsWay}; !slices.Equal(got, want) {
			a.Errorf("of the ways %d to %d, what went is reached by %d, want %d", first, fourth, got, want)
		}
		a.set(c, operator, "smtp-url=smtp://u:x@mail.example")
		before := now(models.ByEmail)
		a.set(c, operator, "smtp-url=smtp://u:y@mail.example")
		if got, want := reached(models.ByEmail, before), now(models.ByEmail); got != want || got == before {
			a.Errorf("mails of way %d go by %d, want %d", before, got, want)
		}
	})
}

// events are what is told of ways.
func (a at) events() string {
	a.Helper()
	var all []string
	for _, id := range []int64{1, 2} {
		told, err := a.db.NewestEvents(a.Context(), id, store.EventFilter{Type: models.EventWayChanged}, 0, 100)
		testkit.Must(a, err)
		for _, e := range told {
			all = append(all, e.Text+" "+e.Data)
		}
	}
	return strings.Join(all, "\n")
}

// TestQ7EachSettingHasAnElementOfItsOwn holds that no two are one, and that nothing prints what is set.
func TestQ7EachSettingHasAnElementOfItsOwn(t *testing.T) {
	elements := map[string]bool{}
	for _, s := range own.Settings() {
		elements[s.Element()] = true
	}
	if n := len(slices.Collect(maps.Keys(elements))); n != len(own.Settings()) {
		t.Errorf("%d settings have %d elements", len(own.Settings()), n)
	}
	if s := fmt.Sprintf("%v %+v %#v", models.WaySettings{"a": "hemmelig"}, models.WaySettings{"a": "hemmelig"}, models.WaySettings{"a": "hemmelig"}); strings.Contains(s, "hemmelig") {
		t.Errorf("printed is %s", s)
	}
}
