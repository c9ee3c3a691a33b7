package shipments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"purr/models"
)

// tokenBytes are as many bytes as nobody guesses, and as few as leave room in an address.
const tokenBytes = 10

// Tag returns what names a shipment in the envelope of its e-mail, ID-TOKEN (rule S3a). Every attempt has the same. A
// shipment that a person has sent again gets another one, so that what is told of the earlier sending says nothing of the
// later. The key is store.DB.BounceKey: only who has had the e-mail, or handled it, knows its tag.
func Tag(key string, s models.Shipment) string {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = fmt.Fprintf(mac, "bounce of shipment %d of %d", s.ID, s.CreatedAt.Unix())
	if s.RetriedAt != nil {
		_, _ = fmt.Fprintf(mac, ", retried %d", s.RetriedAt.Unix())
	}
	token := base32.StdEncoding.EncodeToString(mac.Sum(nil)[:tokenBytes])
	return fmt.Sprintf("%d-%s", s.ID, strings.ToLower(token))
}
