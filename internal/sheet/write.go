package sheet

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// Decimal is a number written as text ("2400.00"): it stays a number in a table.
type Decimal string

// Writer takes a table row by row. A cell is a string, an int, an int64, a
// Decimal, or nil for nothing. Nothing a cell holds can make a spreadsheet compute.
type Writer interface {
	Row(cells ...any) error
	Close() error // finishes the table; it does not close what it writes to
}

// plainNumber is what a string may start with a sign for.
var plainNumber = regexp.MustCompile(`^[+-]?\d{1,15}([.,]\d{1,9})?$`)

// Neutral makes a text that no spreadsheet computes: what looks like a formula, in
// ASCII or in full-width signs, gets an apostrophe in front.
func Neutral(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠", r) && s != "" && !plainNumber.MatchString(s) {
		return "'" + s
	}
	return s
}

// NewCSV writes RFC 4180 in UTF-8 with the mark that lets Excel see that it is.
func NewCSV(w io.Writer) Writer {
	b := bufio.NewWriterSize(w, 32<<10)
	_, _ = b.WriteString("\ufeff") // an error comes again at the first flush
	return &csvWriter{b}
}

type csvWriter struct{ w *bufio.Writer }

func (c *csvWriter) Row(cells ...any) error {
	for i, v := range cells {
		if i > 0 {
			_ = c.w.WriteByte(',')
		}
		text, err := csvText(v)
		if err != nil {
			return err
		}
		_, _ = c.w.WriteString(text)
	}
	_, err := c.w.WriteString("\r\n")
	return err
}

func (c *csvWriter) Close() error { return c.w.Flush() }

func csvText(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case Decimal:
		return quote(Neutral(string(v))), nil
	case string:
		return quote(Neutral(v)), nil
	}
	return "", fmt.Errorf("sheet: a cell cannot hold a %T", v)
}

// quote also guards against other separators: a program that expects ";" must not
// find a cell of its own inside one of ours.
func quote(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	if !strings.ContainsAny(s, ",;\t|\"\r\n") && s == strings.TrimSpace(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// NewXLSX writes a workbook of one sheet. Long tables wait in a temporary file,
// not in memory; the workbook leaves on Close.
func NewXLSX(w io.Writer, name string) (Writer, error) {
	f := excelize.NewFile()
	name = sheetName(name)
	if err := f.SetSheetName("Sheet1", name); err != nil {
		return nil, fmt.Errorf("name sheet: %w", err)
	}
	s, err := f.NewStreamWriter(name)
	if err != nil {
		return nil, fmt.Errorf("begin sheet: %w", err)
	}
	return &xlsxWriter{w: w, f: f, s: s}, nil
}

// sheetName is within what Excel allows.
func sheetName(s string) string {
	s = strings.Trim(strings.NewReplacer(":", " ", `\`, " ", "/", " ", "?", " ", "*", " ", "[", " ", "]", " ").Replace(s), " '")
	if r := []rune(s); len(r) > 31 {
		s = string(r[:31])
	}
	if s == "" {
		return "Sheet1"
	}
	return s
}

type xlsxWriter struct {
	w   io.Writer
	f   *excelize.File
	s   *excelize.StreamWriter
	row int
}

func (x *xlsxWriter) Row(cells ...any) error {
	x.row++
	line := make([]any, len(cells))
	for i, v := range cells {
		c, err := xlsxValue(v)
		if err != nil {
			return err
		}
		line[i] = c
	}
	if err := x.s.SetRow("A"+strconv.Itoa(x.row), line); err != nil {
		return fmt.Errorf("write row %d: %w", x.row, err)
	}
	return nil
}

// xlsxValue keeps strings strings: a workbook, unlike CSV, says which cells compute.
func xlsxValue(v any) (any, error) {
	switch v := v.(type) {
	case nil, int, int64:
		return v, nil
	case Decimal:
		if x, err := strconv.ParseFloat(string(v), 64); err == nil && plainNumber.MatchString(string(v)) {
			return x, nil
		}
		return xmlText(string(v)), nil
	case string:
		return xmlText(v), nil
	}
	return nil, fmt.Errorf("sheet: a cell cannot hold a %T", v)
}

// xmlText drops what XML cannot say, and what is beyond an Excel cell.
func xmlText(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if r := []rune(s); len(r) > excelize.TotalCellChars {
		return string(r[:excelize.TotalCellChars])
	}
	return s
}

func (x *xlsxWriter) Close() error {
	if err := x.s.Flush(); err != nil {
		return fmt.Errorf("finish sheet: %w", err)
	}
	if _, err := x.f.WriteTo(x.w); err != nil {
		return fmt.Errorf("write workbook: %w", err)
	}
	if err := x.f.Close(); err != nil {
		return fmt.Errorf("remove temporary files: %w", err)
	}
	return nil
}
