package mail_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"thhotel/internal/mail"
)

func encoded(t *testing.T, enc encoding.Encoding, text string) string {
	t.Helper()
	s, err := enc.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Charsets by odd names, wrong names and none.
func TestMoreCharsets(t *testing.T) {
	shiftKorean := func(s string) string {
		out := "\x1b$)C\n\x0e"
		for _, c := range []byte(encoded(t, korean.EUCKR, s)) {
			out += string(rune(c & 0x7F))
		}
		return out + "\x0f"
	}
	cases := []struct{ name, label, body, want string }{
		{"utf-7", "utf-7", "Hi Mom +Jjo--+AKMAIQ-, 1 +- 1", "Hi Mom ☺-£!, 1 + 1"},
		{"utf-7, chinese", "UTF-7", "+ZeVnLIqe-", "日本語"},
		{"iso-2022-kr", "iso-2022-kr", shiftKorean("안녕"), "\n안녕"},
		{"iso-2022-jp, circled one", "iso-2022-jp", "\x1b$B-!\x1b(B ok", "① ok"},
		{"iso-2022-jp, half-width", "cp50221", "\x1b(I1\x1b(B ok", "ｱ ok"},
		{"gbk called latin 1", "iso-8859-1", encoded(t, simplifiedchinese.GBK, chinese), chinese},
		{"gbk called windows-1252", "windows-1252", encoded(t, simplifiedchinese.GBK, chinese), chinese},
		{"big5 called latin 1", "iso-8859-1", encoded(t, traditionalchinese.Big5, traditional), traditional},
		{"thai called latin 1", "iso-8859-1", encoded(t, charmap.Windows874, thai), thai},
		{"korean called latin 1", "iso-8859-1", encoded(t, korean.EUCKR, korea), korea},
		{"japanese called latin 1", "iso-8859-1", encoded(t, japanese.ShiftJIS, japan), japan},
		{"gbk called ascii", "us-ascii", encoded(t, simplifiedchinese.GBK, chinese), chinese},
		{"latin 1 is latin 1", "iso-8859-1", encoded(t, charmap.Windows1252, german), german},
		{"french", "iso-8859-1", encoded(t, charmap.Windows1252, "À réserver: l'été, à côté"), "À réserver: l'été, à côté"},
		{"windows name", "cp1251", encoded(t, charmap.Windows1251, russian), russian},
		{"windows name, short", "win1251", encoded(t, charmap.Windows1251, russian), russian},
		{"underscores", "ISO_8859_2", encoded(t, charmap.ISO8859_2, "Příliš"), "Příliš"},
		{"no dash", "utf8", thai, thai},
		{"three bytes", "utf8mb4", thai, thai},
		{"korean, old name", "ks_c_5601-1987", encoded(t, korean.EUCKR, korea), korea},
		{"chinese, old name", "GB_2312-80", encoded(t, simplifiedchinese.GBK, chinese), chinese},
		{"japanese of windows", "windows-31j", encoded(t, japanese.ShiftJIS, japan), japan},
		{"dos", "ibm850", encoded(t, charmap.CodePage850, "Größe"), "Größe"},
		{"utf-16", "utf-16le", encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "Room 中"), "Room 中"},
		{"utf-16 without a label", "", encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "two rooms, please"), "two rooms, please"},
		{"utf-16 called utf-8", "utf-8", encoded(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "two rooms, please"), "two rooms, please"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			label := ""
			if c.label != "" {
				label = "; charset=\"" + c.label + "\""
			}
			m := mail.Parse([]byte("Subject: x\nContent-Type: text/plain" + label + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(c.body))))
			if strings.TrimPrefix(m.Text, "\ufeff") != c.want {
				t.Errorf("got %q, want %q, problem %q", m.Text, c.want, m.Problem)
			}
		})
	}
}

