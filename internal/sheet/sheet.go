// Package sheet reads foreign CSV and XLSX files into plain tables of text and
// writes the hotel's own. What it reads is hostile: every size is bounded before
// memory is taken, formulas are never evaluated, nothing panics. It refuses to know
// what a table means.
package sheet

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// Cell is one cell as text. Dates are YYYY-MM-DD, with HH:MM where they have a time.
type Cell struct {
	Text string `json:"text"`
	// Formula: the text is what some program once computed, or (CSV) something a
	// spreadsheet would compute. It is shown as text and never evaluated.
	Formula bool `json:"formula,omitempty"`
	// Merged: the text is the merged cell's above.
	Merged bool `json:"merged,omitempty"`
}

// Table is one sheet. Rows may differ in length; a nil row is empty.
type Table struct {
	Sheet      string   `json:"sheet"`
	Rows       [][]Cell `json:"rows"`
	Truncated  bool     `json:"truncated"`             // rows, columns or text were left out
	Hidden     bool     `json:"hidden,omitempty"`      // the whole sheet is hidden from its readers
	HiddenRows []int    `json:"hidden_rows,omitempty"` // from 1
}

// Formats.
const (
	CSV  = "CSV"
	XLSX = "XLSX"
)

// Book is what was read of a file.
type Book struct {
	Format    string  `json:"format"`
	Charset   string  `json:"charset,omitempty"`   // of a CSV
	Separator string  `json:"separator,omitempty"` // of a CSV
	Tables    []Table `json:"tables"`
	Truncated bool    `json:"truncated"` // in any way
}

// Limits bound what a file may cost. Above MaxBytes, MaxUnzipped and MaxParts it
// is refused; above the others it is cut, and says so.
type Limits struct {
	MaxBytes    int   // of the file
	MaxUnzipped int64 // of an XLSX, all parts together
	MaxParts    int   // files inside an XLSX
	MaxSheets   int
	MaxRows     int // of a sheet
	MaxCols     int
	MaxCells    int // of all sheets
	MaxText     int // characters of a cell
}

// DefaultLimits fit what people send to a hotel, many times over.
func DefaultLimits() Limits {
	return Limits{MaxBytes: 16 << 20, MaxUnzipped: 32 << 20, MaxParts: 2000, MaxSheets: 20, MaxRows: 5000, MaxCols: 200, MaxCells: 200_000, MaxText: 2000}
}

// Codes of refusals.
const (
	CodeTooLarge    = "SHEET_TOO_LARGE"
	CodeEncrypted   = "SHEET_ENCRYPTED"
	CodeOldFormat   = "SHEET_OLD_FORMAT"
	CodeUnsupported = "SHEET_UNSUPPORTED"
	CodeCorrupt     = "SHEET_CORRUPT"
)

// Refusal says why a file cannot be read, and what to ask its sender for.
type Refusal struct {
	Code, Text, TextEN string
	cause              error
}

// Error is the English text.
func (r *Refusal) Error() string {
	if r.cause != nil {
		return r.Code + ": " + r.TextEN + " (" + r.cause.Error() + ")"
	}
	return r.Code + ": " + r.TextEN
}

// Unwrap gives the technical cause.
func (r *Refusal) Unwrap() error { return r.cause }

func refuse(code, zh, en string) *Refusal { return &Refusal{Code: code, Text: zh, TextEN: en} }

func tooLarge(what string) *Refusal {
	return &Refusal{Code: CodeTooLarge, Text: "表格文件过大（" + what + "），未读取。请下载原文件查看，或请发件人拆分后重发。",
		TextEN: "The file is too large to be read (" + what + "). Download the original, or ask the sender for smaller files."}
}

func corrupt(cause error) *Refusal {
	return &Refusal{Code: CodeCorrupt, cause: cause, Text: "表格文件已损坏，无法读取。请下载原文件查看，或请发件人重发。",
		TextEN: "The file is damaged and cannot be read. Download the original, or ask the sender to send it again."}
}

