package mail

import (
	"html"
	"mime"
	"strings"
)

// extracted makes an attachment of a file found inside another or in a text.
func (b *body) extracted(name, contentType, contentID string, content []byte, container string) Attachment {
	contentType = strings.ToLower(printable(utf(contentType)))
	if _, _, err := mime.ParseMediaType(contentType); err != nil {
		contentType = typeOf(name)
	}
	return Attachment{Name: safeName(utf(name), contentType, len(b.attachments)+len(b.inside)+1), ContentType: contentType,
		ContentID: printable(utf(contentID)), Content: content, Container: container}
}

// typeOf goes by the ending of a name; the system's own table differs from
// machine to machine.
func typeOf(name string) string {
	for _, t := range []string{"application/pdf", "image/jpeg", "image/png", "image/gif", "text/csv", "text/html", "text/calendar", "message/rfc822",
		"text/plain"} {
		if strings.HasSuffix(strings.ToLower(name), extension(t)) {
			return t
		}
	}
	return "application/octet-stream"
}

// open looks into what a winmail.dat holds. It stays in its place, so that the
// order of the files is what the sender made it; its content comes behind.
func (b *body) open() {
	for _, a := range b.attachments {
		if !isTNEF(a.Content) {
			continue
		}
		t := readTNEF(a.Content, 0)
		if t.damaged {
			b.problems.add("%s is damaged, what could be read of it is shown", a.Name)
		}
		if text, html := t.body(); !b.hasWords() && (text != "" || html != "") {
			b.blocks = []block{{text: text, html: html, hasText: text != "", hasHTML: html != ""}}
		}
		for _, f := range t.all() {
			if len(f.content) > 0 || f.name != "" {
				b.inside = append(b.inside, b.extracted(f.name, f.contentType, f.contentID, f.content, a.Name))
			}
		}
	}
	for _, a := range b.inside {
		b.attach(a)
	}
	b.inside = nil
}

func (b *body) hasWords() bool {
	for _, one := range b.blocks {
		if strings.TrimSpace(one.text) != "" || strings.TrimSpace(one.html) != "" {
			return true
		}
	}
	return false
}

// forwarded shows the mail inside a mail that says nothing itself: who forwards a
// mail as a file without a word means its content. The file stays beside it.
func forwarded(m *Message, depth int) {
	if depth >= maxForwards || strings.TrimSpace(m.Text) != "" || strings.TrimSpace(m.HTML) != "" {
		return
	}
	for _, a := range m.Attachments {
		if a.ContentType != "message/rfc822" && a.ContentType != "message/global" {
			continue
		}
		inner := parse(a.Content, depth+1)
		head := "---------- Forwarded message ---------\nFrom: " + shown(inner.From) + "\n"
		if !inner.SentAt.IsZero() {
			head += "Date: " + inner.SentAt.Format("2006-01-02 15:04 -0700") + "\n"
		}
		head += "Subject: " + inner.Subject + "\n"
		if len(inner.To) > 0 {
			head += "To: " + shown(inner.To[0]) + "\n"
		}
		if inner.Text != "" || inner.HTML == "" {
			m.Text = head + "\n" + inner.Text
		}
		if inner.HTML != "" {
			m.HTML = "<div>" + strings.ReplaceAll(html.EscapeString(head), "\n", "<br>") + "</div><br>" + inner.HTML
		}
		return
	}
}

// maxForwards is how deep mails within mails are opened.
const maxForwards = 3

func shown(a Address) string {
	switch {
	case a.Email == "":
		return a.Name
	case a.Name == "":
		return "<" + a.Email + ">"
	}
	return a.Name + " <" + a.Email + ">"
}
