package sheet_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"thhotel/internal/sheet"
)

// texts is a table's text alone.
func texts(t sheet.Table) [][]string {
	out := [][]string{}
	for _, row := range t.Rows {
		line := []string{}
		for _, c := range row {
			line = append(line, c.Text)
		}
		out = append(out, line)
	}
	return out
}

func read(t *testing.T, data string) sheet.Book {
	t.Helper()
	b, err := sheet.Read([]byte(data), sheet.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCSVShapes(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		sep  string
		want [][]string
	}{
		"comma":               {"a,b,c\r\n1,2,3\r\n", ",", [][]string{{"a", "b", "c"}, {"1", "2", "3"}}},
		"semicolon, commas":   {"Name;Type\n\"Berg, Ola\";DLX\nHolm, Eva;SUP\n", ";", [][]string{{"Name", "Type"}, {"Berg, Ola", "DLX"}, {"Holm, Eva", "SUP"}}},
		"tab":                 {"a\tb\n1,5\t2\n", "\t", [][]string{{"a", "b"}, {"1,5", "2"}}},
		"pipe":                {"a|b\n1|2\n", "|", [][]string{{"a", "b"}, {"1", "2"}}},
		"sep line":            {"sep=;\r\na,b;c\r\n", ";", [][]string{{"a,b", "c"}}},
		"newline in quotes":   {"a,\"x\ny\"\n1,2", ",", [][]string{{"a", "x\ny"}, {"1", "2"}}},
		"doubled quote":       {"\"a \"\"b\"\"\",c\n", ",", [][]string{{`a "b"`, "c"}}},
		"text after quote":    {"\"a\"b,c\n", ",", [][]string{{"ab", "c"}}},
		"quote in the middle": {"5\" disc,c\n1,2\n", ",", [][]string{{`5" disc`, "c"}, {"1", "2"}}},
		"quote never closed":  {"a,\"b\nc,d\n", ",", [][]string{{"a", `"b`}, {"c", "d"}}},
		"ragged":              {"title\na,b,c\n1\n1,2,3\n", ",", [][]string{{"title"}, {"a", "b", "c"}, {"1"}, {"1", "2", "3"}}},
		"old Mac":             {"a,b\r1,2\r", ",", [][]string{{"a", "b"}, {"1", "2"}}},
		"one column":          {"a\nb\n", ",", [][]string{{"a"}, {"b"}}},
		"blank lines kept":    {"a,b\n\n1,2\n\n\n", ",", [][]string{{"a", "b"}, {}, {"1", "2"}}},
		"control characters":  {"a\x01,b\x7f\n1,2\n", ",", [][]string{{"a", "b"}, {"1", "2"}}},
		"empty":               {"", ",", [][]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			b := read(t, c.in)
			if diff := cmp.Diff(c.want, texts(b.Tables[0])); diff != "" || b.Separator != c.sep || b.Truncated {
				t.Errorf("separator %q, truncated %v (-want +got):\n%s", b.Separator, b.Truncated, diff)
			}
		})
	}
}

func TestCSVCharsets(t *testing.T) {
	const (
		simple  = "姓名,房型,备注\r\nWANG XIAOMING,双床房,不吸烟\r\n李娜,大床房,高楼层\r\n"
		complex = "姓名,房型,備註\r\n陳大文,雙人房,不抽菸\r\n林小姐,單人房,請安排高樓層\r\n"
		thai    = "ชื่อ,นามสกุล,ประเภทห้อง\r\nสมชาย,วัฒนา,เตียงคู่\r\nกมลวรรณ,ศรีสุข,เตียงใหญ่\r\n"
		nordic  = "Name;Zimmer\r\nÅkesson, Göran;Doppel\r\nMüller, Jürgen;Einzel\r\nSørensen, Bjørn;Doppel\r\n"
		czech   = "Příjmení;Pokoj\r\nNěmeček, Jiří;dvoulůžkový\r\nŽižka, Šárka;jednolůžkový\r\n"
		polish  = "Nazwisko;Pokój\r\nWałęsa, Michał;dwuosobowy\r\nŻak, Łukasz;jednoosobowy\r\n"
		russian = "Фамилия;Номер\r\nИванов, Пётр;двухместный\r\nСмирнова, Анна;одноместный\r\n"
		kana    = "氏名,部屋タイプ,備考\r\n山田 太郎,ツイン,禁煙\r\nスズキ ハナコ,シングル,お子様あり\r\n"
		korea   = "이름,객실,비고\r\n김철수,트윈,금연\r\n박영희,더블,고층\r\n"
	)
	for name, c := range map[string]struct {
		text, charset string
		enc           encoding.Encoding
	}{
		"UTF-8":        {simple, "utf-8", encoding.Nop},
		"UTF-8 BOM":    {simple, "utf-8", unicode.UTF8BOM},
		"UTF-16LE BOM": {simple, "utf-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
		"UTF-16BE BOM": {nordic, "utf-16", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
		"UTF-16LE":     {nordic, "utf-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
		"GBK":          {simple, "gb18030", simplifiedchinese.GBK},
		"GB18030":      {simple, "gb18030", simplifiedchinese.GB18030},
		"Big5":         {complex, "big5", traditionalchinese.Big5},
		"TIS-620":      {thai, "tis-620", charmap.Windows874},
		"windows-1252": {nordic, "windows-1252", charmap.Windows1252},
		"windows-1250": {czech, "windows-1250", charmap.Windows1250},
		"Polish":       {polish, "windows-1250", charmap.Windows1250},
		"windows-1251": {russian, "windows-1251", charmap.Windows1251},
		"Shift_JIS":    {kana, "shift_jis", japanese.ShiftJIS},
		"EUC-JP":       {kana, "euc-jp", japanese.EUCJP},
		"EUC-KR":       {korea, "euc-kr", korean.EUCKR},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := c.enc.NewEncoder().String(c.text)
			if err != nil {
				t.Fatal(err)
			}
			b := read(t, raw)
			if want, got := texts(read(t, c.text).Tables[0]), texts(b.Tables[0]); b.Charset != c.charset || !cmp.Equal(want, got) {
				t.Errorf("charset %s, want %s; %q", b.Charset, c.charset, got)
			}
		})
	}
}

func TestCSVLimits(t *testing.T) {
	l := sheet.Limits{MaxBytes: 1000, MaxRows: 3, MaxCols: 2, MaxCells: 100, MaxText: 4}
	b, err := sheet.Read([]byte("abcdefg,2,3\n\n1,2\n4,5\n"), l)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"abcd", "2"}, {}, {"1", "2"}}, texts(b.Tables[0])); diff != "" || !b.Truncated {
		t.Errorf("truncated %v: %s", b.Truncated, diff)
	}
	if _, err := sheet.Read([]byte(strings.Repeat("a", 1001)), l); !refused(err, sheet.CodeTooLarge) {
		t.Errorf("above MaxBytes: %v", err)
	}
}

func TestCSVMarksFormulas(t *testing.T) {
	row := read(t, "=1+1,@SUM(A1),-5,+66 2 123,plain\n").Tables[0].Rows[0]
	for i, want := range []bool{true, true, false, false, false} {
		if row[i].Formula != want {
			t.Errorf("%q: formula %v, want %v", row[i].Text, row[i].Formula, want)
		}
	}
}
