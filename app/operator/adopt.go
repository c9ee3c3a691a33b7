package operator

import (
	"context"
	"io"
	"os"

	"purr/billing/openitems"
	"purr/models"
)

// Adopt takes the list of open items at a path for a creditor (rule L17).
func (o *Operator) Adopt(ctx context.Context, c models.Creditor, path string, options openitems.Options, to openitems.Listener) (openitems.Result, error) {
	options.Actor = o.Actor
	return openitems.Run(ctx, o.DB, c, func() (io.ReadCloser, error) { return os.Open(path) }, options, to)
}
