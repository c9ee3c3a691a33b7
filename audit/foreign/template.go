package foreign

import (
	"embed"
	"errors"
	"os"
	"path/filepath"
)

//go:embed template/*.csv
var templates embed.FS

// Template writes the three files into a folder, with examples: lawful letters, and unlawful ones. It makes the folder where there is
// none, and never writes over a file.
func Template(folder string) (err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, f := range Files {
		text, err := templates.ReadFile("template/" + f.Name)
		if err != nil {
			return err
		}
		out, err := os.OpenFile(filepath.Join(folder, f.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = out.Write(text)
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	return nil
}
