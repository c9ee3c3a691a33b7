package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"purr/app/operator"
	"purr/mailer/peppol"
	"purr/models"
)

// waysOf returns the kinds of the ways by which a part with these settings hands over (rule D105).
func waysOf(cfg Settings) models.Ways {
	w := models.Ways{} //nolint:exhaustive // the others leave by folders
	if cfg.Mail.URL != "" {
		w[models.ByEmail] = models.WaySMTP
	}
	switch {
	case cfg.Letters.ByTemplate():
		w[models.ByPaper] = models.WayREST
	case cfg.Letters.Scheme() == "sftp":
		w[models.ByPaper] = models.WaySFTP
	case cfg.Letters.Scheme() != "":
		w[models.ByPaper] = models.WayIPP
	}
	switch {
	case cfg.EHF.InFolder():
	case cfg.EHF.BySFTP():
		w[models.ByEHF] = models.WaySFTP
	case peppol.IsAccessPoint(cfg.EHF.URL):
		w[models.ByEHF] = models.WayAP
	default:
		w[models.ByEHF] = models.WayREST
	}
	if cfg.Collector.URL != "" {
		w[models.Bundles] = models.WaySFTP
	}
	return w
}

// checkWays fails if something waits that a person who runs the program can set right: a way that has gone missing, parts that
// differ, a way that is paused (rules D105, D107).
func (a *App) checkWays(ctx context.Context) error {
	ways, err := (&operator.Operator{DB: a.DB.ForReadiness()}).Ways(ctx)
	if err != nil {
		return nil //nolint:nilerr // a database that does not answer is another check's finding
	}
	var said []error
	for _, w := range ways {
		if w.Missing {
			said = append(said, fmt.Errorf("%s has left by %s before, and no part has such a way now: it waits until the setting is back, or `purr ways folder %s` says that the folder is meant", w.Method, w.LeftBy, w.Method))
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
