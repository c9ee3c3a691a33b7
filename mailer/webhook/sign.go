package webhook

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"purr/models"
)

// secretBytes is the length of a secret; the specification allows 24 to 64.
const secretBytes = 32

// NewSecret returns a new random secret in the specification's form.
func NewSecret() models.Secret {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // it never fails
	return models.Secret("whsec_" + base64.StdEncoding.EncodeToString(random))
}

// sign returns the header with a signature by each of the message's secrets.
func sign(m Message, at time.Time) (string, error) {
	signatures := make([]string, len(m.Secrets))
	for i, secret := range m.Secrets {
		signer, err := standardwebhooks.NewWebhook(string(secret))
		if err != nil {
			return "", fmt.Errorf("a secret of the webhook cannot be read: %w", err)
		}
		if signatures[i], err = signer.Sign(m.ID, at, []byte(m.Body)); err != nil {
			return "", fmt.Errorf("sign %s: %w", m.ID, err)
		}
	}
	return strings.Join(signatures, " "), nil
}
