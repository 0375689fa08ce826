package mail_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

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

const (
	chinese     = "您好，请协助预订以下散客房间，如有房请尽快回复确认号。入住日期：2027年1月20日，退房日期：2027年1月23日。"
	traditional = "您好，請協助預訂以下散客房間，如有房請盡快回覆確認號。入住日期：2027年1月20日，謝謝！"
	japan       = "お世話になっております。下記の予約をお願いいたします。よろしくお願いします。"
	korea       = "안녕하세요. 아래와 같이 객실 예약을 부탁드립니다. 감사합니다."
	thai        = "เรียน แผนกสำรองห้องพัก ขอห้องชั้นสูง เตียงคิงไซซ์ ขอบคุณค่ะ"
	german      = "Schöne Grüße aus München – der Preis ist 120 €, bitte bestätigen"
	russian     = "Здравствуйте, просим подтвердить бронирование двух номеров"
)

func TestCharsets(t *testing.T) {
	utf := unicode.UTF8
	cases := []struct {
		name, label string
		real        encoding.Encoding
		text        string
		problem     bool
	}{
		{"gbk", "GBK", simplifiedchinese.GBK, chinese, false},
		{"gb2312 with gb18030 inside", "gb2312", simplifiedchinese.GB18030, chinese + "㐀", false},
		{"hz", "hz-gb-2312", simplifiedchinese.HZGB2312, chinese, false},
		{"big5", "Big5", traditionalchinese.Big5, traditional, false},
		{"iso-2022-jp", "ISO-2022-JP", japanese.ISO2022JP, japan, false},
		{"shift_jis", "Shift_JIS", japanese.ShiftJIS, japan, false},
		{"euc-kr", "ks_c_5601-1987", korean.EUCKR, korea, false},
		{"tis-620", "TIS-620", charmap.Windows874, thai, false},
		{"windows-874", "windows-874", charmap.Windows874, thai, false},
		{"windows-1252 as latin 1", "iso-8859-1", charmap.Windows1252, german, false},
		{"windows-1251", "windows-1251", charmap.Windows1251, russian, false},
		{"koi8-r", "koi8-r", charmap.KOI8R, russian, false},
		{"utf-8", "utf-8", utf, thai, false},
		{"utf-8 called ascii", "us-ascii", utf, thai, false},
		{"utf-8 called gbk", "gbk", utf, chinese, false},
		{"utf-8 called latin 1", "iso-8859-1", utf, german, false},
		{"utf-8 called tis-620", "tis-620", utf, thai, false},
		{"gbk called utf-8", "utf-8", simplifiedchinese.GBK, chinese, true},
		{"big5 called ascii", "us-ascii", traditionalchinese.Big5, traditional, true},
		{"thai called utf-8", "utf-8", charmap.Windows874, thai, true},
		{"korean called utf-8", "utf-8", korean.EUCKR, korea, true},
		{"cyrillic called utf-8", "utf-8", charmap.Windows1251, russian, true},
		{"german called utf-8", "utf-8", charmap.Windows1252, german, true},
		{"gbk without a label", "", simplifiedchinese.GBK, chinese, false},
		{"unknown label", "x-nobody", utf, german, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b, err := c.real.NewEncoder().Bytes([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			label := ""
			if c.label != "" {
				label = "; charset=" + c.label
			}
			body := base64.StdEncoding.EncodeToString(b)
			m := mail.Parse([]byte("Subject: x\r\nContent-Type: text/plain" + label + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" + body + "\r\n"))
			if m.Text != c.text || (m.Problem != "") != c.problem {
				t.Errorf("got %q, problem %q", m.Text, m.Problem)
			}
			if c.label == "" || c.problem {
				return
			}
			m = mail.Parse([]byte("Subject: =?" + c.label + "?B?" + body + "?=\r\n\r\n"))
			if m.Subject != c.text {
				t.Errorf("subject %q", m.Subject)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("李晓雯云途旅行社入境部")
	if err != nil {
		t.Fatal(err)
	}
	half := base64.StdEncoding.EncodeToString
	cases := []struct {
		name, header string
		check        func(mail.Message) any
		want         any
	}{
		{"raw gbk subject", "Subject: " + gbk, func(m mail.Message) any { return m.Subject }, "李晓雯云途旅行社入境部"},
		{"character cut in two", "Subject: =?gbk?B?" + half([]byte(gbk[:5])) + "?=\r\n =?GBK?B?" + half([]byte(gbk[5:])) + "?=", func(m mail.Message) any { return m.Subject }, "李晓雯云途旅行社入境部"},
		{"name cut in two", "From: =?gbk?B?" + half([]byte(gbk[:5])) + "?= =?gbk?B?" + half([]byte(gbk[5:])) + "?= <a@b.example>",
			func(m mail.Message) any { return m.From }, mail.Address{Name: "李晓雯云途旅行社入境部", Email: "a@b.example"}},
		{"words between", "Subject: a =?utf-8?q?b_c?= d =?utf-8?b?ZQ==?=", func(m mail.Message) any { return m.Subject }, "a b c d e"},
		{"smuggled line end", "Subject: =?utf-8?q?a=0D=0ABcc:_x?=", func(m mail.Message) any { return m.Subject }, "aBcc: x"},
		{"quoted encoded name", `From: "=?utf-8?q?M=C3=BCller=2C_Eva?=" <e@m.example>`, func(m mail.Message) any { return m.From }, mail.Address{Name: "Müller, Eva", Email: "e@m.example"}},
		{"broken address", "From: Eva Müller (Sales <e@m.example>", func(m mail.Message) any { return m.From.Email }, "e@m.example"},
		{"several", "To: a@b.example, \"C, D\" <c@d.example>", func(m mail.Message) any { return m.To },
			[]mail.Address{{Email: "a@b.example"}, {Name: "C, D", Email: "c@d.example"}}},
		{"nobody", "To: undisclosed-recipients:;", func(m mail.Message) any { return len(m.To) }, 0},
		{"reply to", "Reply-To: x@y.example", func(m mail.Message) any { return m.ReplyTo }, []mail.Address{{Email: "x@y.example"}}},
		{"message id", "Message-ID:  <a.b@c>", func(m mail.Message) any { return m.MessageID }, "<a.b@c>"},
		{"in reply to with words", "In-Reply-To: Your message of today <a@b>", func(m mail.Message) any { return m.InReplyTo }, "<a@b>"},
		{"references", "References: <a@b>\r\n\t<c@d><e@f>", func(m mail.Message) any { return m.References }, []string{"<a@b>", "<c@d>", "<e@f>"}},
		{"automatic", "Auto-Submitted: auto-replied", func(m mail.Message) any { return m.AutoSubmitted }, "auto-replied"},
		{"list", "List-Unsubscribe: <https://x.example/u>", func(m mail.Message) any { return m.ListUnsubscribe }, "<https://x.example/u>"},
		{"date with comment", "Date: Tue, 1 Dec 2026 10:00:00 +0700 (ICT)", func(m mail.Message) any { return m.SentAt.Format(time.RFC3339) }, "2026-12-01T10:00:00+07:00"},
		{"date with zone name", "Date: Tue, 1 Dec 2026 10:00:00 EST", func(m mail.Message) any { return m.SentAt.Format(time.RFC3339) }, "2026-12-01T10:00:00-05:00"},
		{"no date", "X: y", func(m mail.Message) any { return m.SentAt.IsZero() && m.ReceivedAt.IsZero() && m.Problem == "" }, true},
		{"topmost received", "Received: by a; Tue, 1 Dec 2026 10:00:05 +0000\r\nReceived: by b; Tue, 1 Dec 2026 10:00:00 +0000",
			func(m mail.Message) any { return m.ReceivedAt.Format(time.RFC3339) }, "2026-12-01T10:00:05Z"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := mail.Parse([]byte(c.header + "\r\n\r\nbody\r\n"))
			checkValid(t, c.name, m)
			if diff := cmp.Diff(c.want, c.check(m)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	long := "References:"
	for i := range 500 {
		long += fmt.Sprintf(" <%d@x>", i)
	}
	if got := mail.Parse([]byte(long + "\r\n\r\n")).References; len(got) != 100 || got[0] != "<0@x>" || got[99] != "<499@x>" {
		t.Errorf("long thread: %d references, %v", len(got), got)
	}
}

func TestMbox(t *testing.T) {
	src := "From a@b Tue Dec  1 10:00:00 2026\nSubject: one\n\nFirst\n>From the start\n\nFrom Monday on we stay.\n\n" +
		"From c@d Tue Dec  1 11:00:00 2026\r\nSubject: two\r\n\r\nSecond\r\n"
	want := []string{"Subject: one\n\nFirst\nFrom the start\n\nFrom Monday on we stay.\n", "Subject: two\r\n\r\nSecond\r\n"}
	var got []string
	collect := func(raw []byte) error { got = append(got, string(raw)); return nil }
	if err := mail.SplitMbox(strings.NewReader(src), collect); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	stop := errors.New("stop")
	if err := mail.SplitMbox(strings.NewReader(src), func([]byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error is not passed on: %v", err)
	}
	got = nil
	if err := mail.SplitMbox(strings.NewReader("\n"), collect); err != nil || len(got) != 0 {
		t.Errorf("empty: %v, %v", got, err)
	}
	huge := "From a@b Tue Dec  1 10:00:00 2026\nSubject: huge\n\n" + strings.Repeat("x", mail.MaxRaw+100) + "\n\nFrom c@d Tue Dec  1 11:00:00 2026\nSubject: next\n\ny\n"
	var sizes []int
	err := mail.SplitMbox(strings.NewReader(huge), func(raw []byte) error { sizes = append(sizes, len(raw)); return nil })
	if err != nil || len(sizes) != 2 || sizes[0] > mail.MaxRaw+1 {
		t.Errorf("huge: %v, %v", sizes, err)
	}
}
