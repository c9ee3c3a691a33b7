package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"purr/app/operator"
	"purr/dunning/collection/reports"
	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer/ways"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/ocr/avtalegiro"
	"purr/register/privacy"
)

// waySettings returns where what goes by each method leaves to: what has no other way, into the outbox.
func waySettings(cfg Settings, outbox storage.Place) map[models.ShipmentMethod]ways.Setting {
	l, e, m, f := cfg.Letters, cfg.EHF, cfg.Mail, cfg.EFaktura
	return map[models.ShipmentMethod]ways.Setting{ //nolint:exhaustive // AUTO has no way out
		models.ByPaper:    {Access: l.Access, Every: l.Every, Template: l.Template, Secret: l.Secret},
		models.ByEmail:    {Access: remote.Access{URL: m.URL, Prefix: "smtp"}, BounceAddress: m.BounceAddress, Plain: m.Plain, Signature: m.Signature},
		models.ByEHF:      {Access: e.Access, Folder: outbox.Below("ehf"), Every: e.Every, Template: e.Template, Secret: e.Secret, Enveloped: e.Enveloped},
		models.ByEFaktura: {Access: remote.Access{URL: f.URL, Prefix: "efaktura"}, Template: f.Template, Secret: f.Secret},
		models.Bundles:    {Access: cfg.Collector},
		models.Claims:     {Access: cfg.AvtaleGiro.Access, Folder: outbox.Below("avtalegiro")},
	}
}

// Changer returns what changes the ways of single creditors.
func Changer(cfg Settings) own.Changer {
	return own.Changer{Settings: waySettings(cfg, storage.Folder(""))}
}

// ehfFolder returns the folder of this machine that e-invoices go to, or reports false.
func ehfFolder(cfg Settings) (path string, is bool) {
	other, inFolder := storageFolder(cfg)
	folder, is := ways.FolderOf(cfg.EHF.URL, storage.Folder(filepath.Join(other, outboxName, "ehf")))
	if !is || cfg.EHF.URL == "" && !inFolder {
		return "", false
	}
	return folder.Folder()
}

// claimReceipts returns the folder in which the bank answers claims of AvtaleGiro.
func (a *App) claimReceipts(cfg Settings) *avtalegiro.Folder {
	return avtalegiro.NewFolder(a.ways[models.Claims].ClaimReceipts(), cfg.AvtaleGiro, a.ClaimFiles)
}

// collectorReports returns the folder in which the debt collector tells of claims.
func (a *App) collectorReports(cfg Settings) *reports.Folder {
	return reports.New(a.ways[models.Bundles].CollectorReports(a.storage.Below(outboxName)), cfg.Reports)
}

// checkWays fails if something waits that a person who runs the program can set right: a way that has gone missing, parts that
// differ, a way that is paused (rules D105, D107).
func (a *App) checkWays(ctx context.Context) error {
	now, err := (&operator.Operator{DB: a.DB.ForReadiness()}).Ways(ctx)
	if err != nil {
		return nil //nolint:nilerr // a database that does not answer is another check's finding
	}
	var said []error
	for _, w := range now {
		if w.Missing {
			meant := "that the folder is meant"
			if w.Method.NeedsSetting() {
				meant = "that it is off for good"
			}
			said = append(said, fmt.Errorf("%s has left by %s before, and no part has such a way now: it waits until the setting is back, or `purr ways folder %s` says %s", w.Method, w.LeftBy, w.Method, meant))
		}
		if w.Differ {
			said = append(said, fmt.Errorf("the parts differ in how %s leaves: by %s", w.Method, strings.Join(w.Kinds, ", ")))
		}
		if w.Paused > 0 {
			said = append(said, fmt.Errorf("%s is paused for %d creditors: it was refused to one recipient after the other, and waits (`purr ways` and the events way.paused tell)", w.Method, w.Paused))
		}
	}
	return errors.Join(said...)
}

// foldersOf returns the folders in which files lie that name customers (rule O14).
func foldersOf(cfg Settings, in storage.Place) privacy.Folders {
	outbox := in.Below(outboxName)
	f := privacy.Folders{
		Data: cfg.Data, Sent: []storage.Place{outbox, in.Below(reportsName)}, Inbox: inboxPlace(cfg, in), Claims: outbox.Below("avtalegiro"),
	}
	if folder, is := ways.FolderOf(cfg.EHF.URL, outbox.Below("ehf")); is {
		f.Sent = append(f.Sent, folder)
	}
	return f
}
