package sheet_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"thhotel/internal/sheet"
)

var hostile = []string{"=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx", "\n=x", "＝1+1", "-", `=HYPERLINK("http://x","y")`}

func TestCSVIsNeutral(t *testing.T) {
	var out bytes.Buffer
	w := sheet.NewCSV(&out)
	for _, h := range hostile {
		must(t, w.Row(h, "a;=b", 7, int64(-8), sheet.Decimal("-2400.00"), nil, `say "hi", 王`, "-12.50"))
	}
	must(t, w.Close())
	if !strings.HasPrefix(out.String(), "\ufeff") || !strings.Contains(out.String(), "\r\n") {
		t.Error("no mark or no CRLF")
	}
	first, _, _ := strings.Cut(out.String()[3:], "\r\n")
	if first != `'=1+1,"a;=b",7,-8,-2400.00,,"say ""hi"", 王",-12.50` {
		t.Errorf("first line: %s", first)
	}
	for _, row := range read(t, out.String()).Tables[0].Rows {
		if row[0].Formula || !strings.HasPrefix(row[0].Text, "'") {
			t.Errorf("%q computes", row[0].Text)
		}
	}
}

func TestXLSXIsNeutral(t *testing.T) {
	var out bytes.Buffer
	w, err := sheet.NewXLSX(&out, "orders: [all]")
	must(t, err)
	for _, h := range hostile {
		must(t, w.Row(h, 7, int64(-8), sheet.Decimal("2400.50"), nil, "a\x00b\ufffe", strings.Repeat("x", 40_000)))
	}
	must(t, w.Close())
	f, err := excelize.OpenReader(&out)
	must(t, err)
	name := f.GetSheetName(0)
	for i, h := range hostile {
		cell, _ := excelize.CoordinatesToCellName(1, i+1)
		formula, _ := f.GetCellFormula(name, cell)
		kind, _ := f.GetCellType(name, cell)
		text, _ := f.GetCellValue(name, cell)
		if formula != "" || kind != excelize.CellTypeInlineString || strings.TrimSpace(text) != strings.TrimSpace(h) {
			t.Errorf("%q: formula %q, type %v, text %q", h, formula, kind, text)
		}
	}
	row, _ := f.GetRows(name)
	if diff := cmp.Diff([]string{"7", "-8", "2400.5", "", "ab"}, row[0][1:6]); diff != "" || len(row[0][6]) != excelize.TotalCellChars {
		t.Errorf("%s; long text has %d", diff, len(row[0][6]))
	}
	if kind, _ := f.GetCellType(name, "D1"); kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber {
		t.Errorf("a decimal is a %v", kind)
	}
}

func TestWritersRefuseUnknownCells(t *testing.T) {
	x, err := sheet.NewXLSX(&bytes.Buffer{}, "")
	must(t, err)
	for _, w := range []sheet.Writer{sheet.NewCSV(&bytes.Buffer{}), x} {
		if err := w.Row(struct{}{}); err == nil {
			t.Errorf("%T takes anything", w)
		}
	}
}

// What is written reads back.
func TestRoundTrip(t *testing.T) {
	rows := [][]string{{"name", "note"}, {"Åkesson, Göran", "two\nlines"}, {"王小明", "双床, 高楼层"}}
	for name, open := range map[string]func(*bytes.Buffer) sheet.Writer{
		"CSV":  func(b *bytes.Buffer) sheet.Writer { return sheet.NewCSV(b) },
		"XLSX": func(b *bytes.Buffer) sheet.Writer { w, err := sheet.NewXLSX(b, name(t)); must(t, err); return w },
	} {
		var out bytes.Buffer
		w := open(&out)
		for _, r := range rows {
			must(t, w.Row(r[0], r[1]))
		}
		must(t, w.Close())
		if diff := cmp.Diff(rows, texts(read(t, out.String()).Tables[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func name(t *testing.T) string { return t.Name() }

func FuzzRead(f *testing.F) {
	f.Add(realBook(f))
	f.Add(pack(f, `<sheetData><row r="2"><c r="B2" t="s"><f>A1</f><v>0</v></c></row></sheetData><mergeCells><mergeCell ref="B2:C9"/></mergeCells>`, nil))
	f.Add([]byte("sep=;\na;\"b\nc\";=d\n"))
	f.Add([]byte("\xff\xfea\x00,\x00b\x00"))
	f.Add([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := sheet.Limits{MaxBytes: 1 << 20, MaxUnzipped: 1 << 20, MaxParts: 50, MaxSheets: 3, MaxRows: 50, MaxCols: 20, MaxCells: 500, MaxText: 50}
		b, err := sheet.Read(data, l)
		if err != nil {
			if !refused(err, code(err)) || strings.Contains(err.Error(), "panic") {
				t.Fatalf("not a refusal: %v", err)
			}
			return
		}
		for _, table := range b.Tables {
			if len(table.Rows) > l.MaxRows {
				t.Fatalf("%d rows", len(table.Rows))
			}
			for _, row := range table.Rows {
				if len(row) > l.MaxCols {
					t.Fatalf("%d columns", len(row))
				}
				for _, c := range row {
					if len([]rune(c.Text)) > l.MaxText || strings.ContainsAny(c.Text, "\x00\r") {
						t.Fatalf("cell %q", c.Text)
					}
				}
			}
		}
	})
}

// FuzzXLSXParts reaches behind the zip: any bytes as the parts of a workbook.
func FuzzXLSXParts(f *testing.F) {
	f.Add(`<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData>`, `<sst><si><r><t>a</t></r></si></sst>`)
	f.Add(`<sheetData><row><c s="9"><v>1e9</v></c><c t="d"><v>2027-02-10T10</v></c></row></sheetData><mergeCell ref="A1:A9"/>`, `<sst><si><t>`)
	f.Fuzz(func(t *testing.T, cells, shared string) {
		if _, err := sheet.Read(pack(t, cells, map[string]string{"xl/strings.xml": shared}), sheet.DefaultLimits()); err != nil && strings.Contains(err.Error(), "panic") {
			t.Fatal(err)
		}
	})
}

func code(err error) string {
	var r *sheet.Refusal
	if !errors.As(err, &r) {
		return "?"
	}
	return r.Code
}