// Named reports whether a file's name or type says that it is a table this
// package reads.
func Named(name, contentType string) bool {
	switch strings.ToLower(path.Ext(strings.TrimSpace(name))) {
	case ".csv", ".tsv", ".xlsx", ".xlsm":
		return true
	case "":
		t, _, _ := strings.Cut(strings.ToLower(contentType), ";")
		switch strings.TrimSpace(t) {
		case "text/csv", "text/tab-separated-values", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
			return true
		}
	}
	return false
}

// Read reads a file. What it is, is judged by its bytes, never by its name. The
// error is a *Refusal.
func Read(data []byte, l Limits) (b Book, err error) {
	defer func() {
		if r := recover(); r != nil { // a defect of a reader must not become one of the hotel
			b, err = Book{}, corrupt(fmt.Errorf("panic: %v", r))
		}
	}()
	if len(data) > l.MaxBytes {
		return Book{}, tooLarge(fmt.Sprintf("%d MiB", len(data)>>20))
	}
	switch kind(data) {
	case kindZip:
		return readXLSX(data, l)
	case kindOLE:
		return Book{}, oldFile(data)
	case kindOther:
		return Book{}, refuse(CodeUnsupported, "该文件不是 CSV 或 XLSX 表格，无法预览；请下载原文件查看。",
			"The file is no CSV or XLSX table and cannot be shown. Download the original.")
	}
	return readCSV(data, l)
}

const (
	kindText = iota
	kindZip
	kindOLE
	kindOther
)

// kind judges by the first bytes. Text has no NUL unless it is UTF-16.
func kind(data []byte) int {
	head := data[:min(len(data), 4096)]
	starts := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	lower := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	switch {
	case starts("PK\x03\x04"), starts("PK\x05\x06"):
		return kindZip
	case starts("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return kindOLE
	case starts("%PDF"), starts("{\\rtf"), starts("\x1f\x8b"), starts("\x89PNG"), starts("\xff\xd8\xff"), starts("GIF8"):
		return kindOther
	case bytes.HasPrefix(lower, []byte("<?xml")), bytes.HasPrefix(lower, []byte("<html")), bytes.HasPrefix(lower, []byte("<!doctype")), bytes.HasPrefix(lower, []byte("<table")):
		return kindOther
	case bytes.IndexByte(head, 0) >= 0 && utf16Order(data) == nil:
		return kindOther
	}
	return kindText
}

// oldFile tells an encrypted XLSX, which hides in the old container, from an .xls.
func oldFile(data []byte) *Refusal {
	if bytes.Contains(data, []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")) {
		return refuse(CodeEncrypted, "该 XLSX 文件有密码保护，无法读取。请向发件人索取无密码的文件。",
			"The XLSX file is protected by a password. Ask the sender for one without.")
	}
	return refuse(CodeOldFormat, "旧版 .xls 文件无法读取。请发件人另存为 .xlsx 或 .csv 后重发。",
		"Old .xls files are not read. Ask the sender to save it as .xlsx or .csv.")
}

// text cuts a cell's text and takes away what no reader of a table needs: NULs
// and other control characters but line breaks and tabs.
func (l Limits) text(s string, cut *bool) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '\ufeff' {
			return -1
		}
		return r
	}, strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"))
	if len(s) <= l.MaxText {
		return s
	}
	n := 0
	for i := range s {
		if n == l.MaxText {
			*cut = true
			return s[:i]
		}
		n++
	}
	return s
}

// trim drops empty cells at the ends of rows and empty rows at the end.
func (t *Table) trim() {
	for i, row := range t.Rows {
		for len(row) > 0 && row[len(row)-1].Text == "" {
			row = row[:len(row)-1]
		}
		t.Rows[i] = row
	}
	for len(t.Rows) > 0 && len(t.Rows[len(t.Rows)-1]) == 0 {
		t.Rows = t.Rows[:len(t.Rows)-1]
	}
}