func TestFlowed(t *testing.T) {
	cases := []struct{ name, params, body, want string }{
		{"joined", "", "one \ntwo\nthree", "one two\nthree"},
		{"delsp", "; delsp=yes", "预 \n订\n", "预订\n"},
		{"stuffed", "", " From here\n  indented", "From here\n indented"},
		{"quoted", "", "> one \n> two\nthree", "> one two\nthree"},
		{"depths do not mix", "", "> one \n>> two", "> one \n>> two"},
		{"signature", "", "one\n-- \nA", "one\n-- \nA"},
		{"blank line ends", "", "one \n\ntwo", "one \ntwo"},
	}
	for _, c := range cases {
		if got := mail.Parse([]byte("Subject: x\nContent-Type: text/plain; format=flowed" + c.params + "\n\n" + c.body)).Text; got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestUuencode(t *testing.T) {
	m := mail.Parse([]byte("Subject: x\n\nsee file\nbegin 644 cat.txt\n#0V%T\n`\nend\nbye\nbegin 644 is no file\nat all\n"))
	if m.Text != "see file\nbye\nbegin 644 is no file\nat all\n" || len(m.Attachments) != 1 || string(m.Attachments[0].Content) != "Cat" ||
		m.Attachments[0].Name != "cat.txt" || m.Attachments[0].Container != "the text" {
		t.Errorf("%+v", m)
	}
	m = mail.Parse([]byte(multi("mixed", "m", plainPart, "Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a.pdf\n#0V%T\n`\nend\n")))
	if len(m.Attachments) != 1 || string(m.Attachments[0].Content) != "Cat" || m.Problem != "" {
		t.Errorf("as a transfer encoding: %+v", m)
	}
}

// What a sender may write into headers.
func TestHostileHeaders(t *testing.T) {
	word := func(s string) string { return "=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	cases := []struct {
		name, header string
		check        func(mail.Message) any
		want         any
	}{
		{"group", "To: Sales: a@b.example, \"C\" <c@d.example>;, e@f.example", func(m mail.Message) any { return m.To },
			[]mail.Address{{Email: "a@b.example"}, {Name: "C", Email: "c@d.example"}, {Email: "e@f.example"}}},
		{"empty group", "To: Nobody:;", func(m mail.Message) any { return len(m.To) }, 0},
		{"injected header", "Subject: " + word("a\r\nBcc: x@y.example\r\n\r\nbody"), func(m mail.Message) any { return m.Subject }, "aBcc: x@y.examplebody"},
		{"injected name", "From: " + word("a\nTo: z") + " <a@b.example>", func(m mail.Message) any { return m.From }, mail.Address{Name: "aTo: z", Email: "a@b.example"}},
		{"address in the name", "From: " + word("<boss@hotel.example>") + " <thief@x.example>", func(m mail.Message) any { return m.From.Email }, "thief@x.example"},
		{"comma in the name", "From: " + word("A <a@b.example>, ") + " <thief@x.example>", func(m mail.Message) any { return m.From.Email }, "thief@x.example"},
		{"address in the name of a broken line", "From: (" + word("<boss@hotel.example>") + " <thief@x.example>", func(m mail.Message) any { return m.From.Email }, "thief@x.example"},
		{"word in a word", "Subject: " + word(word("deep")), func(m mail.Message) any { return m.Subject }, word("deep")},
		{"two froms", "From: a@b.example\nFrom: c@d.example", func(m mail.Message) any { return m.From.Email }, "a@b.example"},
		{"nul", "Subject: a\x00b", func(m mail.Message) any { return m.Subject }, "ab"},
		{"folded", "Subject: a\n b\n\tc", func(m mail.Message) any { return m.Subject }, "a b c"},
		{"word in quotes with gbk", "Subject: \"=?gb2312?B?1tDOxA==?=\"", func(m mail.Message) any { return m.Subject }, "\"中文\""},
		{"unknown charset", "Subject: =?x-none?q?abc?=", func(m mail.Message) any { return m.Subject }, "abc"},
		{"language", "Subject: =?utf-8*en?q?abc?=", func(m mail.Message) any { return m.Subject }, "abc"},
		{"blank in a word", "Subject: =?utf-8?q?a b?=", func(m mail.Message) any { return m.Subject }, "a b"},
		{"not closed", "Subject: =?utf-8?q?abc", func(m mail.Message) any { return m.Subject }, "=?utf-8?q?abc"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := mail.Parse([]byte(c.header + "\n\nbody\n"))
			checkValid(t, c.name, m)
			if diff := cmp.Diff(c.want, c.check(m)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	names := map[string]string{
		`filename*0*=utf-8''%E6%88%BF; filename*1*=%E9%97%B4.pdf`:              "房间.pdf",
		`filename*0*=gb2312''%B7%BF%BC; filename*1*=%E4.pdf`:                   "房间.pdf",
		`filename*=gbk''%B7%BF%BC%E4.pdf`:                                      "房间.pdf",
		`filename*=UTF-8'en'a%20b.pdf`:                                         "a b.pdf",
		`filename="=?gb2312?B?t7+85C5wZGY=?="`:                                 "房间.pdf",
		`filename*=utf-8''..%2F..%2Fetc%2Fpasswd`:                              "passwd",
		"filename=\"" + encoded(t, simplifiedchinese.GBK, "房间名单列表") + ".pdf\"": "房间名单列表.pdf",
	}
	for header, want := range names {
		m := mail.Parse([]byte(multi("mixed", "m", "Content-Type: application/pdf\nContent-Disposition: attachment; "+header+"\n\nx")))
		if len(m.Attachments) != 1 || m.Attachments[0].Name != want {
			t.Errorf("%s: got %+v, want %q", header, m.Attachments, want)
		}
	}
}

// Twice the mail costs no more than twice the memory, whatever it is made of.
func TestCostGrowsWithTheMail(t *testing.T) {
	cases := map[string]func(n int) string{
		"boundary lines": func(n int) string {
			return "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n", n*20)
		},
		"parts": func(n int) string {
			return "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", n*20)
		},
		"allowed parts": func(n int) string {
			return "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", n)
		},
		"headers":         func(n int) string { return strings.Repeat("X-A: b\n", n*20) + "\nx" },
		"one long header": func(n int) string { return "Subject: " + strings.Repeat("word ", n*20) + "\n\nx" },
		"nesting": func(n int) string {
			out := ""
			for i := range n / 100 {
				out += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
			}
			return out
		},
		"one long line": func(n int) string { return "Subject: x\n\n" + strings.Repeat("word ", n*100) },
		"quotes": func(n int) string {
			return "Subject: x\n\n" + strings.Repeat("> On 26 Nov 2026 A wrote:\nFrom:\n", n*5)
		},
		"uuencode": func(n int) string { return "Subject: x\n\n" + strings.Repeat("begin 644 a\n#0V%T\n", n*5) },
		"flowed": func(n int) string {
			return "Content-Type: text/plain; format=flowed\n\n" + strings.Repeat(">> a \n", n*20)
		},
		"nul":   func(n int) string { return "Subject: x\n\n" + strings.Repeat("\x00", n*100) },
		"words": func(n int) string { return "Subject: " + strings.Repeat("=?gbk?b?wO4=?= ", n*5) + "\n\nx" },
		"html quotes": func(n int) string {
			return "Content-Type: text/html\n\n" + strings.Repeat("<blockquote>a</blockquote>", n*5)
		},
	}
	for name, make := range cases {
		small, large := []byte(make(1000)), []byte(make(2000))
		if one, two := parseCost(small), parseCost(large); two > 3*one+8<<20 {
			t.Errorf("%s: %d bytes of memory for %d, %d for %d", name, one, len(small), two, len(large))
		}
	}
}

func parseCost(raw []byte) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := mail.Parse(raw)
	mail.SplitQuoted(m.Text)
	mail.SplitQuotedHTML(m.HTML)
	mail.SplitSignature(m.Text)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// winmail writes a winmail.dat.
type winmail struct{ b []byte }

func newWinmail() *winmail { return &winmail{[]byte{0x78, 0x9F, 0x3E, 0x22, 1, 0}} }

func (w *winmail) attr(level byte, id uint32, data []byte) *winmail {
	w.b = append(w.b, level)
	w.b = binary.LittleEndian.AppendUint32(w.b, id)
	w.b = binary.LittleEndian.AppendUint32(w.b, uint32(len(data)))
	w.b = append(append(w.b, data...), 0, 0)
	return w
}

// props writes properties of Unicode, byte and object values.
func props(list ...any) []byte {
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(list)/2))
	for i := 0; i < len(list); i += 2 {
		id, kind, data := list[i].(int), uint16(0x102), []byte(nil)
		switch v := list[i+1].(type) {
		case string:
			kind = 0x1F
			for _, u := range utf16.Encode([]rune(v + "\x00")) {
				data = binary.LittleEndian.AppendUint16(data, u)
			}
		case []byte:
			data = v
		}
		out = binary.LittleEndian.AppendUint16(out, kind)
		out = binary.LittleEndian.AppendUint16(out, uint16(id))
		out = binary.LittleEndian.AppendUint32(out, 1)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
		out = append(out, data...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	return out
}

// stored wraps rich text as Outlook does when it does not pack it.
func stored(rtf string) []byte {
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(rtf)+12))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(rtf)))
	out = binary.LittleEndian.AppendUint32(out, 0x414C454D)
	return append(binary.LittleEndian.AppendUint32(out, 0), rtf...)
}

