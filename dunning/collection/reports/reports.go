// Package reports reads what the debt collector leaves in the folder reports of its own folder: on its server, or in the outbox.
package reports

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"purr/dunning"
	"purr/dunning/collection"
	"purr/internal/remote"
	"purr/models"
	"purr/store"
)

// FolderName is the folder's name, below that of the bundles.
const FolderName = "reports"

// Folder is the folder of the collector's reports. Any number of processes may read it: a report is taken once.
type Folder struct {
	Every time.Duration // between two looks
	Of    int64         // the only creditor whose claims they tell of; 0 for all

	place remote.Place
}

// New returns the folder that is a place.
func New(place remote.Place, every time.Duration) *Folder { return &Folder{Every: every, place: place} }

// String returns the URL of the folder, which holds no secret.
func (f *Folder) String() string { return f.place.String() }

// MayHaveFiles reports whether a report may lie there.
func (f *Folder) MayHaveFiles() bool { return f.place.MayHaveFiles() }

// Read takes the files of the folder, the oldest first (rule C1): each moves to done, or to rejected with a text that names its faults.
// A file that is killed half-way is taken again, and what it tells is known then. Without the folder there is nothing to read.
func (f *Folder) Read(ctx context.Context, db *store.DB, log *slog.Logger) error {
	log = log.With("folder", f.String())
	taking := remote.Taking{What: "the debt collector's file", Most: collection.MaxReportFile, Order: listsAlone, Take: func(ctx context.Context, name string, content []byte) (fault, err error) {
		return take(ctx, db, log.With("file", models.Foreign(name, 80)), content, f.Of)
	}}
	return taking.From(ctx, log, f.place)
}

// listsAlone leaves out what is no list by its name.
func listsAlone(files []remote.File) []remote.File {
	return slices.DeleteFunc(files, func(f remote.File) bool {
		ending := strings.ToLower(path.Ext(f.Name))
		return ending != ".xml" && ending != ".csv"
	})
}

// take takes one file.
func take(ctx context.Context, db *store.DB, log *slog.Logger, content []byte, of int64) (fault, err error) {
	list, fault := collection.ReadReportFile(content)
	if fault != nil {
		return fault, nil
	}
	news, known, err := takeOf(ctx, db, list.Reports, models.ActorProgram, of)
	if faults, are := errors.AsType[models.Errors](err); are {
		var lines []string
		for _, one := range faults {
			lines = append(lines, list.Where(one))
		}
		return errors.New(strings.Join(lines, "\n")), nil
	}
	if err == nil {
		log.Info("the debt collector reports", "reports", news, "known", known)
	}
	return nil, err
}

// Take takes a list of reports that may be of several creditors: all of it is checked first, and with one fault nothing is done. Then the
// reports of each creditor are taken together. It returns how many were new, and how many had come before.
func Take(ctx context.Context, db *store.DB, told []models.CollectorTold, actor string) (news, known int, err error) {
	return takeOf(ctx, db, told, actor, 0)
}

// takeOf does what Take does. Of another creditor than the one that is given, if any is, it knows no claim.
func takeOf(ctx context.Context, db *store.DB, told []models.CollectorTold, actor string, of int64) (news, known int, err error) {
	groups, faults, err := divide(ctx, db, told, of)
	if err != nil {
		return 0, 0, err
	}
	if len(told) == 0 {
		return 0, 0, models.Errors{models.Invalid("required", "report", "is required: at least one")}
	}
	ids := slices.Sorted(maps.Keys(groups))
	for _, id := range ids {
		wrong, err := check(ctx, db, groups[id])
		if err != nil {
			return 0, 0, err
		}
		faults = append(faults, wrong...)
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b *models.Error) int { return cmp.Compare(a.Place[0].Nth, b.Place[0].Nth) })
		return 0, 0, faults
	}
	for _, id := range ids {
		var taken []dunning.CollectorReport
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			taken, err = dunning.ReportCollection(ctx, tx, groups[id].creditor, groups[id].told, actor)
			return err
		})
		if wrong, are := errors.AsType[models.Errors](err); are { // it has become so since it was checked
			return news, known, groups[id].place(wrong)
		}
		if err != nil {
			return news, known, err
		}
		for _, r := range taken {
			if r.Known {
				known++
			} else {
				news++
			}
		}
	}
	return news, known, nil
}

// group are the reports of a list that are of one creditor.
type group struct {
	creditor models.Creditor
	told     []models.CollectorTold
	nth      []int // where they stand in the list, from 1
}

// place returns faults with their places in the whole list.
func (g *group) place(faults models.Errors) models.Errors {
	placed := make(models.Errors, len(faults))
	for i, f := range faults {
		if placed[i] = f; len(f.Place) > 0 && f.Place[0].Nth > 0 {
			placed[i] = f.At(slices.Concat(models.Place{}.Item(f.Place[0].Name, g.nth[f.Place[0].Nth-1]), f.Place[1:]))
		}
	}
	return placed
}

func check(ctx context.Context, db *store.DB, g *group) (models.Errors, error) {
	err := db.View(ctx, func(v store.View) error {
		_, err := dunning.CheckReports(ctx, v, g.creditor, g.told, db.Now())
		return err
	})
	if faults, are := errors.AsType[models.Errors](err); are {
		return g.place(faults), nil
	}
	return nil, err
}

// divide finds the creditor of each report, by the bundle or the invoice that it names: the given one alone, or any if that is 0.
func divide(ctx context.Context, db *store.DB, told []models.CollectorTold, of int64) (groups map[int64]*group, faults models.Errors, err error) {
	groups = map[int64]*group{}
	fault := func(nth int, code, field, text string) {
		faults = append(faults, models.Invalid(code, field, "%s", text).Under(models.Place{}.Item("report", nth)))
	}
	for i, t := range told {
		var wrong models.Errors
		number, handOverID := t.Named(&wrong)
		if len(wrong) > 0 {
			faults = append(faults, wrong.Under(models.Place{}.Item("report", i+1))...)
			continue
		}
		ids, err := db.CreditorsOfHandOver(ctx, handOverID, number)
		if err != nil {
			return nil, nil, err
		}
		if of != 0 {
			ids = slices.DeleteFunc(ids, func(id int64) bool { return id != of })
		}
		switch {
		case len(ids) == 0 && handOverID != 0:
			fault(i+1, "not_found", "bundle", "there is no such bundle")
		case len(ids) == 0:
			fault(i+1, "not_found", "invoice", "no such invoice was handed over to debt collection")
		case len(ids) > 1:
			fault(i+1, "ambiguous", "invoice", "several creditors have handed over an invoice with the number: name the bundle")
		default:
			if groups[ids[0]] == nil {
				c, err := db.Creditor(ctx, ids[0])
				if err != nil {
					return nil, nil, err
				}
				groups[ids[0]] = &group{creditor: c}
			}
			groups[ids[0]].told, groups[ids[0]].nth = append(groups[ids[0]].told, t), append(groups[ids[0]].nth, i+1)
		}
	}
	return groups, faults, nil
}
