package inbox

import (
	"time"

	"thhotel/internal/mail"
)

// Inspection is what would be stored of a raw mail, for `mail inspect`. Nothing
// is stored and nothing is known of other mails, so the flags that compare a
// sender with a conversation are missing here.
type Inspection struct {
	MessageID         *string         `json:"message_id"`  // null when the mail has none
	InReplyTo         *string         `json:"in_reply_to"` // null when it answers none
	References        []string        `json:"references"`
	Subject           string          `json:"subject"`
	From              string          `json:"from"`
	To                []string        `json:"to"`
	SentAt            *string         `json:"sent_at"` // RFC 3339 in the sender's offset, null when unknown
	TextBody          string          `json:"text_body"`
	HTMLBodySanitized string          `json:"html_body_sanitized"`
	HTMLRenderMode    string          `json:"html_render_mode"`
	Flags             []string        `json:"flags"`
	Attachments       []InspectedFile `json:"attachments"`
	Error             *string         `json:"error"` // what could not be read, null for nothing
}

// InspectedFile is one attachment of an Inspection.
type InspectedFile struct {
	Name        string `json:"name"`
	ContentType string `json:"content_type"`
	Size        int64  `json:"size"`
	SHA256      string `json:"sha256"`
}

// Inspect reads one raw mail the way the inbox does.
func Inspect(raw []byte) Inspection {
	r := readMail(raw)
	out := Inspection{
		MessageID: orNull(r.messageID), InReplyTo: orNull(r.inReplyTo), References: r.references, Subject: r.subject, From: shown(r.from), To: []string{},
		TextBody: r.text, HTMLBodySanitized: r.html, HTMLRenderMode: r.render, Flags: append([]string{}, r.flags...), Attachments: []InspectedFile{},
	}
	for _, a := range r.to {
		out.To = append(out.To, shown(a))
	}
	for _, f := range r.files {
		out.Attachments = append(out.Attachments, InspectedFile{f.Name, f.ContentType, f.Size, f.SHA256})
	}
	if !r.sentAt.IsZero() {
		at := r.sentAt.Format(time.RFC3339)
		out.SentAt = &at
	}
	if r.problem != "" {
		out.Error = &r.problem
	}
	return out
}

// orNull is how JSON says that there is no such header.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// shown is an address for people, not for a header: no encoded words.
func shown(a mail.Address) string {
	if a.Name == "" {
		return a.Email
	}
	return a.Name + " <" + a.Email + ">"
}
