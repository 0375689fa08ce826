package mail

import (
	"regexp"
	"strings"
)

// SplitQuoted parts what the sender wrote now from the history below or between
// it. Under a line such as "-----Original Message-----" or a block of From, Sent,
// To and Subject everything is history. Lines behind ">" are history wherever
// they stand, and what follows them is new again: people answer below and between.
func SplitQuoted(text string) (fresh, quoted string) {
	all := strings.Split(lines(text), "\n")
	var now, old []string
	begun := false // something new stands above
	for i := 0; i < len(all); {
		kind, n := markAt(all, i, begun)
		switch kind {
		case markRest:
			old = append(old, all[i:]...)
			i = len(all)
			continue
		case markQuote:
			old = append(old, all[i:i+n]...)
		default:
			now = append(now, all[i])
			begun = begun || strings.TrimSpace(all[i]) != ""
			n = 1
		}
		i += n
	}
	fresh = strings.TrimRight(strings.Join(now, "\n"), " \t\n")
	return strings.TrimLeft(fresh, "\n"), strings.Join(old, "\n")
}

type mark int

const (
	markNone  mark = iota
	markQuote      // the next n lines are history
	markRest       // everything from here on is
)

// markAt tells what begins at a line.
func markAt(all []string, i int, begun bool) (mark, int) {
	line := all[i]
	if quoteLine(line) {
		return markQuote, 1
	}
	if len(line) > 600 || strings.TrimSpace(line) == "" {
		return markNone, 0
	}
	if separator(line) || headerBlock(all, i, begun) {
		return markRest, 0
	}
	if underline.MatchString(line) && i+1 < len(all) {
		for next := i + 1; next < min(i+4, len(all)); next++ {
			if headerBlock(all, next, begun) {
				return markRest, 0
			}
		}
	}
	if n := attribution(all, i); n > 0 {
		return introduces(all, i, n)
	}
	return markNone, 0
}

// introduces looks at what stands under "On … wrote:". Marked lines are history
// by themselves; without them all that follows is.
func introduces(all []string, i, n int) (mark, int) {
	for next := i + n; next < len(all); next++ {
		if quoteLine(all[next]) {
			return markQuote, next - i
		}
		if strings.TrimSpace(all[next]) != "" {
			return markRest, 0
		}
	}
	return markRest, 0
}

func quoteLine(line string) bool {
	line = strings.TrimLeft(line, " \t\u00A0")
	return strings.HasPrefix(line, ">") || strings.HasPrefix(line, "＞") || strings.HasPrefix(line, "&gt;")
}

var underline = regexp.MustCompile(`^\s*([_=-]{10,}|---)\s*$`)

// separatorWords stand between dashes above a quoted or forwarded message.
var separatorWords = regexp.MustCompile(`(?i)^(original message|original appointment|reply message|forwarded message|forwarded by .*|` +
	`original[- ]nachricht|urspr(ü|ue)ngliche nachricht|weitergeleitete nachricht|message d'origine|message original|message transf(é|e)r(é|e)|` +
	`mensaje original|mensaje reenviado|mensagem original|mensagem encaminhada|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|` +
	`oprindelig meddelelse|opprinnelig melding|ursprungligt meddelande|исходное сообщение|пересылаемое сообщение|` +
	`原始邮件|原邮件|原始信息|邮件原件|回复的原邮件|原始郵件|原始訊息|转发邮件|转发的邮件|轉寄的?郵件|轉寄信件|转发邮件信息|` +
	`元のメッセージ|転送メッセージ|原始メッセージ|원본 메시지|원본 메일|전달된 메시지|전달 메시지|ข้อความต้นฉบับ|ข้อความเดิม|ข้อความที่ส่งต่อ|จดหมายต้นฉบับ|thư gốc)[:：]?$`)

// separator recognises "-----Original Message-----" and its kin in the languages
// of the hotel's partners.
func separator(line string) bool {
	line = strings.TrimSpace(line)
	bare := strings.Trim(line, "-_–—=*＿－ \u00A0")
	if bare == "" || len(bare) > 120 {
		return false
	}
	switch strings.ToLower(strings.TrimRight(bare, ":：")) {
	case "begin forwarded message", "début du message réexpédié", "anfang der weitergeleiteten nachricht", "开始转发的邮件", "開始轉寄郵件", "inicio del mensaje reenviado":
		return true
	}
	return len(line)-len(strings.TrimLeft(line, "-_–—=*＿－")) >= 2 && separatorWords.MatchString(bare)
}

