package inbox

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"thhotel/internal/blob"
	"thhotel/internal/mail"
	"thhotel/internal/sanitize"
)

// Limits on what is stored of a message. The original is never cut.
const (
	maxBody       = 1 << 20 // bytes of text and of HTML, each
	maxID         = 1000    // bytes of a Message-ID or a source's id
	maxReferences = 50
	maxSubject    = 2000
	maxName       = 500
	maxAddresses  = 500
	maxFiles      = 500
)

// readMail understands a raw mail. It never fails: what cannot be read is kept
// as bytes, with a problem and a flag.
func readMail(raw []byte) reading {
	m := mail.Parse(raw)
	r := reading{
		messageID: identifier(m.MessageID), inReplyTo: identifier(m.InReplyTo), references: identifiers(m.References),
		subject: m.Subject, from: m.From, to: m.To, cc: m.Cc, replyTo: m.ReplyTo,
		sentAt: m.SentAt, receivedAt: m.ReceivedAt, problem: m.Problem,
	}
	if auto := strings.ToLower(strings.TrimSpace(m.AutoSubmitted)); auto != "" && auto != "no" {
		r.flags = append(r.flags, FlagAutoSubmitted)
	}
	if m.ListUnsubscribe != "" {
		r.flags = append(r.flags, FlagBulk)
	}
	for _, a := range m.Attachments {
		r.files = append(r.files, file{sent: true, content: a.Content, Attachment: Attachment{
			Name: a.Name, ContentType: a.ContentType, ContentID: a.ContentID, Inline: a.Inline,
			Size: int64(len(a.Content)), SHA256: blob.Key(a.Content),
		}})
	}
	r.clean(m.Text, m.HTML)
	r.judgeProblem(mimeHeader.Match(head(raw)))
	return r
}

// mimeHeader is a line that only mails (and parts of them) have.
var mimeHeader = regexp.MustCompile(`(?im)^(mime-version|content-(type|transfer-encoding|disposition))[ \t]*:`)

// head is what stands before the first empty line.
func head(raw []byte) []byte {
	raw = raw[:min(len(raw), 64<<10)]
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		raw, _, _ = bytes.Cut(raw, []byte(end))
	}
	return raw
}

// judgeProblem tells bytes that are no readable mail from a mail with a blemish.
// A mail of which somebody took all but the MIME headers can be read.
func (r *reading) judgeProblem(mime bool) {
	nameless := r.from == (mail.Address{}) && r.messageID == "" && r.subject == "" && r.sentAt.IsZero()
	empty := r.render == RenderNone && len(r.files) == 0
	if nameless && r.problem == "" {
		r.problem = "neither sender, subject, date nor Message-ID was found"
	}
	if r.problem == "" {
		return
	}
	flag := FlagProblem
	if nameless && !mime || empty {
		flag = FlagUnparseable
	}
	r.problem, r.flags = cut(oneLine(r.problem), maxName), sorted(append(r.flags, flag))
}

// clean makes bodies, headers and names safe and raises the flags that the
// message alone justifies.
func (r *reading) clean(text, html string) {
	found := map[string]bool{}
	plain, rich := sanitize.Text(text), sanitize.HTML(html)
	r.note(found, plain.Flags)
	r.note(found, rich.Flags)
	r.text, r.html = plain.Text, rich.HTML
	if strings.TrimSpace(r.text) == "" {
		r.text = rich.Text
	} else if hiddenInText(plain.Text, rich.Text) {
		r.flags = append(r.flags, FlagTextDiffers)
	}
	r.cutBodies()
	r.render = renderMode(r.text, r.html)
	r.subject = r.line(found, r.subject, maxSubject)
	r.people(found)
	r.names(found)
	if replyElsewhere(r.from, r.replyTo) {
		r.flags = append(r.flags, FlagReplyElsewhere)
	}
	if slices.ContainsFunc(r.files, active) {
		r.flags = append(r.flags, FlagActiveAttachment)
	}
	r.flags = sorted(r.flags)
}

func (r *reading) note(found map[string]bool, flags []sanitize.Flag) {
	for _, f := range flags {
		if !found[string(f)] {
			found[string(f)] = true
			r.flags = append(r.flags, string(f))
		}
	}
}

