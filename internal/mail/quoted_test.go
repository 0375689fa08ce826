package mail_test

import (
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
		{"forward without a word", "From: A <a@b.example>\nSent: Tuesday\nSubject: x\n\nHi", "", "From: A <a@b.example>\nSent: Tuesday\nSubject: x\n\nHi"},
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
