package ocr

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
)

// SeesWhole reports whether a creditor may see all of a file (rule D2). That holds if the creditor sent it, or if no other
// creditor has a part in it. The parts are known only at the end of the import.
func SeesWhole(ctx context.Context, db *store.DB, creditorID int64, file models.PaymentFile) (bool, error) {
	if file.OwnerID == creditorID || file.UnderWay() {
		return file.OwnerID == creditorID, nil
	}
	parts, err := db.FileParts(ctx, file.ID)
	if err != nil {
		return false, err
	}
	others := slices.ContainsFunc(parts, func(p models.PaymentFilePart) bool {
		return p.CreditorID != creditorID && (p.CreditorID != 0 || p.Transactions > 0) // creditor 0 has the part without a creditor; it is empty if a creditor got the account later
	})
	return !others, nil
}

// RawName returns the name under which a file is downloaded, without folders.
func RawName(file models.PaymentFile) string {
	if file.Filename == "" {
		return fmt.Sprintf("payment_file-%d", file.ID)
	}
	return strings.NewReplacer("/", "_", `\`, "_").Replace(file.Filename)
}