func (r *reading) cutBodies() {
	if len(r.text) > maxBody {
		r.text, r.flags = cut(r.text, maxBody), append(r.flags, FlagTruncated)
	}
	if len(r.html) > maxBody {
		r.html, r.flags = cutHTML(r.html, maxBody), append(r.flags, FlagTruncated)
	}
}

// line makes a header's text safe and one line of it.
func (r *reading) line(found map[string]bool, s string, limit int) string {
	clean := sanitize.Text(s)
	r.note(found, clean.Flags)
	return cut(oneLine(clean.Text), limit)
}

func (r *reading) people(found map[string]bool) {
	r.from = mail.Address{Name: r.line(found, r.from.Name, maxName), Email: r.line(found, r.from.Email, maxName)}
	for _, list := range []*[]mail.Address{&r.to, &r.cc, &r.replyTo} {
		*list = slices.Clone((*list)[:min(len(*list), maxAddresses)])
		for i, a := range *list {
			(*list)[i] = mail.Address{Name: r.line(found, a.Name, maxName), Email: r.line(found, a.Email, maxName)}
		}
	}
}

func (r *reading) names(found map[string]bool) {
	if len(r.files) > maxFiles {
		r.files, r.problem = r.files[:maxFiles], r.problem+" more attachments than are listed; read the original"
	}
	for i := range r.files {
		a := &r.files[i].Attachment
		a.Name = r.line(found, a.Name, maxName)
		a.ContentType = cut(oneLine(strings.ToLower(a.ContentType)), maxName)
		a.ContentID = cut(oneLine(a.ContentID), maxName)
	}
}

func renderMode(text, html string) string {
	switch {
	case strings.TrimSpace(html) != "":
		return RenderHTML
	case strings.TrimSpace(text) != "":
		return RenderText
	}
	return RenderNone
}

// hiddenInText reports that a plain text alternative carries a good deal of
// words which the HTML, which people are shown, does not have: a place to hide
// words for a machine.
func hiddenInText(plain, rich string) bool {
	if strings.TrimSpace(rich) == "" {
		return false
	}
	seen := map[string]bool{}
	for _, w := range words(rich) {
		seen[w] = true
	}
	extra, all := 0, 0
	for _, w := range words(plain) {
		if all++; !seen[w] {
			extra++
		}
	}
	return extra >= 12 && extra*4 >= all
}

// words leaves out what the two forms of one mail rightly write differently: links and rules.
func words(s string) []string {
	out := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" \t\r\n\u00a0.,;:!?()[]<>\"'*_|-=#", r) })
	return slices.DeleteFunc(out, func(w string) bool { return strings.Contains(w, "/") || len(w) < 2 })
}

// identifier is a Message-ID as it stands, on one line. One that is longer than
// any real one is no identifier.
func identifier(s string) string {
	if s = oneLine(s); len(s) > maxID {
		return ""
	}
	return s
}

// bracketed is the form in which Message-IDs are compared: some programs leave
// the angle brackets out.
func bracketed(s string) string {
	if s != "" && !strings.ContainsAny(s, "<> ") && strings.Contains(s, "@") {
		return "<" + s + ">"
	}
	return s
}

// identifiers keeps the root and the nearest ancestors of a very long thread.
func identifiers(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		if s = identifier(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
		if len(out) > maxReferences {
			out = slices.Delete(out, 1, 2)
		}
	}
	return out
}

// oneLine trims, joins lines and drops what is not text.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))), " ")
}

// cut shortens s to at most limit bytes without breaking a character.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// cutHTML shortens clean HTML. A cut inside a tag or an entity drops it whole,
// and cleaning once more closes what stands open.
func cutHTML(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for room := limit; room > 0; room -= limit/8 + 1 {
		part := cut(s, room)
		if open := strings.LastIndexByte(part, '<'); open > strings.LastIndexByte(part, '>') {
			part = part[:open]
		}
		if open := strings.LastIndexByte(part, '&'); open >= 0 && open > len(part)-12 && !strings.Contains(part[open:], ";") {
			part = part[:open]
		}
		if out := sanitize.HTML(part).HTML; len(out) <= limit {
			return out
		}
	}
	return ""
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