func parseWinmail(w *winmail) mail.Message {
	return mail.Parse([]byte("Subject: x\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(w.b)))
}

func TestWinmail(t *testing.T) {
	inner := newWinmail().attr(1, 0x69003, props(0x1000, "inner text")).attr(2, 0x69002, nil).attr(2, 0x6800F, []byte("deep")).attr(2, 0x18010, []byte("deep.txt\x00"))
	cases := []struct {
		name       string
		w          *winmail
		text, html string
		files      []string
	}{
		{"body and files", newWinmail().attr(1, 0x69007, []byte{0xA8, 3, 0, 0, 0, 0, 0, 0}).attr(1, 0x2800C, []byte(encoded(t, simplifiedchinese.GBK, "请预订")+"\x00")).
			attr(2, 0x69002, nil).attr(2, 0x18010, []byte("LIST~1.XLS\x00")).attr(2, 0x6800F, []byte("abc")).attr(2, 0x69005, props(0x3707, "名单.xlsx", 0x370E, "application/vnd.ms-excel")),
			"请预订", "", []string{"名单.xlsx application/vnd.ms-excel abc"}},
		{"html", newWinmail().attr(1, 0x69003, props(0x1013, []byte("<p>hi</p>"), 0x1000, "hi")), "hi", "<p>hi</p>", nil},
		{"rich text", newWinmail().attr(1, 0x69003, props(0x1009, stored(`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset134 SimSun;}}\f0 \'b7\'bf\par Zi\u109?mer\tab 2{\*\secret x}}`))), "房\nZimmer\t2", "", nil},
		{"html in rich text", newWinmail().attr(1, 0x69003, props(0x1009, stored(`{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}\htmlrtf x\htmlrtf0 a < b{\*\htmltag72 </p>}}`))),
			"", "<p>a &lt; b</p>", nil},
		{"message inside", newWinmail().attr(2, 0x69002, nil).attr(2, 0x69005, props(0x3701, append(make([]byte, 16), inner.b...), 0x3707, "Forwarded")),
			"", "", []string{"Forwarded text/plain inner text", "deep.txt text/plain deep"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := parseWinmail(c.w)
			checkValid(t, c.name, m)
			var files []string
			for _, a := range m.Attachments[1:] {
				files = append(files, a.Name+" "+a.ContentType+" "+string(a.Content))
				if a.Container != "winmail.dat" {
					t.Errorf("container %q", a.Container)
				}
			}
			if m.Text != c.text || m.HTML != c.html || m.Problem != "" || !cmp.Equal(files, c.files) {
				t.Errorf("text %q, html %q, files %q, problem %q", m.Text, m.HTML, files, m.Problem)
			}
			for cut := range len(c.w.b) { // damage of every length is told and survived
				checkValid(t, c.name, parseWinmail(&winmail{c.w.b[:cut]}))
			}
		})
	}
}

func TestForwardedAsAFile(t *testing.T) {
	inner := "From: A <a@b.example>\nTo: b@c.example\nSubject: two rooms\nDate: Tue, 1 Dec 2026 10:00:00 +0700\n\nplease book\n"
	m := mail.Parse([]byte(multi("mixed", "m", "Content-Type: text/plain\n\n \n", "Content-Type: message/rfc822\n\n"+inner)))
	if !strings.Contains(m.Text, "Subject: two rooms") || !strings.Contains(m.Text, "please book") || len(m.Attachments) != 1 {
		t.Errorf("%+v", m)
	}
	if fresh, _ := mail.SplitQuoted(m.Text); !strings.Contains(fresh, "please book") {
		t.Errorf("a forwarded mail is taken for history: %q", fresh)
	}
	deep := inner
	for range 60 {
		deep = "Subject: x\nContent-Type: message/rfc822\n\n" + deep
	}
	checkValid(t, "deep", mail.Parse([]byte(deep)))
	many := multi("mixed", "m", append([]string{plainPart}, strings.Split(strings.Repeat("Content-Type: message/rfc822\n\n"+
		multi("alternative", "q", plainPart, htmlPart)+"|", 80), "|")[:80]...)...)
	if m := mail.Parse([]byte(many)); m.Text != "plain" || len(m.Attachments) != 80 || m.Problem != "" {
		t.Errorf("80 mails in one: text %q, %d files, problem %q", m.Text, len(m.Attachments), m.Problem)
	}
}