var (
	fromLabel = regexp.MustCompile(`(?i)^[\s*]*(from|von|de|da|van|från|fra|от|发件人|寄件者|寄件人|差出人|送信者|보낸 ?사람|보낸이|จาก|từ)\s*\*?\s*[:：]`)
	// proofLabel: headers which no list of bookings or transfers has beside a "From:".
	proofLabel = regexp.MustCompile(`(?i)^[\s*]*(sent|subject|gesendet|betreff|envoyé|objet|enviado( el)?|asunto|assunto|inviato|oggetto|verzonden|onderwerp|` +
		`skickat|ämne|sendt|emne|отправлено|тема|发送时间|发送日期|主题|主旨|寄件日期|寄送日期|傳送時間|件名|送信日時|제목|보낸 ?날짜|ส่ง|ส่งเมื่อ|เรื่อง|หัวเรื่อง|chủ đề)\s*\*?\s*[:：]`)
	otherLabel = regexp.MustCompile(`(?i)^[\s*]*(to|cc|date|an|datum|à|a|para|fecha|data|aan|till|til|dato|кому|дата|收件人|抄送|日期|时间|時間|收件者|副本|宛先|日付|받는 ?사람|받는이|날짜|ถึง|สำเนา|วันที่|đến|ngày)\s*\*?\s*[:：]`)
)

// sentLabel stands in a block made by a mail program, never in a memo.
var sentLabel = regexp.MustCompile(`(?i)^[\s*]*(sent|gesendet|envoyé|enviado( el)?|inviato|verzonden|skickat|sendt|отправлено|发送时间|发送日期|寄件日期|寄送日期|傳送時間|送信日時|보낸 ?날짜|ส่ง|ส่งเมื่อ)\s*\*?\s*[:：]`)

// headerBlock recognises the headers Outlook, QQ Mail and others put above a
// quoted message. A From line alone is none: "From: BKK To: HKT" is a transfer.
// At the top of a text it may be the head of a memo, usual in Thai and Chinese
// letters, unless it shows an address or when it was sent.
func headerBlock(all []string, i int, begun bool) bool {
	first := strings.TrimSpace(all[i])
	if !fromLabel.MatchString(first) && !proofLabel.MatchString(first) && !otherLabel.MatchString(first) {
		return false
	}
	from, proof, other, sure := 0, 0, 0, begun
	for next := i; next < min(i+9, len(all)); next++ {
		line := strings.TrimSpace(all[next])
		switch {
		case line == "" && next-i > 4:
			return false
		case fromLabel.MatchString(line):
			from++
		case proofLabel.MatchString(line):
			proof++
		case otherLabel.MatchString(line):
			other++
		}
		sure = sure || strings.Contains(line, "@") || sentLabel.MatchString(line)
		if sure && from == 1 && proof >= 1 && proof+other >= 2 {
			return true
		}
	}
	return false
}

// attributions end with the verb that introduces a quotation. A date or an
// address must stand before it, or any sentence ending in "wrote:" would do.
var attributions = regexp.MustCompile(`(?i)(` +
	`^\W*(on|am|le|el|il giorno|op|em|vào|den|dne|ons|on-)\s.*(wrote|schrieb.*|a écrit|escribió|ha scritto|schreef.*|escreveu|đã viết|skrev.*|napsal.*)\s*[:：]|` +
	`(wrote|schrieb|writes|写道|寫道|写到|来信|のメール|さんは書きました|が書きました|님이 작성|작성|написала?|пишет|napisała?|เขียน|เขียนว่า|ได้เขียน)\s*[:：]|` +
	`\d{1,2}:\d{2}.*<\S+@\S+>\s*[:：]|` +
	`^\s*(19|20)\d\d[-/.年]\d\d?[-/.月]\d\d?.*<\S+@\S+>\s*[:：]?` +
	`)\s*$`)

// dated: a quotation names its time or its writer, a sentence seldom does.
var dated = regexp.MustCompile(`@|\d{1,2}:\d{2}|\b(19|20|25)\d\d\b|\d{4}年|\d{1,2}/\d{1,2}/\d{2}`)

// ownWords: "on 3 May 2026 I wrote:" introduces the sender's own words.
var ownWords = regexp.MustCompile(`(?i)\b(i|we|you) wrote\s*[:：]\s*$`)

// attribution counts the lines of "On … wrote:" at i, which mail programs wrap.
func attribution(all []string, i int) int {
	joined := ""
	for n := 1; n <= 4 && i+n <= len(all); n++ {
		line := strings.TrimSpace(all[i+n-1])
		if line == "" || len(line) > 300 || n > 1 && quoteLine(line) {
			return 0
		}
		joined = strings.TrimSpace(joined + " " + line)
		if attributions.MatchString(joined) && dated.MatchString(joined) && !ownWords.MatchString(joined) {
			return n
		}
		if n == 1 && !opens.MatchString(line) {
			return 0
		}
	}
	return 0
}

// opens: how a wrapped attribution may begin; other sentences are not joined.
var opens = regexp.MustCompile(`(?i)^\W*(on|am|le|el|il|op|em|vào|den|dne)\s|^\W*(19|20)\d\d|^\W*\d{1,2}[./]\d{1,2}[./]\d\d|^(在|于|於|เมื่อ|ในวัน)|<\S*@`)
