package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
)

// creditorWaysXML are the ways out of the key's creditor (rule Q7): each setting that is its own, without secrets. What is absent is the
// installation's.
type creditorWaysXML struct {
	XMLName                xml.Name `xml:"creditor_ways"`
	URI                    string   `xml:"uri,attr"`
	Sender                 string   `xml:"sender,omitempty"`
	SMTPURL                string   `xml:"smtp_url,omitempty"`
	SMTPPlain              string   `xml:"smtp_plain,omitempty"`
	BounceAddress          string   `xml:"bounce_address,omitempty"`
	DKIMKey                string   `xml:"dkim_key,omitempty"`
	DKIMDomain             string   `xml:"dkim_domain,omitempty"`
	DKIMSelector           string   `xml:"dkim_selector,omitempty"`
	LettersURL             string   `xml:"letters_url,omitempty"`
	LettersKeyFile         string   `xml:"letters_key_file,omitempty"`
	LettersPassword        string   `xml:"letters_password,omitempty"`
	LettersHostKey         string   `xml:"letters_host_key,omitempty"`
	LettersTemplate        string   `xml:"letters_template,omitempty"`
	LettersSecret          string   `xml:"letters_secret,omitempty"`
	CollectionSFTPURL      string   `xml:"collection_sftp_url,omitempty"`
	CollectionSFTPKeyFile  string   `xml:"collection_sftp_key_file,omitempty"`
	CollectionSFTPPassword string   `xml:"collection_sftp_password,omitempty"`
	CollectionSFTPHostKey  string   `xml:"collection_sftp_host_key,omitempty"`
}

// at returns where a setting stands, by its name in the interface.
func (w *creditorWaysXML) at(element string) *string {
	return map[string]*string{
		"sender": &w.Sender, "smtp_url": &w.SMTPURL, "smtp_plain": &w.SMTPPlain, "bounce_address": &w.BounceAddress,
		"dkim_key": &w.DKIMKey, "dkim_domain": &w.DKIMDomain, "dkim_selector": &w.DKIMSelector,
		"letters_url": &w.LettersURL, "letters_key_file": &w.LettersKeyFile, "letters_password": &w.LettersPassword,
		"letters_host_key": &w.LettersHostKey, "letters_template": &w.LettersTemplate, "letters_secret": &w.LettersSecret,
		"collection_sftp_url": &w.CollectionSFTPURL, "collection_sftp_key_file": &w.CollectionSFTPKeyFile,
		"collection_sftp_password": &w.CollectionSFTPPassword, "collection_sftp_host_key": &w.CollectionSFTPHostKey,
	}[element]
}

func (rq *request) creditorWays(rows []models.CreditorWay) creditorWaysXML {
	shown := creditorWaysXML{URI: rq.base + "/api/v1/creditor/ways"}
	for _, v := range own.Show(rows) {
		*shown.at(v.Element()) = v.Shown
	}
	return shown
}

// showCreditorWays shows the ways of the key's creditor.
func (s *Server) showCreditorWays(ctx context.Context, rq *request) (answer, error) {
	rows, err := s.db.CreditorWays(ctx, rq.creditor.ID)
	if err != nil {
		return answer{}, err
	}
	return rq.ok(rq.creditorWays(rows))
}

// changeCreditorWays changes the settings that the request holds. An empty one is the installation's again.
func (s *Server) changeCreditorWays(rq *request, _ int64, body form.Body) (act, error) {
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		before, err := tx.CreditorWays(ctx, rq.creditor.ID)
		if err != nil {
			return nil, err
		}
		f, err := rq.parse(body, "creditor_ways", rq.creditorWays(before))
		if err != nil {
			return nil, err
		}
		change := map[string]string{}
		for _, setting := range own.Settings() {
			if value, sent := f.Text(setting.Element()); sent {
				change[setting.Key] = value
			}
		}
		if err := f.Done(nil); err != nil {
			return nil, err
		}
		rows, err := s.cfg.Ways.Change(ctx, tx, rq.creditor.ID, change, own.Who{Actor: rq.actor(), Public: s.cfg.PublicWebhooks})
		if err != nil {
			return nil, err
		}
		return rq.creditorWays(rows), nil
	}, nil
}
