package collection

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"

	"purr/models"
)

// manifest returns the lists of the files, with the SHA-256 of each in hex, as XML and as CSV.
func manifest(c claim, files []File) ([]File, error) {
	list := manifestXML{HandOver: c.handOver.ID, Invoice: c.invoice.Number}
	rows := [][]any{{"name", "bytes", "sha256"}}
	for _, f := range files {
		sum := sha256.Sum256(f.Content)
		listed := listedFile{f.Name, len(f.Content), hex.EncodeToString(sum[:])}
		list.Files = append(list.Files, listed)
		rows = append(rows, []any{listed.Name, listed.Size, listed.SHA256})
	}
	asList, err := asXML(list)
	if err != nil {
		return nil, err
	}
	asTable, err := asCSV(rows)
	return []File{{"manifest.xml", asList}, {"manifest.csv", asTable}}, err
}

// asCSV returns a table as RFC 4180 has it, in UTF-8.
func asCSV(rows [][]any) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = fmt.Sprint(cell)
		}
		if err := w.Write(cells); err != nil {
			return nil, fmt.Errorf("write a table as CSV: %w", err)
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// zipped returns the files as one, all dated the same. They are stored as they are: most of them are compressed in
// themselves, and so the same files make the same bytes whatever made them.
func zipped(files []File, date models.Date) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store, Modified: date.Time()})
		if err == nil {
			_, err = w.Write(f.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("put %s into the zip file: %w", f.Name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("end the zip file: %w", err)
	}
	return out.Bytes(), nil
}
