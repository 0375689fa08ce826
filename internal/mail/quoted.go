package mail

import (
	"regexp"
	"strings"
)

// SplitQuoted parts what the sender wrote now from the history below or between
// it. Under a line such as "-----Original Message-----" or a block of From, Sent,
// To and Subject everything is history. Lines behind ">" are history wherever
// they stand, and what follows them is new again: people answer below and between.
// A mail that is nothing but a forwarded message has no history: the forwarded
// message is what its sender wants read.
func SplitQuoted(text string) (fresh, quoted string) {
	all := strings.Split(lines(text), "\n")
	var now, old []string
	for i, is := range history(all) {
		if is {
			old = append(old, all[i])
		} else {
			now = append(now, all[i])
		}
	}
	fresh = strings.TrimRight(strings.Join(now, "\n"), " \t\n")
	return strings.TrimLeft(fresh, "\n"), strings.Join(old, "\n")
}

// history tells for every line whether it is quoted.
func history(all []string) []bool {
	t := &thread{all: all, labels: make([]byte, len(all))}
	old := make([]bool, len(all))
	begun, forward := false, false // something new stands above; it only passes on
	for i := 0; i < len(all); {
		kind, n := t.markAt(i, begun)
		switch {
		case kind == markRest && !begun && t.passesOn(i):
			n, begun, forward = 1, true, true
		case kind == markRest && forward && i < t.headEnd():
			n = 1 // the headers of what is passed on
		case kind == markRest:
			for ; i < len(all); i++ {
				old[i] = true
			}
			return old
		case kind == markQuote:
			for k := i; k < i+n; k++ {
				old[k] = true
			}
		default:
			begun = begun || strings.TrimSpace(all[i]) != ""
			n = 1
		}
		i += n
	}
	return old
}

// passesOn: a separator or header block at the very top introduces a forwarded
// message, not an answer.
func (t *thread) passesOn(i int) bool {
	return separator(t.all[i]) || t.headerBlock(i, false) || ruled(t.all[i])
}

// headEnd is the first line behind the headers of a message at the top.
func (t *thread) headEnd() int {
	if t.body > 0 {
		return t.body
	}
	for i, line := range t.all {
		words := strings.TrimSpace(line)
		if words != "" && i > 0 && strings.TrimSpace(t.all[i-1]) == "" && !separator(words) && !ruled(words) && t.label(i) == labelNone {
			t.body = i
			return i
		}
	}
	t.body = max(1, len(t.all))
	return t.body
}

var labelMarks = strings.NewReplacer("\u200e", "", "\u200f", "", "\u00a0", " ")

// plainLabel takes out the blanks with which Chinese programs make labels equally
// wide, and the marks which hold a date together.
func plainLabel(line string) string {
	line = strings.TrimSpace(labelMarks.Replace(line))
	if head, rest, ok := strings.Cut(line, "："); ok && len(head) < 40 && strings.Contains(head, "\u3000") {
		return strings.ReplaceAll(head, "\u3000", "") + "：" + rest
	}
	return line
}

// thread is a text of several messages, read line by line. What a line is called
// is found out once, however often the lines around it ask.
type thread struct {
	all    []string
	labels []byte
	tried  int // lines compared with "On … wrote:"
	body   int // first line behind the headers of a message at the top
}

// maxTries bounds the dearest comparison; no thread of people has as many messages.
const maxTries = 4000

const (
	labelUnknown = iota
	labelNone
	labelFrom
	labelProof
	labelOther
)

// label tells which header a line looks like.
func (t *thread) label(i int) byte {
	if t.labels[i] == labelUnknown {
		t.labels[i] = labelOf(t.all[i])
	}
	return t.labels[i]
}

func labelOf(line string) byte {
	line = plainLabel(line)
	if i := strings.IndexAny(line, ":：|"); i < 0 || i > 60 { // no label is longer
		return labelNone
	}
	line = strings.ToValidUTF8(line[:min(len(line), 100)], "")
	switch {
	case fromLabel.MatchString(line):
		return labelFrom
	case proofLabel.MatchString(line):
		return labelProof
	case otherLabel.MatchString(line):
		return labelOther
	}
	return labelNone
}

// ruled tells a line drawn across the page.
func ruled(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && strings.IndexByte("_=-", line[0]) >= 0 && underline.MatchString(line)
}

type mark int

