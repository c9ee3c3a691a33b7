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

// manifest returns a list of the files, with the SHA-256 of each in hex, once in XML and once in CSV.
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
	if err != nil {
		return nil, err
	}
	return []File{{"manifest.xml", asList}, {"manifest.csv", asTable}}, nil
}

// asCSV returns a table in the form of RFC 4180, in UTF-8.
func asCSV(rows [][]any) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = models.CSVCell(fmt.Sprint(cell))
		}
		if err := w.Write(cells); err != nil {
			return nil, fmt.Errorf("write a table as CSV: %w", err)
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// zipped returns a zip file of the files, all with the same date. They are stored without compression: most are
// compressed already, and the same files then always give the same bytes.
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
