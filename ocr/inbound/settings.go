package inbound

import (
	"time"

	"purr/internal/config"
	"purr/internal/remote"
)

// InboxSettings say where payment files are put.
type InboxSettings struct {
	Folder string
}

// Declare returns the settings of the inbox.
func (s *InboxSettings) Declare() []config.Setting {
	return []config.Setting{{Key: "inbox", Help: "folder watched for payment files (default: inbox in the data folder)", Set: config.Text(&s.Folder)}}
}

// BankSettings say how payment files come from the bank's folder. Without a URL there is none.
type BankSettings struct {
	remote.Access
	After After
	Every time.Duration // between two polls
}

// Declare returns the settings of the bank's folder.
func (s *BankSettings) Declare() []config.Setting {
	return append(s.Access.Declare("sftp", "the bank's folder with payment files", "none"),
		config.Setting{Key: "sftp-after", Default: string(AfterLeave), Help: "what to do with an imported file there: leave, move (to the folder fetched) or delete", Set: config.OneOf(&s.After, string(AfterLeave), string(AfterMove), string(AfterDelete))},
		config.Setting{Key: "sftp-every", Default: "15m", Help: "pause between two polls of the bank's folder", Set: remote.PollPause(&s.Every)})
}
