package pages

import (
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/sheet"
)

// previewRows is how much of a sheet one page shows; the rest is in the file.
const previewRows = 500

type previewData struct {
	MessageID string
	File      inbox.Attachment
	Book      sheet.Book
	Tables    []previewTable
	Refused   string // why there is no table to show
}

// previewTable is a sheet as a page shows it.
type previewTable struct {
	sheet.Table
	Shown [][]sheet.Cell
	Left  int // rows not shown
}

// preview shows a CSV or XLSX attachment as plain tables of text. Nothing of the
// file is evaluated, and the browser never gets the file itself.
func preview(v *visit) error {
	d := previewData{MessageID: v.c.Param("id")}
	var err error
	d.File, d.Book, err = v.s.o.Inbox.Preview(v.c.Request.Context(), v.By, d.MessageID, v.c.Param("file"))
	if f := fault.As(err); err != nil {
		if f.Kind != fault.Unprocessable {
			return err
		}
		d.Refused = f.Message(v.Lang)
	}
	for _, t := range d.Book.Tables {
		p := previewTable{Table: t, Shown: t.Rows}
		if len(t.Rows) > previewRows {
			p.Shown, p.Left = t.Rows[:previewRows], len(t.Rows)-previewRows
		}
		d.Tables = append(d.Tables, p)
	}
	return v.show("preview", "inbox", d.File.Name, d)
}

// Columns are the letters above a table's columns.
func (t previewTable) Columns() []string {
	width := 0
	for _, row := range t.Shown {
		width = max(width, len(row))
	}
	out := make([]string, width)
	for i := range out {
		out[i] = column(i)
	}
	return out
}

// Fill is how many empty cells a row lacks, so that every row is as wide as the table.
func (t previewTable) Fill(row []sheet.Cell, width int) []struct{} {
	return make([]struct{}, max(0, width-len(row)))
}

func column(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		return column(i/26-1) + name
	}
	return name
}