const (
	markNone  mark = iota
	markQuote      // the next n lines are history
	markRest       // everything from here on is
)

// markAt tells what begins at a line.
func (t *thread) markAt(i int, begun bool) (mark, int) {
	all := t.all
	line := all[i]
	if quoteLine(line) {
		return markQuote, 1
	}
	if len(line) > 600 || strings.TrimSpace(line) == "" {
		return markNone, 0
	}
	if separator(line) || t.headerBlock(i, begun) || begun && lotusBlock(all, i) {
		return markRest, 0
	}
	if ruled(line) && i+1 < len(all) {
		for next := i + 1; next < min(i+4, len(all)); next++ {
			if t.headerBlock(next, begun) {
				return markRest, 0
			}
		}
	}
	if n := t.attribution(i); n > 0 {
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
var separatorWords = regexp.MustCompile(`(?i)^(original|original message|original e-?mail|original appointment|reply message|replied message|reply|forwarded e-?mail|forwarded message|forwarded by .*|` +
	`original[- ]nachricht|urspr(ü|ue)ngliche nachricht|weitergeleitete nachricht|message d'origine|message original|message transf(é|e)r(é|e)|` +
	`mensaje original|mensaje reenviado|mensagem original|mensagem encaminhada|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|` +
	`oprindelig meddelelse|opprinnelig melding|ursprungligt meddelande|исходное сообщение|пересылаемое сообщение|` +
	`原始邮件|原邮件|原始信息|邮件原件|回复的原邮件|原始郵件|原始訊息|转发邮件|转发的邮件|轉寄的?郵件|轉寄信件|转发邮件信息|原始邮件内容|回覆的原郵件|被转发邮件|被轉寄郵件|` +
	`元のメッセージ|転送メッセージ|原始メッセージ|원본 메시지|원본 메일|전달된 메시지|전달 메시지|ข้อความต้นฉบับ|ข้อความเดิม|ข้อความที่ส่งต่อ|จดหมายต้นฉบับ|thư gốc|tin nhắn gốc|pesan asli|pesan terusan|özgün ileti|iletilen ileti|вихідне повідомлення|wiadomość oryginalna|wiadomość przekazana|původní zpráva|eredeti üzenet|alkuperäinen viesti|mesaj original|الرسالة الأصلية)[:：]?$`)

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
	fromLabel = regexp.MustCompile(`(?i)^[\s*|]*(from|von|de|da|van|från|fra|от|发件人|寄件者|寄件人|發件人|差出人|送信者|보낸 ?사람|보낸이|จาก|từ|dari|kimden|od|feladó|lähettäjä|من)\s*\*?\s*[:：|]`)
	// proofLabel: headers which no list of bookings or transfers has beside a "From:".
	proofLabel = regexp.MustCompile(`(?i)^[\s*|]*(sent|subject|gesendet|betreff|envoyé|objet|enviado( el)?|asunto|assunto|inviato|oggetto|verzonden|onderwerp|` +
		`skickat|ämne|sendt|emne|отправлено|тема|发送时间|发送日期|主题|主題|主旨|發送時間|寄件日期|寄送日期|傳送時間|件名|送信日時|제목|보낸 ?날짜|ส่ง|ส่งเมื่อ|เรื่อง|หัวเรื่อง|chủ đề|đã gửi|dikirim|terkirim|subjek|gönderildi|konu|wysłano|temat|odesláno|předmět|elküldve|tárgy|lähetetty|aihe|odeslano)\s*\*?\s*[:：|]`)
	otherLabel = regexp.MustCompile(`(?i)^[\s*|]*(to|cc|date|an|datum|à|a|para|fecha|data|aan|till|til|dato|кому|дата|收件人|抄送|日期|时间|時間|收件者|副本|密送|宛先|日付|받는 ?사람|받는이|날짜|ถึง|สำเนา|วันที่|đến|ngày|kepada|tanggal|kime|tarih|do|címzett|vastaanottaja|kopie|copie|copia|cci|bcc|답장|참조|reply-to)\s*\*?\s*[:：|]`)
)

// sentLabel stands in a block made by a mail program, never in a memo.
var sentLabel = regexp.MustCompile(`(?i)^[\s*|]*(sent|gesendet|envoyé|enviado( el)?|inviato|verzonden|skickat|sendt|отправлено|发送时间|发送日期|寄件日期|寄送日期|傳送時間|送信日時|보낸 ?날짜|ส่ง|ส่งเมื่อ|đã gửi|dikirim|gönderildi|發送時間)\s*\*?\s*[:：|]`)

// headerBlock recognises the headers Outlook, QQ Mail and others put above a
// quoted message. A From line alone is none: "From: BKK To: HKT" is a transfer.
// At the top of a text it may be the head of a memo, usual in Thai and Chinese
// letters, unless it shows an address or when it was sent.
func (t *thread) headerBlock(i int, begun bool) bool {
	if t.label(i) == labelNone {
		return false
	}
	from, proof, other, sure := 0, 0, 0, begun
	for next := i; next < min(i+9, len(t.all)); next++ {
		line := strings.TrimSpace(t.all[next])
		if line == "" && next-i > 4 {
			return false
		}
		switch t.label(next) {
		case labelFrom:
			from++
		case labelProof:
			proof++
		case labelOther:
			other++
		}
		sure = sure || strings.Contains(line, "@") || t.label(next) == labelProof && sentLabel.MatchString(plainLabel(line))
		if sure && from == 1 && proof >= 1 && proof+other >= 2 {
			return true
		}
	}
	return false
}

// attributions end with the verb that introduces a quotation. A date or an
// address must stand before it, or any sentence ending in "wrote:" would do.
var attributions = regexp.MustCompile(`(?i)(` +
	`^\W*(on|at|am|le|el|il giorno|il|op|em|vào|den|dne|ons|on-|pada)\s.*(wrote|menulis|schrieb.*|a écrit|escribió|ha scritto|schreef.*|escreveu|đã viết|skrev.*|napsal.*|kirjoitti|írta|a scris)\s*[:：]|` +
	`(wrote|schrieb|writes|写道|寫道|写到|来信|のメール|さんは書きました|が書きました|님이 작성|작성|написала?|пишет|napisała?|เขียน|เขียนว่า|ได้เขียน|เขียนเมื่อ.*|tarihinde şunu yazdı|yazdı|كتب|έγραψε|menulis|írta|kirjoitti|회신|작성하였습니다)\s*[:：]|` +
	`\d{1,2}:\d{2}.*<\S+@\S+>\s*[:：]|` +
	`^\s*(19|20)\d\d[-/.年]\d\d?[-/.月]\d\d?.*<\S+@\S+>\s*[:：]?` +
	`)\s*$`)

// dated: a quotation names its time or its writer, a sentence seldom does.
var dated = regexp.MustCompile(`@|\d{1,2}:\d{2}|\b(19|20|25)\d\d\b|\d{4}年|\d{1,2}/\d{1,2}/\d{2}`)

// ownWords: "on 3 May 2026 I wrote:" introduces the sender's own words.
var ownWords = regexp.MustCompile(`(?i)\b(i|we|you) wrote\s*[:：]\s*$`)

// attribution counts the lines of "On … wrote:" at i, which mail programs wrap.
func (t *thread) attribution(i int) int {
	all := t.all
	last := 0 // the line which may end one; looking for it is cheap, the rest is not
	for n := 1; n <= 4 && i+n <= len(all) && last == 0; n++ {
		line := strings.TrimSpace(all[i+n-1])
		if line == "" || len(line) > 300 || n > 1 && quoteLine(line) {
			return 0
		}
		if strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") || strings.HasSuffix(line, ">") {
			last = n
		}
	}
	joined := ""
	for n := 1; last > 0 && n <= 4 && i+n <= len(all); n++ {
		line := strings.TrimSpace(all[i+n-1])
		if line == "" || len(line) > 300 || n > 1 && quoteLine(line) {
			return 0
		}
		if t.tried++; t.tried > maxTries {
			return 0
		}
		joined = strings.TrimSpace(joined + " " + line)
		if n >= last && attributions.MatchString(joined) && dated.MatchString(joined) && !ownWords.MatchString(joined) {
			return n
		}
		if n == 1 && !opens.MatchString(line) {
			return 0
		}
	}
	return 0
}

// opens: how a wrapped attribution may begin; other sentences are not joined.
var opens = regexp.MustCompile(`(?i)^\W*(on|at|am|le|el|il|op|em|vào|den|dne|pada)\s|^\W*(19|20)\d\d|^\W*\d{1,2}[./]\d{1,2}[./]\d\d|^(在|于|於|เมื่อ|ในวัน)|<\S*@`)
