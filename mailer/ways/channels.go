package ways

import (
	"fmt"
	"os"

	"purr/mailer"
	"purr/mailer/efaktura"
	"purr/mailer/letters"
	"purr/mailer/peppol"
	"purr/mailer/rest"
)

// What the forms open, each named after what is at its other end.

func paperFiles(_ Way, outbox *mailer.Outbox) (mailer.Channel, error) { return outbox.Paper(), nil }

func printer(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	p, err := letters.NewPrinter(w.setting.URL, w.setting.Password)
	if err != nil {
		return nil, fmt.Errorf("%s-url: %w", w.setting.Prefix, err)
	}
	if w.setting.Public {
		p.OnlyPublic()
	}
	return p, nil
}

func printHouse(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	service, err := w.setting.service(rest.Form{})
	if err != nil {
		return nil, err
	}
	return letters.NewPrintHouse(service), nil
}

func emailFiles(w Way, outbox *mailer.Outbox) (mailer.Channel, error) {
	files := outbox.Email()
	var err error
	if files.DKIM, err = signature(w.setting.Signature); err != nil {
		return nil, err
	}
	return files, nil
}

func mailServer(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	dkim, err := signature(w.setting.Signature)
	if err != nil {
		return nil, err
	}
	server, err := mailer.NewSMTP(w.setting.URL, w.setting.Plain)
	if err != nil {
		return nil, fmt.Errorf("%s-url: %w", w.setting.Prefix, err)
	}
	server.BounceAddress, server.DKIM, server.Public = w.setting.BounceAddress, dkim, w.setting.Public
	return server, nil
}

// CheckSignature returns nil if e-mails can be signed, or nothing signs them.
func CheckSignature(d mailer.SignatureSettings) error {
	_, err := signature(d)
	return err
}

// signature returns what signs e-mails, or nil if nothing does.
func signature(d mailer.SignatureSettings) (*mailer.DKIM, error) {
	if d.Key == "" {
		return nil, nil //nolint:nilnil // see above
	}
	opened, err := mailer.NewDKIM(d.Key, d.Domain, d.Selector)
	if err != nil {
		return nil, fmt.Errorf("dkim-key: %w", err)
	}
	return opened, nil
}

func ehfFiles(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	folder, err := peppol.NewFolder(w.folder(), w.setting.Enveloped)
	if err != nil {
		return nil, err
	}
	return folder, nil
}

func ehfServer(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	return peppol.NewSFTP(w.server, w.setting.Enveloped), nil
}

func accessPoint(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	point, err := peppol.NewAccessPoint(w.setting.URL, w.setting.Secret, w.setting.Enveloped)
	if err != nil {
		return nil, fmt.Errorf("%s-url: %w", w.setting.Prefix, err)
	}
	return point, nil
}

func ehfService(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	service, err := w.setting.service(rest.Form{})
	if err != nil {
		return nil, err
	}
	return peppol.NewREST(service, w.setting.Enveloped), nil
}

func efakturaOperator(w Way, _ *mailer.Outbox) (mailer.Channel, error) {
	service, err := w.setting.service(efaktura.Form)
	if err != nil {
		return nil, err
	}
	return efaktura.New(service), nil
}

// service returns a provider's REST interface, as the operator's template describes it.
func (s Setting) service(form rest.Form) (*rest.Service, error) {
	text, err := os.ReadFile(s.Template)
	if err != nil {
		return nil, fmt.Errorf("%s-template: %w", s.Prefix, err)
	}
	t, err := rest.Parse(s.URL, text, s.Secret, form)
	if err != nil {
		return nil, fmt.Errorf("%[1]s-url, %[1]s-template: %w", s.Prefix, err)
	}
	service := rest.NewService(t)
	if s.Public {
		service.OnlyPublic()
	}
	return service, nil
}
