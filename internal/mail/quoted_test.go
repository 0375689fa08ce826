package mail_test

import (
	"strings"
	"testing"

	"thhotel/internal/mail"
)

func TestSplitQuoted(t *testing.T) {
	cases := []struct{ name, text, fresh, quoted string }{
		{"nothing quoted", "Hello\n\nRegards\n", "Hello\n\nRegards", ""},
		{"gmail", "Yes\n\nOn Tue, 24 Nov 2026 at 16:31, A <a@b.example> wrote:\n> Hi", "Yes", "On Tue, 24 Nov 2026 at 16:31, A <a@b.example> wrote:\n> Hi"},
		{"gmail, wrapped", "Yes\nOn Tue, 24 Nov 2026 at 16:31, A Very Long Name\n<a@b.example> wrote:\n\n> Hi", "Yes", "On Tue, 24 Nov 2026 at 16:31, A Very Long Name\n<a@b.example> wrote:\n\n> Hi"},
		{"quoted without marks", "Yes\nOn 24 Nov 2026 at 16:31 A wrote:\nHi\nthere", "Yes", "On 24 Nov 2026 at 16:31 A wrote:\nHi\nthere"},
		{"answer below", "On 24 Nov 2026, A wrote:\n> Hi\n> there\n\nYes", "Yes", "On 24 Nov 2026, A wrote:\n> Hi\n> there"},
		{"answers between", "> one?\nYes\n> two?\nNo", "Yes\nNo", "> one?\n> two?"},
		{"outlook", "Yes\n\nFrom: A <a@b.example>\nSent: Tuesday\nTo: B\nSubject: x\n\nHi", "Yes", "From: A <a@b.example>\nSent: Tuesday\nTo: B\nSubject: x\n\nHi"},
		{"outlook, bold", "Yes\n*From:* A\n*Sent:* Tuesday\n*To:* B\nHi", "Yes", "*From:* A\n*Sent:* Tuesday\n*To:* B\nHi"},
		{"outlook, line above", "Yes\n________________________________\nFrom: A\nDate: Tuesday\nSubject: x\nHi", "Yes", "________________________________\nFrom: A\nDate: Tuesday\nSubject: x\nHi"},
		{"original message", "Yes\n-----Original Message-----\nHi", "Yes", "-----Original Message-----\nHi"},
		{"forwarded", "See below\n---------- Forwarded message ---------\nHi", "See below", "---------- Forwarded message ---------\nHi"},
		{"apple forward", "See below\n\nBegin forwarded message:\n\nHi", "See below", "Begin forwarded message:\n\nHi"},
		{"forward without a word", "From: A <a@b.example>\nSent: Tuesday\nSubject: x\n\nHi", "From: A <a@b.example>\nSent: Tuesday\nSubject: x\n\nHi", ""},
		{"forward by gmail", "---------- Forwarded message ---------\nFrom: A <a@b.example>\nDate: Tue\nSubject: x\nTo: B\n\nHi", "---------- Forwarded message ---------\nFrom: A <a@b.example>\nDate: Tue\nSubject: x\nTo: B\n\nHi", ""},
		{"forward of an answer", "-----Original Message-----\nFrom: A\nSent: Tue\nSubject: x\n\nYes\n-----Original Message-----\nFrom: B\nSent: Mon\nSubject: x\n\nHi",
			"-----Original Message-----\nFrom: A\nSent: Tue\nSubject: x\n\nYes", "-----Original Message-----\nFrom: B\nSent: Mon\nSubject: x\n\nHi"},
		{"only a quotation", "> Hi\n> there", "", "> Hi\n> there"},
		{"dingtalk", "好的\n------------------------------------------------------------------\n发件人：A <a@b.example>\n日　期：2026年11月26日 10:10:00\n收件人：B <c@d.example>\n主　题：x\n\n你好", "好的", "------------------------------------------------------------------\n发件人：A <a@b.example>\n日　期：2026年11月26日 10:10:00\n收件人：B <c@d.example>\n主　题：x\n\n你好"},
		{"feishu", "好的\n\n发件人: A <a@b.example>\n日期: 2026年11月26日 (周四) 10:10\n主题: x\n收件人: B\n\n你好", "好的", "发件人: A <a@b.example>\n日期: 2026年11月26日 (周四) 10:10\n主题: x\n收件人: B\n\n你好"},
		{"qq, english", "OK\n\n------------------ Original ------------------\nFrom: A\nHi", "OK", "------------------ Original ------------------\nFrom: A\nHi"},
		{"qq, phone", "OK\n---Original---\nFrom: A\nHi", "OK", "---Original---\nFrom: A\nHi"},
		{"netease master", "好的\n---- 回复的原邮件 ----\n| 发件人 | A<a@b.example> |\n你好", "好的", "---- 回复的原邮件 ----\n| 发件人 | A<a@b.example> |\n你好"},
		{"netease master, table alone", "好的\n| 发件人 | A<a@b.example> |\n| 日期 | 2026年11月26日 10:10 |\n| 收件人 | B |\n| 主题 | x |\n你好", "好的", "| 发件人 | A<a@b.example> |\n| 日期 | 2026年11月26日 10:10 |\n| 收件人 | B |\n| 主题 | x |\n你好"},
		{"netease, replied", "OK\n---- Replied Message ----\n| From | A |\nHi", "OK", "---- Replied Message ----\n| From | A |\nHi"},
		{"netease, english", "OK\nAt 2026-11-26 10:10:00, \"A\" <a@b.example> wrote:\nHi", "OK", "At 2026-11-26 10:10:00, \"A\" <a@b.example> wrote:\nHi"},
		{"outlook, french", "Oui\nDe : A <a@b.example>\nEnvoyé : mardi 24 novembre 2026 10:10\nÀ : B\nObjet : x\n\nBonjour", "Oui", "De : A <a@b.example>\nEnvoyé : mardi 24 novembre 2026 10:10\nÀ : B\nObjet : x\n\nBonjour"},
		{"gmail, french", "Oui\n\nLe mar. 24 nov. 2026 à 10:10, A <a@b.example> a écrit :\n\n> Bonjour", "Oui", "Le mar. 24 nov. 2026 à 10:10, A <a@b.example> a écrit :\n\n> Bonjour"},
		{"outlook, german", "Ja\n\nVon: A <a@b.example>\nGesendet: Dienstag, 24. November 2026 10:10\nAn: B\nBetreff: x\n\nHallo", "Ja", "Von: A <a@b.example>\nGesendet: Dienstag, 24. November 2026 10:10\nAn: B\nBetreff: x\n\nHallo"},
		{"outlook, japanese", "はい\n-----元のメッセージ-----\n差出人: A\n送信日時: 2026年\n件名: x\nHi", "はい", "-----元のメッセージ-----\n差出人: A\n送信日時: 2026年\n件名: x\nHi"},
		{"apple, japanese", "はい\n\n2026/11/26 10:10、A <a@b.example>のメール:\n\n> 予約", "はい", "2026/11/26 10:10、A <a@b.example>のメール:\n\n> 予約"},
		{"gmail, korean", "네\n\n2026년 11월 26일 (목) 오전 10:10, A <a@b.example>님이 작성:\n\n> 안녕", "네", "2026년 11월 26일 (목) 오전 10:10, A <a@b.example>님이 작성:\n\n> 안녕"},
		{"gmail, vietnamese", "Vâng\nVào Th 5, 26 thg 11, 2026 vào lúc 10:10 A <a@b.example> đã viết:\n> Hi", "Vâng", "Vào Th 5, 26 thg 11, 2026 vào lúc 10:10 A <a@b.example> đã viết:\n> Hi"},
		{"gmail, indonesian", "Ya\nPada tanggal Kam, 26 Nov 2026 pukul 10.10 A <a@b.example> menulis:\n> Hi", "Ya", "Pada tanggal Kam, 26 Nov 2026 pukul 10.10 A <a@b.example> menulis:\n> Hi"},
		{"gmail, turkish", "Tamam\nA <a@b.example>, 26 Kas 2026 Per, 10:10 tarihinde şunu yazdı:\n> Hi", "Tamam", "A <a@b.example>, 26 Kas 2026 Per, 10:10 tarihinde şunu yazdı:\n> Hi"},
		{"notes, reply", "Yes\n\nAnna Weber/BKK/ACME\n26/11/2026 10:10\n\nTo\nB\ncc\n\nSubject\nRe: x\n\nHi", "Yes", "Anna Weber/BKK/ACME\n26/11/2026 10:10\n\nTo\nB\ncc\n\nSubject\nRe: x\n\nHi"},
		{"notes, forwarded by", "Yes\n----- Forwarded by Anna Weber/BKK on 26/11/2026 10:10 -----\nHi", "Yes", "----- Forwarded by Anna Weber/BKK on 26/11/2026 10:10 -----\nHi"},
		{"yahoo", "Yes\n--- On Wed, 4/4/12, A <a@b.example> wrote:\nHi", "Yes", "--- On Wed, 4/4/12, A <a@b.example> wrote:\nHi"},
		{"a table of guests", "| From | BKK |\n| To | HKT |\n| Date | 12 Feb |", "| From | BKK |\n| To | HKT |\n| Date | 12 Feb |", ""},
		{"qq mail", "请改期\n\n------------------ 原始邮件 ------------------\n发件人: A\n好", "请改期", "------------------ 原始邮件 ------------------\n发件人: A\n好"},
		{"foxmail", "请改期\n\n发件人： A\n发送时间： 2026-11-26\n收件人： B\n主题： x\n好", "请改期", "发件人： A\n发送时间： 2026-11-26\n收件人： B\n主题： x\n好"},
		{"netease", "请改期\n在 2026-11-26 10:10:00，\"A\" <a@b.example> 写道：\n好", "请改期", "在 2026-11-26 10:10:00，\"A\" <a@b.example> 写道：\n好"},
		{"gmail, chinese", "请改期\n\nA <a@b.example> 于2026年11月26日周四 10:10写道：\n\n> 好", "请改期", "A <a@b.example> 于2026年11月26日周四 10:10写道：\n\n> 好"},
		{"traditional", "請改期\n寄件者: A\n寄件日期: 2026年\n主旨: x\n好", "請改期", "寄件者: A\n寄件日期: 2026年\n主旨: x\n好"},
		{"gmail, thai", "ขอเลื่อน\n\nในวันที่ พฤ. 26 พ.ย. 2569 เวลา 10:10 A <a@b.example> เขียนว่า:\n\n> ค่ะ", "ขอเลื่อน", "ในวันที่ พฤ. 26 พ.ย. 2569 เวลา 10:10 A <a@b.example> เขียนว่า:\n\n> ค่ะ"},
		{"outlook, thai", "ขอเลื่อน\nจาก: A\nส่ง: พุธ\nถึง: B\nเรื่อง: x\nค่ะ", "ขอเลื่อน", "จาก: A\nส่ง: พุธ\nถึง: B\nเรื่อง: x\nค่ะ"},
		{"german", "Ja\nAm 24.11.2026 um 16:31 schrieb A:\n> Hallo", "Ja", "Am 24.11.2026 um 16:31 schrieb A:\n> Hallo"},
		{"japanese", "はい\n2026年11月26日(木) 10:10 A <a@b.example>:\n> 予約", "はい", "2026年11月26日(木) 10:10 A <a@b.example>:\n> 予約"},
		{"mail.ru", "Да\nThu, 26 Jun 2014 14:00:51 +0400 от A <a@b.example>:\n> Hi", "Да", "Thu, 26 Jun 2014 14:00:51 +0400 от A <a@b.example>:\n> Hi"},
		{"android, russian, wrapped", "Да\n02.04.2012 14:20 пользователь \"A\" <\na@b.example> написал:\n> Hi", "Да", "02.04.2012 14:20 пользователь \"A\" <\na@b.example> написал:\n> Hi"},
		{"under a rule", "Yes\n---\nDate: Thursday\nSubject: x\nFrom: a@b.example\nTo: c\nHi", "Yes", "---\nDate: Thursday\nSubject: x\nFrom: a@b.example\nTo: c\nHi"},
		{"carriage returns", "Yes\r\n> no\r\n", "Yes", "> no"},

		{"transfer is no header", "From: BKK airport\nTo: hotel\nDate: 12 Feb\nPax: 2", "From: BKK airport\nTo: hotel\nDate: 12 Feb\nPax: 2", ""},
		{"memo in thai", "เรื่อง: ขอจองห้อง\nจาก: บริษัท\nถึง: โรงแรม\nรายละเอียด", "เรื่อง: ขอจองห้อง\nจาก: บริษัท\nถึง: โรงแรม\nรายละเอียด", ""},
		{"own words", "On 3 May 2026 I wrote:\nplease cancel", "On 3 May 2026 I wrote:\nplease cancel", ""},
		{"a sentence", "The guest wrote:\nlate arrival", "The guest wrote:\nlate arrival", ""},
		{"dashes", "Rooms\n-----------\n2 DLXK", "Rooms\n-----------\n2 DLXK", ""},
		{"bullet", "- original message attached\n- two rooms", "- original message attached\n- two rooms", ""},
		{"on a date", "On 12 Feb 2027 we arrive late.", "On 12 Feb 2027 we arrive late.", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fresh, quoted := mail.SplitQuoted(c.text)
			if fresh != c.fresh || squeeze(quoted) != squeeze(c.quoted) {
				t.Errorf("got  %q\n and %q\nwant %q\n and %q", fresh, quoted, c.fresh, c.quoted)
			}
		})
	}
}

// Whoever opens a mail waits for this: every line costs about the same, however
// much it looks like the head of a quotation.
func TestSplitQuotedIsLinear(t *testing.T) {
	for _, line := range []string{"On 26 Nov 2026 A b c d e f:\n", "From: x\n", "To: 1 a@b\nx\n", "Sent: x\n", "-----\n", "On 26 Nov 2026 A\n", "To\n"} {
		small, large := strings.Repeat(line, 2000), strings.Repeat(line, 8000)
		cost := func(s string) float64 { return testing.AllocsPerRun(1, func() { mail.SplitQuoted(s) }) }
		if one, four := cost(small), cost(large); four > 6*one+1000 {
			t.Errorf("%q: %v allocations for %d bytes, %v for %d", line, one, len(small), four, len(large))
		}
	}
}
