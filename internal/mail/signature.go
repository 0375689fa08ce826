package mail

import (
	"regexp"
	"strings"
)

var (
	signatureRule = regexp.MustCompile(`^\s*(-- ?|--|__+|—+|[-_=*]{5,})\s*$`)
	// closing words end a letter; a name and how to reach it follow.
	closing = regexp.MustCompile(`(?i)^\W*(thanks( a lot| so much| again| and regards)?|thank you( very much| so much)?|many thanks|(kind|best|warm|warmest) ?regards|regards|` +
		`best wishes|best|sincerely|yours (sincerely|faithfully|truly)|cheers|br|rgds|mit freundlichen grüßen|mfg|viele grüße|(freundliche|liebe|beste|schöne) grüße|` +
		`cordialement|bien à vous|salutations|cordiali saluti|saludos( cordiales)?|atentamente|atenciosamente|с уважением|` +
		`此致|敬礼|顺祝商祺|顺颂商祺|谢谢|多谢|祝好|祝商祺|敬上|謝謝|順頌商祺|よろしくお願い(いた)?します|敬具|감사합니다|감사합니다\.?|ขอแสดงความนับถือ|ขอบคุณ(ค่ะ|ครับ)?)[\s,，.。!！]*$`)
	sentFrom = regexp.MustCompile(`(?i)^\W*(sent from (my|yahoo|outlook|mail|gmail)|get outlook for|von meinem .* gesendet|gesendet von|envoyé (de|depuis) mon|` +
		`enviado desde mi|inviato da|发自我的|從我的.*傳送|取得 outlook|获取 outlook|iPhoneから送信|ส่งจาก(iphone|อุปกรณ์)|via mobile)`)
	disclaimer = regexp.MustCompile(`(?i)(this (e-?mail|message|communication)( \(?(and|including) any (attachments?|files).{0,40})?.{0,40}(is|are|contains?|may be|may contain).{0,60}(confidential|privileged|intended)|` +
		`confidentiality notice|diese e-?mail (enthält|ist) .{0,40}vertraulich|ce (message|courriel) .{0,60}confidentiel|本(邮件|郵件|电邮|電郵).{0,40}(保密|机密|機密)|` +
		`please consider the environment|อีเมลฉบับนี้.{0,60}ความลับ)`)
)

const (
	maxSignature = 15 // lines, without a rule above
	maxSigLine   = 80 // characters in one
)

// SplitSignature parts what was said from the signature and the disclaimer below
// it. It looks at new text only, as SplitQuoted leaves it, and is careful: what
// it is not sure of stays with the text.
func SplitSignature(text string) (said, signature string) {
	all := strings.Split(strings.TrimRight(lines(text), " \t\n"), "\n")
	at := len(all)
	for i := max(1, len(all)-60); i < len(all); i++ {
		if line := all[i]; len(line) > 60 && len(line) < 5000 && disclaimer.MatchString(line) {
			at = i
			break
		}
	}
	if n := signatureAt(all[:at]); n > 0 {
		at = n
	}
	said = strings.TrimRight(strings.Join(all[:at], "\n"), " \t\n")
	return said, strings.TrimLeft(strings.Join(all[at:], "\n"), "\n")
}

// signatureAt is the line with which a signature begins, or 0.
func signatureAt(all []string) int {
	from := max(1, len(all)-2*maxSignature)
	for i := from; i < len(all); i++ {
		rule := signatureRule.MatchString(all[i]) && strings.TrimSpace(all[i-1]) == "" || strings.TrimRight(all[i], " ") == "--"
		if rule && short(all[i+1:], 2*maxSignature) {
			return i
		}
	}
	from = max(1, len(all)-maxSignature)
	for i := from; i < len(all); i++ {
		if (closing.MatchString(all[i]) || sentFrom.MatchString(all[i])) && short(all[i:], maxSignature) {
			return i
		}
	}
	return contactAt(all)
}

var contactLine = regexp.MustCompile(`(?i)(\S+@\S+\.\S+|www\.\S+|https?://|^\W*(tel|phone|mobile|fax|t|m|f|电话|手机|โทร)\b?[.:：]|\(?\+?\d[\d\s().-]{7,}\d)`)

// contactAt finds a last paragraph of short lines, one of which tells how to
// reach the sender.
func contactAt(all []string) int {
	start := len(all)
	for start > 0 && strings.TrimSpace(all[start-1]) != "" {
		start--
	}
	if start == 0 || len(all)-start < 2 || len(all)-start > 10 || !short(all[start:], 10) {
		return 0
	}
	contacts := 0
	for _, line := range all[start+1:] {
		if contactLine.MatchString(line) {
			contacts++
		}
	}
	if contactLine.MatchString(all[start]) || contacts < 2 {
		return 0
	}
	return start
}

// short: a signature has few and short lines, and asks nothing.
func short(all []string, most int) bool {
	n := 0
	for _, line := range all {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n++; n > most || len([]rune(line)) > maxSigLine || strings.HasSuffix(strings.TrimSpace(line), "?") {
			return false
		}
	}
	return true
}
