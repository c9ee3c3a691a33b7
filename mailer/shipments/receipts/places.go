package receipts

import (
	"path/filepath"
	"time"

	"purr/internal/remote"
	"purr/models"
)

// FromServer returns a way whose receipts lie below its folder on an SFTP server. It does not connect.
func FromServer(method models.ShipmentMethod, server *remote.Server, every time.Duration) *Way {
	return &Way{method, every, remote.OnServer(server.Below(folderName))}
}

// FromFolder returns a way whose receipts lie below its folder on this machine.
func FromFolder(method models.ShipmentMethod, path string, every time.Duration) *Way {
	return &Way{method, every, remote.OnDisk(filepath.Join(path, folderName))}
}
