package console

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"

	"purr/models"
)

// csv answers with a list as a CSV file, which is written while it is read, so that memory stays flat. each calls write with
// the values of each row: texts, amounts, dates, numbers. For Norwegian readers the file is as their spreadsheets open it:
// semicolons, a decimal comma, a byte order mark. With ?format=en it has commas and points. The route must be long.
func (rq *request) csv(name string, header []string, each func(write func(values ...any) error) error) (reply, error) {
	english := rq.query("format") == "en"
	from, to := io.Pipe()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				to.CloseWithError(fmt.Errorf("panic: %v", p))
			}
		}()
		out := csv.NewWriter(to)
		if !english {
			out.Comma = ';'
			if _, err := io.WriteString(to, "\uFEFF"); err != nil {
				return // the browser is gone
			}
		}
		err := out.Write(header)
		if err == nil {
			err = each(func(values ...any) error {
				cells := make([]string, len(values))
				for i, v := range values {
					cells[i] = cell(v, english)
				}
				return out.Write(cells)
			})
		}
		out.Flush()
		if err != nil {
			rq.s.cfg.Log.Warn("a CSV file broke off", "id", rq.id, "error", err)
		}
		to.CloseWithError(err)
	}()
	a := reply{status: http.StatusOK, contentType: "text/csv; charset=utf-8", file: from}
	a.set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.csv"`, name))
	return a, nil
}

// cell returns a value as a cell. A text that a spreadsheet would take for a formula is disarmed.
func cell(v any, english bool) string {
	switch v := v.(type) {
	case models.Amount:
		if english {
			return v.String()
		}
		return models.GroupDigits(v.String(), "", ",")
	case string:
		return models.CSVCell(v)
	}
	return fmt.Sprint(v)
}
