// Package operator holds what a person does on the command line. Each act is one call of a domain function, which
// writes its event and its actor. All other functions only read. The package decides nothing itself, and it prints
// nothing.
package operator

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"strconv"
	"strings"

	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/law"
	"purr/ledger/accounts"
	"purr/models"
	"purr/ocr"
	"purr/ocr/avtalegiro"
	"purr/ocr/inbound"
	"purr/register/privacy"
	"purr/store"
	"purr/store/archive"
)

// Operator is a person at the command line of an installation.
type Operator struct {
	DB         *store.DB
	Rules      *law.Rules // the program's and those of the folder --rules; RulesFor returns a creditor's
	Clock      clock.Clock
	Archive    *archive.Archive
	Documents  *documents.Store
	Importer   *ocr.Importer
	Bank       *inbound.BankFolder // nil if the bank has no folder to poll
	Collection *collection.Store
	Journal    *accounts.Store
	ClaimFiles *avtalegiro.Files
	Runs       *runs.Runs
	Remover    *privacy.Remover
	Actor      string // the actor of events
}

// CommandLine returns the actor of acts on the command line, as in "command line (anna)". It leaves out the user if
// the system does not know the name.
func CommandLine() string {
	const unnamed = "command line"
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return unnamed
	}
	return fmt.Sprintf("%s (%s)", unnamed, u.Username)
}

// Creditor returns the creditor that a text of the command line means (rule D100). Digits are always the number. Any other text
// is the name, and so is what follows name: or stands in quotes: nobody gets what another is meant by calling itself a number. If
// there is none, the error says how to list them.
func (o *Operator) Creditor(ctx context.Context, nameOrNumber string) (models.Creditor, error) {
	if !models.IsNumber(nameOrNumber) {
		c, err := o.DB.CreditorNamed(ctx, nameIn(nameOrNumber))
		return c, orList(err)
	}
	id, err := strconv.ParseInt(strings.TrimSpace(nameOrNumber), 10, 64)
	if err == nil {
		var c models.Creditor
		c, err = o.DB.Creditor(ctx, id)
		if models.KindOf(err) != models.KindNotFound {
			return c, err
		}
	}
	if named, err := o.DB.CreditorNamed(ctx, nameOrNumber); err == nil {
		return models.Creditor{}, fmt.Errorf("there is no creditor with the number %s; creditor %d has it as its name: name:%[1]s", nameOrNumber, named.ID)
	}
	return models.Creditor{}, orList(models.NotFound("creditor: " + nameOrNumber))
}

// nameIn returns the name that a text of the command line asks for: the whole text, or what follows name: or stands in quotes.
func nameIn(text string) string {
	if name, is := strings.CutPrefix(text, "name:"); is {
		return models.OneLine(name)
	}
	for _, quote := range []string{`"`, "'"} {
		if len(text) > 2 && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote) {
			return models.OneLine(text[1 : len(text)-1])
		}
	}
	return models.OneLine(text)
}

// orList adds to the error that there is no such creditor how to list them.
func orList(err error) error {
	if models.KindOf(err) == models.KindNotFound {
		return fmt.Errorf("%w; purr creditor list shows which there are", err)
	}
	return err
}

// OneCreditor returns the creditor with the name or number. If nameOrNumber is empty, it returns the only creditor,
// and fails if there are several.
func (o *Operator) OneCreditor(ctx context.Context, nameOrNumber string) (models.Creditor, error) {
	if nameOrNumber != "" {
		return o.Creditor(ctx, nameOrNumber)
	}
	creditors, err := o.DB.SomeCreditors(ctx, 2)
	switch {
	case err != nil:
		return models.Creditor{}, err
	case len(creditors) == 0:
		return models.Creditor{}, errors.New("there is no creditor yet: purr creditor create")
	case len(creditors) > 1:
		return models.Creditor{}, errors.New("there are several creditors: say which one with --creditor; purr creditor list shows them")
	}
	return creditors[0], nil
}

// inTx does an act in one transaction, and returns its result after the commit.
func inTx[T any](ctx context.Context, o *Operator, act func(ctx context.Context, tx *store.Tx) (T, error)) (T, error) {
	var result, none T
	err := o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		result, err = act(ctx, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return result, nil
}

// Today returns a creditor's date.
func (o *Operator) Today(c models.Creditor) (models.Date, error) { return c.Today(o.Clock.Now()) }
