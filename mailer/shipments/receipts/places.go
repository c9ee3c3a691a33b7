package receipts

import (
	"time"

	"purr/internal/remote"
	"purr/internal/storage"
	"purr/models"
)

// FromServer returns a way whose receipts lie below its folder on an SFTP server. It does not connect.
func FromServer(method models.ShipmentMethod, server *remote.Server, every time.Duration) *Way {
	return &Way{Method: method, Every: every, place: remote.OnServer(server.Below(folderName))}
}

// FromFolder returns a way whose receipts lie below its folder: of this machine, or below a bucket's prefix.
func FromFolder(method models.ShipmentMethod, folder storage.Place, every time.Duration) *Way {
	return &Way{Method: method, Every: every, place: remote.In(folder.Below(folderName))}
}
