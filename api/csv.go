package api

import (
	"bytes"
	"context"
	"encoding/csv"

	"purr/store"
)

// csvType is the content type of a list in CSV, whose first row has the titles.
const csvType = "text/csv; charset=utf-8; header=present"

// csvTogether is how many rows a whole list reads at once.
const csvTogether = 1000

// csvFile answers with a list in CSV, of which rows are the titles and what stands below them.
func csvFile(name string, rows [][]string) (answer, error) {
	var body bytes.Buffer
	if err := csv.NewWriter(&body).WriteAll(rows); err != nil {
		return answer{}, err
	}
	return file(csvType, "attachment", name, body.Bytes()), nil
}

// csvOfPages answers with a whole list in CSV. It reads the list as it is at one moment, page by page: page returns the rows of one, and
// how many rows all pages have.
func (s *Server) csvOfPages(ctx context.Context, name string, titles []string, page func(store.View, store.Page) ([][]string, int64, error)) (answer, error) {
	var rows [][]string
	err := s.db.View(ctx, func(v store.View) error {
		rows = [][]string{titles}
		for p := (store.Page{Number: 1, Size: csvTogether}); ; p.Number++ {
			some, all, err := page(v, p)
			if err != nil {
				return err
			}
			if rows = append(rows, some...); int64(p.Number) >= p.Pages(all) {
				return nil
			}
		}
	})
	if err != nil {
		return answer{}, err
	}
	return csvFile(name, rows)
}
