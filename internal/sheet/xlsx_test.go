package sheet_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"thhotel/internal/sheet"
)

func refused(err error, code string) bool {
	var r *sheet.Refusal
	return errors.As(err, &r) && r.Code == code && r.Text != "" && r.TextEN != ""
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A workbook as Excel's own kind of program writes it.
func realBook(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	set := func(cell string, v any) { must(t, f.SetCellValue("Sheet1", cell, v)) }
	style := func(cell, format string) {
		id, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
		must(t, err)
		must(t, f.SetCellStyle("Sheet1", cell, cell, id))
	}
	set("A1", "Rooming list")
	must(t, f.MergeCell("Sheet1", "A1", "D1"))
	set("A2", "Berg, Ola")
	set("B2", time.Date(2027, 2, 10, 0, 0, 0, 0, time.UTC))
	set("C2", time.Date(2027, 2, 10, 15, 30, 0, 0, time.UTC))
	set("D2", 46428)
	style("D2", `dd"."mm"."yyyy`)
	set("E2", 42)
	style("E2", "000000")
	set("F2", 2400.5)
	set("G2", true)
	must(t, f.SetCellFormula("Sheet1", "H2", "1+1"))
	set("A3", "Holm, Eva")
	set("I3", "Twin")
	must(t, f.MergeCell("Sheet1", "I3", "I4"))
	set("A4", "Moen, Liv")
	set("B4", 0.1+0.2)
	must(t, f.SetRowVisible("Sheet1", 4, false))
	must(t, f.SetCellRichText("Sheet1", "A5", []excelize.RichTextRun{{Text: "two "}, {Text: "runs"}}))
	_, err := f.NewSheet("Second")
	must(t, err)
	must(t, f.SetCellValue("Second", "C3", "far"))
	must(t, f.SetSheetVisible("Second", false))
	var out bytes.Buffer
	must(t, f.Write(&out))
	return out.Bytes()
}

func TestXLSX(t *testing.T) {
	b := read(t, string(realBook(t)))
	if b.Format != sheet.XLSX || b.Truncated || len(b.Tables) != 2 {
		t.Fatalf("%s, truncated %v", b, b.Truncated)
	}
	want := [][]string{{"Rooming list"}, {"Berg, Ola", "2027-02-10", "2027-02-10 15:30", "2027-02-10", "000042", "2400.5", "TRUE"},
		{"Holm, Eva", "", "", "", "", "", "", "", "Twin"}, {"Moen, Liv", "0.3", "", "", "", "", "", "", "Twin"}, {"two runs"}}
	if diff := cmp.Diff(want, texts(b.Tables[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := b.Tables[0].Rows[3][8]; !c.Merged || !cmp.Equal(b.Tables[0].HiddenRows, []int{4}) {
		t.Errorf("merged %v, hidden rows %v", c, b.Tables[0].HiddenRows)
	}
	if s := b.Tables[1]; s.Sheet != "Second" || !s.Hidden || !cmp.Equal(texts(s), [][]string{{}, {}, {"", "", "far"}}) {
		t.Errorf("second sheet %+v", s)
	}
}

// pack makes an XLSX of one sheet by hand, for what no honest program writes.
func pack(t testing.TB, sheetXML string, more map[string]string) []byte {
	t.Helper()
	const ns = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	const rel = `<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`
	parts := map[string]string{
		"_rels/.rels":                "<Relationships>" + fmt.Sprintf(rel, "r1", "officeDocument", "xl/workbook.xml") + "</Relationships>",
		"xl/workbook.xml":            "<workbook" + ns + `><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": "<Relationships>" + fmt.Sprintf(rel, "r1", "worksheet", "worksheets/s.xml") + fmt.Sprintf(rel, "r2", "sharedStrings", "/xl/strings.xml") + "</Relationships>",
		"xl/strings.xml":             "<sst" + ns + "></sst>",
		"xl/worksheets/s.xml":        "<worksheet" + ns + ">" + sheetXML + "</worksheet>",
	}
	for k, v := range more {
		parts[k] = v
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range parts {
		if text == "" {
			continue
		}
		w, err := z.Create(name)
		must(t, err)
		_, err = w.Write([]byte(text))
		must(t, err)
	}
	must(t, z.Close())
	return out.Bytes()
}

func TestXLSXOddities(t *testing.T) {
	for name, c := range map[string]struct {
		xml  string
		more map[string]string
		want [][]string
	}{
		"formula with cached value": {`<sheetData><row><c t="str"><f>HYPERLINK("http://x")</f><v>click</v></c></row></sheetData>`, nil, [][]string{{"click"}}},
		"no references":             {`<sheetData><row><c><v>1</v></c><c><v>2</v></c></row><row><c t="inlineStr"><is><t>a</t></is></c></row></sheetData>`, nil, [][]string{{"1", "2"}, {"a"}}},
		"pronunciation left out":    {`<sheetData><row><c t="s"><v>0</v></c></row></sheetData>`, map[string]string{"xl/strings.xml": `<sst><si><t>山田</t><rPh><t>ヤマダ</t></rPh></si></sst>`}, [][]string{{"山田"}}},
		"string that is not there":  {`<sheetData><row><c t="s"><v>99</v></c><c><v>1</v></c></row></sheetData>`, nil, [][]string{{"", "1"}}},
		"negative string":           {`<sheetData><row><c t="s"><v>-1</v></c><c><v>1</v></c></row></sheetData>`, nil, [][]string{{"", "1"}}},
		"prefixed names":            {`<x:sheetData><x:row r="2"><x:c r="B2"><x:v>7</x:v></x:c></x:row></x:sheetData>`, nil, [][]string{{}, {"", "7"}}},
		"big number":                {`<sheetData><row><c><v>720933</v></c><c><v>1E+300</v></c><c><v>6621234567890123</v></c></row></sheetData>`, nil, [][]string{{"720933", "1e+300", "6621234567890120"}}},
		"1904 dates": {`<sheetData><row><c s="0"><v>44966</v></c></row></sheetData>`, map[string]string{
			"xl/workbook.xml":            `<workbook><workbookPr date1904="1"/><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<R><Relationship Id="r1" Type="/worksheet" Target="worksheets/s.xml"/><Relationship Id="r3" Type="/styles" Target="st.xml"/></R>`,
			"xl/st.xml":                  `<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`}, [][]string{{"2027-02-10"}}},
		"entity bomb stays words": {`<sheetData><row><c t="inlineStr"><is><t>a &amp; b</t></is></c></row></sheetData>`, nil, [][]string{{"a & b"}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := read(t, string(pack(t, c.xml, c.more)))
			if diff := cmp.Diff(c.want, texts(b.Tables[0])); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if c := read(t, string(pack(t, `<sheetData><row><c t="str"><f>A2</f><v>=x</v></c></row></sheetData>`, nil))).Tables[0].Rows[0][0]; !c.Formula {
		t.Error("a formula is not marked")
	}
}

func TestRefusals(t *testing.T) {
	ole := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)
	locked := excelize.NewFile()
	var enc bytes.Buffer
	must(t, locked.Write(&enc, excelize.Options{Password: "x"}))
	for name, c := range map[string]struct{ data, code string }{
		"old .xls":          {ole, sheet.CodeOldFormat},
		"password":          {enc.String(), sheet.CodeEncrypted},
		"PDF":               {"%PDF-1.7\n...", sheet.CodeUnsupported},
		"HTML named .xls":   {"<html><table><tr><td>a</td></tr></table></html>", sheet.CodeUnsupported},
		"picture":           {"\x89PNG\r\n\x1a\n\x00\x00", sheet.CodeUnsupported},
		"binary":            {"abc\x00\x01\x02\x03\x00\x00def", sheet.CodeUnsupported},
		".xlsb":             {string(pack(t, "", map[string]string{"xl/workbook.bin": "x"})), sheet.CodeOldFormat},
		"other zip":         {string(pack(t, "", map[string]string{"xl/workbook.xml": "", "_rels/.rels": ""})), sheet.CodeUnsupported},
		"cut off":           {string(realBook(t)[:2000]), sheet.CodeCorrupt},
		"entity definition": {string(pack(t, `<sheetData><row><c t="inlineStr"><is><t>&lol;</t></is></c></row></sheetData>`, nil)), sheet.CodeCorrupt},
		"broken XML":        {string(pack(t, `<sheetData><row><c><v>1</`, nil)), sheet.CodeCorrupt},
		"unclosed string":   {string(pack(t, ``, map[string]string{"xl/strings.xml": "<sst><si><t>a"})), sheet.CodeCorrupt},
		"no sheets":         {string(pack(t, ``, map[string]string{"xl/workbook.xml": "<workbook/>"})), sheet.CodeCorrupt},
		"zip bomb":          {string(pack(t, strings.Repeat(" ", 40<<20), nil)), sheet.CodeTooLarge},
		"huge attribute":    {string(pack(t, `<sheetData><row x="`+strings.Repeat("a", 3<<20)+`"/></sheetData>`, nil)), sheet.CodeTooLarge},
		"million strings":   {string(pack(t, ``, map[string]string{"xl/strings.xml": "<sst>" + strings.Repeat("<si/>", 2<<20) + "</sst>"})), sheet.CodeTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := sheet.Read([]byte(c.data), sheet.DefaultLimits())
			if !refused(err, c.code) {
				t.Errorf("error %v, want %s; read %s", err, c.code, b)
			}
		})
	}
}

// A directory that lies about sizes does not get more memory than it asked for.
func TestDirectoryThatLies(t *testing.T) {
	data := pack(t, "<sheetData>"+strings.Repeat("<row><c><v>1</v></c></row>", 20_000)+"</sheetData>", nil)
	l := sheet.DefaultLimits()
	l.MaxUnzipped, l.MaxRows = 100<<10, 1<<20
	if _, err := sheet.Read(data, l); !refused(err, sheet.CodeTooLarge) {
		t.Errorf("stated above the limit: %v", err)
	}
	for i := 0; i+46 < len(data); i++ { // every directory entry says 10 bytes
		if string(data[i:i+4]) == "PK\x01\x02" {
			copy(data[i+24:], "\x0a\x00\x00\x00")
		}
	}
	if _, err := sheet.Read(data, l); err == nil {
		t.Error("a lying directory is believed")
	}
}

func TestHugeDimensionsCostNothing(t *testing.T) {
	data := pack(t, `<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>`+
		strings.Repeat("<a>", 1<<20)+`<row r="1048576"><c r="A1048576"><v>3</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>`, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b := read(t, string(data))
	runtime.ReadMemStats(&after)
	if got := texts(b.Tables[0]); !b.Truncated || !cmp.Equal(got, [][]string{{"1"}}) {
		t.Errorf("truncated %v, %q", b.Truncated, got)
	}
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 300 {
		t.Errorf("reading took %d MiB", used)
	}
}

func TestSheetsAreBounded(t *testing.T) {
	f := excelize.NewFile()
	for i := range 25 {
		_, err := f.NewSheet(fmt.Sprintf("S%d", i))
		must(t, err)
	}
	var out bytes.Buffer
	must(t, f.Write(&out))
	if b := read(t, out.String()); len(b.Tables) != 20 || !b.Truncated {
		t.Errorf("%s, truncated %v", b, b.Truncated)
	}
}
